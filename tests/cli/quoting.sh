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

# So does one that leaves out what was asked for.
cat > hill.txt <<'TEXT'
The Footbridges of the Parish

Because of a nesting heron, the footbridge at Oskerby stayed closed until the ninth of June.

The footbridge at Lorne is of oak. It was built by the carpenters of the mill and has a rail on both sides.
TEXT
lctool encode hill.txt --device cpu --quiet
lctool query hill.kvz "Why did the footbridge at Oskerby stay closed?" --quote 9 --json --device cpu --quiet | jq -r '.answer, .finish'

# One that is cut says so.
lctool query hill.kvz "Why did the footbridge at Oskerby stay closed?" --quote 9 -n 6 --device cpu --quiet | head -n 1

# The best block is read, however small the budget: no answer is made of nothing.
lctool query hill.kvz "Why did the footbridge at Oskerby stay closed?" --budget 1 --json --device cpu --quiet | jq -c '[.answer, (.blocks | length), .tokens.read > 1]'

# An entry is quoted whole, and without what is blank at its end.
cat > refs.bib <<'TEXT'
@book{bergstrom2013knots,
  author    = {Bergstrom, Olle},
  title     = {Knots for Working Boats},
  year      = {2013},
}

@article{reuter2004beer,
  author    = {Reuter, Klaus},
  title     = {Monastery Breweries},
  year      = {2004},
}
TEXT
lctool encode refs.bib --device cpu --quiet
lctool query refs.kvz "Who is the author of Knots for Working Boats?" --quote 0.001 --json --device cpu --quiet | jq .answer

# Code is quoted line by line, with the signs of its comments; what is set in stays so below the
# line that leads it in, with dots for the lines between.
printf 'static int limit(void)\n{\n\t// old: return 1;\n\treturn 2;\n}\n' > limit.c
cat > gate.conf <<'TEXT'
user www-data;

http {
    keepalive_timeout 65s;

    location /api/ {
        proxy_pass http://127.0.0.1:9000;
        proxy_read_timeout 75s;
    }
}
TEXT
lctool encode limit.c --device cpu --quiet
lctool encode gate.conf --device cpu --quiet
lctool query limit.kvz "What does limit return?" --quote 0.001 --device cpu --quiet --evidence 0
lctool query gate.kvz "Where is /api/ passed to?" --quote 0.001 --device cpu --quiet --evidence 0
