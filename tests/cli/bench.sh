# not under sanitizers
# The benchmark runs and every kind of figure is there: how large they are is no matter of a test.
python3 "$TOP/tests/bench/bench.py" "$TOP/build/release" -o quick.csv --quick > log 2>&1 || { cat log >&2; exit 1; }
python3 - <<'EOF'
import csv
import os
import re

rows = list(csv.DictReader(open("quick.csv")))
for kind in ("memory read", "exponentials", "product Q4_1 .* n 512", "product Q8_0 .* n 1", "attend 512 queries",
             "attend 1 queries", "open model", "prefill 512 depth 0", "decode depth 1024", r"encode of \d+ tokens$", "disk write", "one a pass", "peaks allow",
             "peak memory", "first token .* cold", "first token .* warm$", "first token .* warm, embedder", "opening at", "decode on"):
    found = [r for r in rows if re.search(kind, r["what"])]
    bad = [r for r in found if not float(r["figure"]) > 0 or not r["unit"] or not r["command"] or not r["processor"]]
    print(kind, "ok" if found and not bad else f"missing or wrong: {bad}")
# Only where the manual is.
asked = sorted(r["what"] for r in rows if r["what"].startswith("policy manual: "))
wanted = [f"policy manual: first token, {words}, {how}" for words in ("its words", "other words") for how in ("embedder", "no embedder")]
print("other words ok" if asked == wanted or not os.path.exists("/usr/share/doc/debian-policy/policy.html") else f"wrong: {asked}")
EOF

# The one for a GPU, on the processor.
python3 "$TOP/tests/bench/gpu.py" "$TOP/build/release" -o gpu.csv --quick --device cpu > log 2>&1 || { cat log >&2; exit 1; }
python3 - <<'EOF'
import csv
import re

rows = list(csv.DictReader(open("gpu.csv")))
for kind in ("memory copied", "upload of", "product Q4_K .* n 1$", "attend 1 queries", "with masses", "attend 8 queries .* of heads of 80", "attend 1 queries .* of heads of 256", "scored .* for 16 queries",
             "8B: prefill 512", "8B: decode depth 1024", "8B: encode of", "bytes of the index", "first question", "later ones"):
    found = [r for r in rows if re.search(kind, r["what"])]
    bad = [r for r in found if not float(r["figure"]) > 0 or not r["unit"] or not r["command"] or not r["device"]]
    print(kind, "ok" if found and not bad else f"missing or wrong: {bad}")
EOF

# Neither leaves anything in the home of whoever runs it.
find "$HOME" -mindepth 1
