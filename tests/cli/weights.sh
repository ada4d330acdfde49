# not under sanitizers
# Weights that the processor wants in a form of their own are kept, used, and made again where they are damaged.
use_model
cat > lease.txt <<'TEXT'
The tenant, Mrs Abernathy, pays the rent of nine hundred crowns on the first day of every quarter. The landlord
repairs the roof and the water wheel. The key to the cellar hangs behind the blue door.
TEXT
case $(lctool --version | awk '$1 == "cpu" { print $2 }') in
avx* | amx) wanted=1 ;;
*) wanted=0 ;;
esac
kept() { find "${XDG_CACHE_HOME:-$HOME/.cache}" -name '*.weights' 2> /dev/null; }
count() { [ "$(kept | wc -l)" = "$1" ] && echo "as many files as this processor needs" || kept; }
identity() { kept | while read -r f; do stat -c '%i %s' "$f"; done; }
answer() { lctool query --device cpu --quiet --json "$@" lease.kvz "Who repairs the roof?" | jq -c '[.answer, .evidence[0].start]'; }

lctool encode --device cpu --quiet --no-keep-weights lease.txt
count 0
answer --no-keep-weights | tee first
count 0
echo '--- written once, and used'
answer | cmp - first && count "$wanted"
identity > was
answer | cmp - first && identity | cmp - was && echo same
lctool inspect lease.kvz > /dev/null && identity | cmp - was && echo same
echo '--- damaged'
kept | while read -r f; do printf x | dd of="$f" bs=1 seek=50000000 conv=notrunc status=none; done
kept | while read -r f; do cp "$f" damaged; done
answer | cmp - first && count "$wanted"
kept | while read -r f; do cmp -s "$f" damaged && echo "still damaged"; done
echo '--- nowhere to keep them'
rm -rf "$HOME/.cache"
(XDG_CACHE_HOME=/proc/none; export XDG_CACHE_HOME; answer | cmp - first && count 0)
(config <<< $'[lctool]\nkeep-weights = no'; answer | cmp - first && count 0)
rm "$HOME/.config/lctool/lctool.ini"
(XDG_CACHE_HOME=$PWD/other; export XDG_CACHE_HOME; answer | cmp - first && count "$wanted")
