# not under sanitizers
# A PDF: its pages are named where passages are shown, also after another document, and its text is what pdftotext gives.
use_model
python3 - > lease.pdf <<'PYTHON'
pages = [["The lease of the old mill was signed on the third of May. The tenant is Mrs Abernathy,", "who pays",
          "the rent of nine hundred crowns on the first day of every quarter."],
         ["The landlord repairs the roof and the water wheel. He may enter the mill on Mondays.",
          "The key to the cellar hangs behind the blue door of the pantry, beside the old clock."],
         [], ["Dogs are allowed in the mill at all times. Geese are not allowed in the cellar."]]
objects = ["<</Type/Catalog/Pages 2 0 R>>",
           "<</Type/Pages/Count %d/Kids[%s]>>" % (len(pages), "".join("%d 0 R " % (4 + 2 * i) for i in range(len(pages)))),
           "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
for i, lines in enumerate(pages):
    text = "BT /F 12 Tf 72 700 Td " + "".join("(%s) Tj 0 -14 Td " % s for s in lines) + "ET"
    objects += ["<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources<</Font<</F 3 0 R>>>>>>" % (5 + 2 * i),
                "<</Length %d>>\nstream\n%s\nendstream" % (len(text), text)]
out, at = "%PDF-1.4\n", []
for i, o in enumerate(objects):
    at.append(len(out))
    out += "%d 0 obj\n%s\nendobj\n" % (i + 1, o)
xref = "".join("%010d 00000 n \n" % x for x in at)
print(out + "xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF"
      % (len(at) + 1, xref, len(at) + 1, len(out)))
PYTHON
echo 'A note about the mill: the wheel was painted green last year.' > note.txt
lctool encode note.txt lease.pdf -o lease.kvz --device cpu --quiet
lctool inspect lease.kvz --json | jq -c '[.documents[] | [.name, .format]]'
cat note.txt <(pdftotext -enc UTF-8 lease.pdf -) | cmp - <(lctool inspect lease.kvz --text) && echo same
for question in "Where does the key to the cellar hang?" "Are dogs allowed in the mill?" "What colour is the wheel of the note?"; do
    lctool query lease.kvz "$question" --device cpu -n 2 --quiet | sed -nE 's/^\[1\] ([a-z.]+):[0-9]+-[0-9]+(,? [a-z]* ?[0-9]*)  .*/\1\2/p; s/^\[1\] (note.txt):.*/\1/p'
    lctool query lease.kvz "$question" --device cpu -n 2 --json | jq -c '.evidence[0] | [.document, .page]'
done
lctool query lease.kvz "Are dogs allowed in the mill?" --device cpu -n 2 --quiet | grep -c $'\f'
lctool summarize lease.kvz --words 60 --device cpu | grep -o 'lease.pdf:[0-9-]*, page [124]  ' | sed 's/:[0-9-]*//' | sort -u
echo '--- attached to a mail, in an archive within an archive'
{
    printf 'From: Ann\nDate: now\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nThe lease.\n--x\n'
    printf 'Content-Type: application/pdf; name=lease.pdf\nContent-Transfer-Encoding: base64\n\n'
    base64 lease.pdf
    echo '--x--'
} > mail.eml
zip -q in.zip lease.pdf mail.eml && tar -cf out.tar in.zip && lctool encode out.tar --device cpu --quiet
lctool inspect out.kvz --json | jq -c '[.documents[] | [.name, .format]]'
{
    pdftotext -enc UTF-8 lease.pdf -
    printf 'From: Ann\nDate: now\n\nThe lease.\n\n[application/pdf: lease.pdf]\n'
    pdftotext -enc UTF-8 lease.pdf -
} | cmp - <(lctool inspect out.kvz --text) && echo same
echo '--- without pdftotext'
mkdir bin
ln -s "$(command -v lctool)" bin/
PATH=$PWD/bin try lctool encode lease.pdf -o other.kvz
