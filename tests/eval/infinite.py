"""InfiniteBench's three synthetic retrieval tasks, with sentences of our own: PassKey, Number, KV."""
import json

import haystack
from haystack import Case, Document


def repeated_digits(rng):
    """Ten digits: five random ones, and five times one more, a copy beside its original."""
    digits = [rng.choice("0123456789") for _ in range(5)]
    for _ in range(5):
        at = rng.randrange(len(digits))
        digits.insert(at, digits[at])
    return "".join(digits)


def in_noise(task, make_key, name, n_answer):
    """A key said twice, in noise: the depths go evenly from the beginning to the end, a document each."""
    def generate(o, n_tokens, n_cases):
        for i in range(n_cases):
            rng = haystack.generator(task, o.seed, n_tokens, i)
            key = make_key(rng)
            filler = haystack.noise(n_tokens * haystack.TOKEN_BYTES["noise"])
            note = f"The {name} is {key}. Keep it in mind. {key} is the {name}.".encode()
            text, where = haystack.lines(filler, [note], [round(len(filler) * i / max(1, n_cases - 1))])
            yield Document({"noise.txt": text}, [Case(
                task, "first_int", f"What is the {name}?", f"The {name} is", n_answer, [key], [("noise.txt", *where[0])])])
    return generate


def kv(o, n_tokens, n_cases):
    """One JSON object of random keys and values; the keys that are asked for are spread evenly over it."""
    rng = haystack.generator("kv", o.seed, n_tokens)
    n_pairs = max(n_cases, round(n_tokens * haystack.TOKEN_BYTES["json"] / 80))
    pairs = {haystack.uuid4(rng): haystack.uuid4(rng) for _ in range(n_pairs)}
    text, cases = "The data as JSON:\n{", []
    asked = {i * n_pairs // n_cases for i in range(n_cases)}
    for i, (key, value) in enumerate(pairs.items()):
        pair = f"{json.dumps(key)}: {json.dumps(value)}"
        if i in asked:
            cases.append(Case("kv", "in_words", f"Which value belongs to the key \"{key}\" in the JSON data?",
                              f"The value that belongs to \"{key}\" is", 50, [value],
                              [("data.txt", len(text), len(text) + len(pair))]))
        text += pair + (", " if i + 1 < n_pairs else "}\n")
    yield Document({"data.txt": text.encode()}, cases)


GROUPS = {
    "passkey": (["passkey"], in_noise("passkey", lambda rng: haystack.number(rng, 5), "password", 8)),
    "number": (["number"], in_noise("number", repeated_digits, "row of digits", 16)),
    "kv": (["kv"], kv),
}
