# not under sanitizers
# A model of 8 billion weights opens at once: of 4.5 GB less than one part in a hundred is read, also when
# nothing of the file is in memory yet, and next to nothing is copied.
"$TOP/build/release/tests/sparse-model" large.gguf || exit 1
sync large.gguf
dd of=large.gguf oflag=nocache conv=notrunc,fdatasync count=0 status=none
/usr/bin/time -o cost -f '%U %S %M' lctool inspect large.gguf | sed -n '2,5p'
read -r user system peak < cost
awk -v t="$user" -v s="$system" 'BEGIN {exit t + s > 1}' && echo "under a second"
[ "$peak" -lt 64000 ] && echo "in under 64 MB"
[ "$(fincore -nbo RES large.gguf)" -lt 45000000 ] && echo "under 45 MB read"
echo "$user s, $system s, $peak kB" >&2
