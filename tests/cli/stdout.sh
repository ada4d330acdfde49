# Standard output that takes nothing is an error; a reader that has left is not worth a word.
lctool --help > /dev/full
echo "exit $?"
lctool --help >&-
echo "exit $?"
{ sleep 0.5; (trap '' PIPE; lctool query --help; echo "ignored: exit $?" >&2); } | true
{ sleep 0.5; lctool query --help; echo "exit $?" >&2; } | true
