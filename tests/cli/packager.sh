# not under sanitizers
# What a packager counts on: flags from the environment reach compiler and linker beside those the code needs, the same
# source gives the same bytes in any directory, with a space in its name too, and a build elsewhere leaves the source as it is.
unset CI B
export CFLAGS="-O1 -g -fstack-protector-strong" CPPFLAGS=-DNAME_OF_NOTHING LDFLAGS=-Wl,-z,now
for d in one 't wo'; do
    mkdir "$d" && tar -C "$TOP" --exclude=./build --exclude=./.git --exclude=./lctool -cf - . | tar -C "$d" -xf -
    make -s -C "$d" CUDA=0 build/release/cmd/suggest.o
done
cmp one/build/release/cmd/suggest.o 't wo'/build/release/cmd/suggest.o && echo "the same bytes"
CC=mycc make -n -C one CUDA=0 > commands
grep -c -- "^mycc -DNAME_OF_NOTHING.* -O1 -g -fstack-protector-strong -std=c11 .*-ffp-contract=off .*-o build/release/main.o" commands
grep -c -- "^mycc .*-fstack-protector-strong .*-Wl,-z,now -o lctool " commands
grep -c -- " -O2 " commands
make -s -C 't wo' CUDA=0 B="$PWD/elsewhere" "$PWD/elsewhere/io/clock.o" && ls elsewhere/io/clock.o
(cd 't wo' && find . -newer ../commands -type f)
make -s -C one clean && [ ! -e one/build ] && echo "clean"
echo '--- packages are missing, and nobody may install them'
mkdir bin && printf '#!/bin/sh\necho 1000\n' > bin/id && chmod +x bin/id && ln -s "$(command -v grep)" bin/
(PATH=$PWD/bin && cd "$TOP" && try /bin/sh tests/install.sh no-such-package)
