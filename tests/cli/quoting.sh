# not under sanitizers
# An answer in which two numbers have changed places gives way to the sentence, however sure the model is of it.
use_model 2> /dev/null
cat > hall.txt <<'TEXT'
4 Use of the Premises

4.1 No more than 150 persons may be in the Great Hall at a time, and no more than 60 in the Orangery. The gallery is closed to guests.

4.2 Candles are permitted only in closed glass lanterns. Fireworks are not allowed anywhere.

4.3 Nothing may be fixed to walls or beams with nails. The picture rail carries hooks.
TEXT
lctool encode hall.txt --device cpu --quiet
lctool query hall.kvz "How many people are allowed in the Orangery?" --quote 9 --json --device cpu --quiet | jq -r '.answer, .finish'
