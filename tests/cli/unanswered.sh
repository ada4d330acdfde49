# not under sanitizers
# What is said, by itself, of questions that the document does not answer.
use_model
cat > lease.txt <<'TEXT'
The lease of the old mill was signed on the third of May. The tenant, Mrs Abernathy, pays the rent of
nine hundred crowns on the first day of every quarter. The landlord repairs the roof and the water
wheel. The key to the cellar hangs behind the blue door. Dogs are allowed, geese are not.
TEXT
lctool encode lease.txt --device cpu --quiet
ask="lctool query lease.kvz --device cpu"
said() { "$@" 2>&1 | grep -v '^\[1\]' | sed -E 's/score [0-9.]+/score N/; s/^"?The lease of.*/(an answer)/'; }

echo '--- answered, nowhere, not said'
said $ask "Who repairs the roof?" --evidence 1
said $ask "What does article 77 say?"
said $ask "What is the telephone number of the landlord?" --evidence 1
said $ask "What is the telephone number of the landlord?" --evidence 0
echo '--- it is no failure'
$ask "What does article 77 say?" --quiet
echo "exit $?"
$ask "What does article 77 say?" --json | jq -c '[.answer, .finish, .blocks, .score < 0.001, (.evidence | length > 0)]'
echo '--- an answer in any case, and where that is asked for'
said $ask "What does article 77 say?" --min-score 0 --evidence 0
$ask "What does article 77 say?" --min-score 0 --quiet --json | jq -c '[(.answer | length > 0), .score < 0.001]'
said $ask "Who repairs the roof?" --min-score 0.999
config <<< $'[query]\nmin-score = 0.999'
said $ask "Who repairs the roof?"
said $ask "Who repairs the roof?" --min-score=-1 --evidence 0
echo '--- half of it'
said $ask "Who repairs the roof and what is the telephone number of the landlord?" --min-score 0 --evidence 0
echo '--- other ways to read know no such limit'
$ask "What does article 77 say?" --min-score=-1 --read cached -n 3 --json | jq -c '[.finish != "unanswered", .score > 0, .score < 1]'
