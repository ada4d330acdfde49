# not under sanitizers
# What the document takes back later is said behind the answer, however that was found.
use_model 2> /dev/null
cat > lease.txt <<'TEXT'
Lease of the boat house

"Share" means 21.5 per cent of the costs.

4. The rent of the boat house is 380 crowns a month. It is due on the third day of each month, and is paid to the harbour office.

5. The treasurer of the harbour is Marek Stolarz. He keeps the keys of the shed, and lends the crane to whoever asks for it in time.

6. Twelve guests may sleep in the boat house. Candles are not allowed there, nor is cooking on the upper floor.

Changes of 3 May

The Share is changed from 21.5 per cent to 19 per cent. The rent of the boat house is raised from 380 to 420 crowns. Marek Stolarz has left us, and Ifeoma Bright has taken over as treasurer. For the guests nothing changes.
TEXT
lctool encode lease.txt --device cpu --quiet
ask="lctool query lease.kvz --device cpu --quiet"
rent="How much is the rent of the boat house?"
echo '--- behind a look-up, and behind what the model chose'
$ask 'What does "Share" mean?' --json | jq -r .finish,.answer
$ask "$rent" --json > rent
# Which of the two passages is the better one may differ from processor to processor.
jq -r '.changed, (.answer | split("\n") | last), (.evidence[1].read),
    (.changed as $changed | .evidence[:2] | any(.text[.focus.start - .start:.focus.end - .start] == $changed))' rent
echo '--- as it is printed'
$ask "$rent" | grep '^but later'
echo '--- neither of what did not change, nor where it is not wanted'
$ask "How many guests may sleep in the boat house?" --json | jq .changed
for options in "--no-alternative" "--quote 0" "--evidence 0"; do
    $ask "$rent" --json $options | jq .changed
done
cat > award.txt <<'TEXT'
Hearing of Ottilie Brand against Northmere Cold Stores

At the date of dismissal her basic pay was 34,800 pounds a year. She was a field supervisor, and drove van 17 to the depots at Thirlby and Northmere.

Mr Sugden brought out the other van in the night and waited with her at the lay-by for the lorry.

Award

4. Overtime: allowed at 94 hours, being 2,021 pounds.

5. Holiday pay: nine days, agreed, 1,204 pounds.

6. There is no reduction, since she had been up since two.

Slips

For "34,800" read "38,400". In paragraph 8, for "May" read "March".
TEXT
lctool encode award.txt --device cpu --quiet
echo '--- of what is only quoted behind "or:", too'
lctool query award.kvz "What does she get for her holiday?" --device cpu --quiet --min-score 0 --json |
    jq -r '(.alternative != null), .changed'
cat > rules.txt <<'TEXT'
House rules of the mill

1. The rent of the garage is 80 pounds a month. It is paid on the first, at the office by the gate, to whoever is there.

2. Dogs are kept on a lead. The gate is shut at ten. Bicycles stand in the yard behind the stable and nowhere else.

3. The fee for the kitchen is 60 pounds a month. Whoever cooks there washes up before supper and airs the room.

Changes of 4 May

The rent of the garage is raised from 80 to 85 pounds. Hens are welcome. The fee for the kitchen is lowered from 60 to 55 pounds.
TEXT
lctool encode rules.txt --device cpu --quiet
echo '--- of two sentences both'
lctool query rules.kvz "What is the rent of the garage and what is the fee for the kitchen?" --device cpu --quiet \
    --min-score 0 --json | jq -r .changed
echo '--- a file that was read again is asked as it is now'
printf '[server]\nhost = mill.example\nport = 8443\n\n[log]\nlevel = info\nfile = mill.log\n' > mill.ini
lctool encode mill.ini --device cpu --quiet
sed -i s/8443/9999/ mill.ini
lctool encode --append mill.ini -o mill.kvz --device cpu --quiet
port="lctool query mill.kvz --device cpu --quiet --evidence 2"
$port "Which port does the server have?" | sed -n 's/^\(port\|\[\)/\1/p' | sed 's/  .*//'
$port "Which port does the server have?" --json | jq -c '[.evidence[] | [.document, .version]]'
