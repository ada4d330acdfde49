"""Words with a meaning, and how many of them two texts share: what makes a paraphrase one."""
import re

STOP = set("""a about above across after again against all also although always am among an and another any are as at away back
be because been before being below beneath between both but by called can cannot could did do does doing done down each
either else even ever every everything few first for from get give go goes had has have having he her here hers him his how
i if in inside into is it its itself just know known like long made make makes many may me might more most much must my
name named need needs neither new no nor not nothing now of off often old on once one only onto or other others our out over
own part put rather same say several shall she should since so some something still such take than that the their them then
there these they thing things this those though three through to too two under until up upon us use used uses using very was
way we well were what whatever when where whether which while who whom whose why will with within without would yet you
your""".split())


def stem(word):
    """Crude: enough to see that 'keeper' is 'keep' again."""
    for end in ("ations", "ation", "ings", "ing", "ers", "ies", "ied", "ed", "er", "es", "ly", "s", "e", "y"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            return word[:-len(end)]
    return word


def words(text):
    return re.findall(r"[a-z0-9]+", text.lower().replace("'s", "").replace("’s", ""))


def content(text):
    return {stem(w) for w in words(text) if w not in STOP and len(w) > 1}


def shared(a, b):
    return sorted(content(a) & content(b))
