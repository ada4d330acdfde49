# not under sanitizers
# What make install puts down, and that make uninstall takes all of it away.
make -s -C "$TOP" -o lctool install DESTDIR="$PWD/root" PREFIX=/usr
(cd root && find . -type f | sort)
root/usr/bin/lctool --version | head -n 1 | cut -d' ' -f1
make -s -C "$TOP" -o lctool uninstall DESTDIR="$PWD/root" PREFIX=/usr
find root -type f
