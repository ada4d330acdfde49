# Standard output that takes nothing is an error; a reader that has left is not worth a word.
lctool --help > /dev/full
echo "exit $?"
lctool --help >&-
echo "exit $?"
{ sleep 0.5; (trap '' PIPE; lctool query --help; echo "ignored: exit $?" >&2); } | true
{ sleep 0.5; lctool query --help; echo "exit $?" >&2; } | true
# Messages of several processes that write to one place stand on lines of their own.
name=$(printf 'x%.0s' {1..200})
seq 300 | xargs -P 8 -I '{}' lctool inspect "$name" 2>> said
sort said | uniq -c | sed 's/xx*/x/'
