"""Make up captions of many constructions, on which to run the original beside spicepy.

In: how many images, and a seed. Out: samples for `side_by_side`, tokenised as
coco-caption does: quotes, brackets, questions, orders, long coordination, passives,
several sentences, amounts, denials. Half of them then have rare words, marks and
contractions put in, two joined, or words cut off and mixed.

    python -m benchmarks.parity.made_up 500 --seed 1 -o SAMPLES
"""

import argparse
import json
import random
from pathlib import Path
from typing import Any, Final

from benchmarks import ROOT
from spicepy.tokenization import tokenize

REFERENCES: Final = 3
WORDS: Final = {
    "ADJ": "small red wooden old shiny broken striped young two-story half-eaten large",
    "COLOR": "red white blue green yellow black brown orange gray",
    "NOUN": "dog cat man woman boy girl horse truck bus kite umbrella sandwich pizza "
    "laptop bench clock bird child player skateboard giraffe elephant train sheep",
    "NOUNS": "dogs men women children horses trucks kites people sheep birds oranges",
    "PLACE": "park street kitchen beach field table snow ocean room city fence wall",
    "PREP": "in on near under behind beside by next_to in_front_of on_top_of "
    "across_from along between above inside outside_of with without of",
    "GERUND": "eating holding watching riding throwing catching wearing pulling",
    "VERB": "eats holds watches rides throws catches wears pulls chases carries",
    "ALONE": "stands sits runs jumps sleeps walks lies smiles flies",
    "PASSIVE": "held eaten watched surrounded chased ridden covered followed",
    "TRY": "tries wants appears prepares begins gets_ready seems",
    "BASE": "eat catch throw ride hit jump run sleep",
    "MANY": "two three 4 five 12 several many a_few dozens_of a_couple_of a_pair_of "
    "hundreds_of half_a_dozen seven one twenty-two 1,000",
    "DET": "a the one another some this his no every",
    "WHO": "someone it they them she something others people water grass",
    "SAYS": "stop no_parking free_entry keep_left",
    "AMOUNT": "$_5.99 30_cm 10:15 number_42 3_to_2",
}
PHRASES: Final = {
    "NP": "DET NOUN|a ADJ NOUN|MANY NOUNS|a COLOR and COLOR NOUN|the NOUN 's NOUN|"
    "DET NOUN PREP DET NOUN|the NOUN NOUN|WHO|the MANY ADJ NOUNS",
    "PP": "PREP the PLACE|PREP PLACE|PREP NP",
    "VP": "VERB NP|ALONE PP|VERB NP PP|is GERUND NP|is PASSIVE by NP|is GERUND NP PP|"
    "has been PASSIVE|is PASSIVE by NP PP|is PASSIVE PP by NP",
    "S": 'NP with a sign that says "SAYS" PP|NP (NP) VP|is there NP PP ?|'
    "what is NP GERUND ?|who is GERUND NP PP ?|look at NP PP !|NP VP, VP, VP and VP|"
    "NP VP. it VP. there is NP PP.|NP, NP, NP, and NP PP|NP that VP VP|"
    "NP who is GERUND NP and GERUND NP|NP VP while NP VP|NP VP as NP VP|"
    "NP TRY to BASE NP|there are NP PP and NP PP|NP PP PP and NP PP|"
    "close up of NP on NP with NP and NP|NP, one COLOR and one COLOR, VP|"
    "NP not only VP but also VP|neither NP nor NP VP|either NP or NP ALONE PP|"
    "NP gives NP NP|NP: NP; NP|NP - ADJ NOUN -- PP|NP costs AMOUNT and VP|"
    "NP is bigger than NP|NP so ADJ that NP VP|if NP VP, NP VP|NP doesn't BASE, it VP|"
    "put NP PP and then VERB NP|NP with his arms open and her NOUN PP|"
    'NP VP, PP, which VP|"NP," says NP, "VP."|NP VP by AMOUNT PP',
}
MARKS: Final = (
    "and/or 1/2 3rd 50% #1 @ & x-ray t-shirt 10:30pm no. mr. u.s. can't it's they'll "
    "i'd o'clock .. e.g. 20th 2-year-old b&w c. é café"
)
LINKS: Final = "and or but of to that with as while which not both up very so"
ENDINGS: Final = ("", "", "s", "ed", "ing", "ly", "'s")


def main() -> None:
    """Write samples of made-up captions."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("images", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    samples = made_up(options.images, random.Random(options.seed))
    options.output.write_text(json.dumps(samples), encoding="utf-8")


def made_up(images: int, draw: random.Random) -> list[dict[str, Any]]:
    """Return that many samples; captions of which no token is left are left out."""
    lemmas = (ROOT / "spicepy/words/wordnet-3.0.lemmas.tsv").read_text("utf-8")
    words = (line.partition("\t")[0] for line in lemmas.splitlines())
    rare = [word for word in words if word.isalpha()]
    each = REFERENCES + 1
    texts = [_caption(draw, rare) for _ in range(images * each)]
    rows = zip(*(iter(tokenize(texts)),) * each)
    return [
        {"image_id": n, "test": test, "refs": references}
        for n, (test, *references) in enumerate(rows)
        if test and all(references)
    ]


def _caption(draw: random.Random, rare: list[str]) -> str:
    text = _say("S", draw)
    if draw.random() < 0.5:
        if draw.random() < 0.3:
            text = f"{text} {draw.choice(LINKS.split())} {_say('S', draw)}"
        text = _spoilt(text.split(), draw, rare)
    return text.capitalize() if draw.random() < 0.3 else text


def _say(kind: str, draw: random.Random) -> str:
    """Return words of a kind, with all kinds in them replaced."""
    if kind in WORDS:
        return draw.choice(WORDS[kind].split()).replace("_", " ")
    words = draw.choice(PHRASES[kind].split("|")).split()
    return " ".join(_in_marks(word, draw) for word in words)


def _in_marks(word: str, draw: random.Random) -> str:
    """Replace a kind between marks: "(NP)", "VP,"."""
    kind = word.strip('()",.:;')
    known = kind in WORDS or kind in PHRASES
    return word.replace(kind, _say(kind, draw)) if known else word


def _spoilt(words: list[str], draw: random.Random, rare: list[str]) -> str:
    for n, word in enumerate(words):
        chance = draw.random()
        if chance < 0.08:
            words[n] = draw.choice(rare) + draw.choice(ENDINGS)
        elif chance < 0.1:
            words[n] = draw.choice(MARKS.split())
        elif chance < 0.11:
            words[n] = f"{word} {draw.choice(LINKS.split())}"
    chance = draw.random()
    if chance < 0.1:
        return " ".join(words[draw.randrange(len(words)) :])
    if chance < 0.15:
        draw.shuffle(words)
    return " ".join(words)


if __name__ == "__main__":
    main()
