# not under sanitizers
# What make install puts down, and that make uninstall takes all of it away.
make -s -C "$TOP" -o lctool install DESTDIR="$PWD/ro ot" PREFIX=/usr
(cd 'ro ot' && find . -type f | sort)
'ro ot'/usr/bin/lctool --version | head -n 1 | cut -d' ' -f1
make -s -C "$TOP" -o lctool uninstall DESTDIR="$PWD/ro ot" PREFIX=/usr
find "ro ot" -type f
