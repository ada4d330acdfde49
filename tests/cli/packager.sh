# not under sanitizers
# What a packager counts on: flags from the environment reach compiler and linker beside those the code needs, the same
# source gives the same bytes in any directory, and a build elsewhere leaves the source as it is.
unset MAKEFLAGS MAKELEVEL CI B
export CFLAGS="-O1 -g -fstack-protector-strong" CPPFLAGS=-DNAME_OF_NOTHING LDFLAGS=-Wl,-z,now
for d in one two; do
    mkdir $d && tar -C "$TOP" --exclude=./build --exclude=./.git --exclude=./lctool -cf - . | tar -C $d -xf -
    make -s -C $d CUDA=0 build/release/cmd/suggest.o
done
cmp one/build/release/cmd/suggest.o two/build/release/cmd/suggest.o && echo "the same bytes"
CC=mycc make -n -C one CUDA=0 > commands
grep -c -- "^mycc -DNAME_OF_NOTHING.* -O1 -g -fstack-protector-strong -std=c11 .*-ffp-contract=off .*-o build/release/main.o" commands
grep -c -- "^mycc .*-fstack-protector-strong .*-Wl,-z,now -o lctool " commands
grep -c -- " -O2 " commands
make -s -C two CUDA=0 B="$PWD/elsewhere" "$PWD/elsewhere/io/clock.o" && ls elsewhere/io/clock.o
(cd two && find . -newer ../commands -type f)
make -s -C one clean && [ ! -e one/build ] && echo "clean"
