# not under sanitizers
# A sentence is quoted below the heading that tells what it is about, which is left out first where there is no room.
use_model 2> /dev/null
cat > catalogue.md <<'TEXT'
# Course catalogue

The catalogue lists the courses of the school of rivers. Most of them are taught in the autumn.

**Field school.** Two weeks in May, before the third year. The group walks over the mud to the island, which depends on the weather. A deposit of 60 pounds is due by 1 March.

**Study abroad.** The autumn of the third year may be spent at Delft or at Hanoi. Apply by 1 December of the second year to the tutor of exchanges. An average of 58 is asked for.

**Boat handling.** Assessed as pass or fail. It may be repeated as often as necessary.
TEXT
lctool encode catalogue.md --device cpu --quiet
ask="lctool query catalogue.kvz --device cpu --quiet --evidence 0"
average="What average is asked for to study abroad?"
echo '--- below its heading'
$ask "$average"
echo '--- without it where there is no room'
for n in 12 6; do $ask "$average" --max-tokens $n; done
$ask "$average" --max-tokens 12 --json | jq -c '[.finish, .tokens.answer]'
echo '--- nor again where the first half of a question has it'
$ask "What do 58 mean and what average is asked for to study abroad?"
