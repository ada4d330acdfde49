# not under sanitizers
# One question to many indexes: what is broken or named twice does not spoil the others, and shows in the exit status.
use_model
for i in 1 2 3; do
    echo "Report $i. The warehouse in street $i is led by ${i}Berta$i. It stores salt." > d$i.txt
    lctool encode d$i.txt --device cpu --quiet
done
echo 'not an index' > broken.kvz
head -c 50000 d2.kvz > short.kvz
ln -s d1.kvz link.kvz
ask() { try lctool query "$@" "By whom is the warehouse in street 3 led?" --device cpu -n 1 --evidence 1 | sed 's/instead of [0-9]*/instead of N/; s/^\(\[1\] .*txt\):.*/\1/'; }
ask d1.kvz d2.kvz d3.kvz
ask broken.kvz d1.kvz short.kvz link.kvz d3.kvz none.kvz
ask broken.kvz none.kvz
ask broken.kvz
lctool query d1.kvz broken.kvz d3.kvz -q "By whom is the warehouse in street 3 led?" -q "What is stored?" --device cpu -n 1 --json 2> errors | jq -c '.index'
echo "exit ${PIPESTATUS[0]}, errors: $(wc -l < errors)"
# What is printed has the same form if but one of them can be asked.
for more in d1.kvz link.kvz broken.kvz; do
    lctool query d1.kvz $more "What is stored?" --device cpu -n 1 --json 2> /dev/null |
        jq -c '[.index, .evidence[0].index, (.block_indexes | type)]'
done
lctool query d1.kvz "What is stored?" --device cpu -n 1 --json | jq -c '[.index, .evidence[0].index, (.block_indexes | type)]'
# Of many indexes none holds on to what its blocks are decoded with: the answer is the same.
for i in $(seq 4 12); do cp d1.kvz d$i.kvz; done
of_many() { lctool query "$@" "By whom is the warehouse in street 3 led?" --device cpu -n 8 --evidence 1 --read cached | head -1; }
few=$(of_many d3.kvz d1.kvz d2.kvz)
[ -n "$few" ] && [ "$few" = "$(of_many d3.kvz d2.kvz d1.kvz d[4-9].kvz d1[0-2].kvz)" ]
echo "exit $?"
