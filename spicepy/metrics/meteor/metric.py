"""METEOR 1.5 for English, task "rank", which coco-caption reports as METEOR.

All statistics are those of the best reference; scores equal the Java program's to the
last bit.

    METEOR = F · (1 - 0.6 · (chunks / matched words) ^ 0.2)

F is a weighted harmonic mean of precision and recall over aligned words; exact,
stem, synonym and paraphrase matches weigh 1, 0.6, 0.8 and 0.6, content words
0.75, function words 0.25. The corpus score is this formula on the sums of the
statistics, not the mean of the segment scores.

Source: Denkowski & Lavie 2014, "Meteor Universal"; parameters of METEOR 1.5.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise, repeat
from pathlib import Path
from typing import Literal

import numpy as np

from spicepy.common.errors import InputError, ResourceError, brief, check_kind
from spicepy.metrics.base import Array, Metric, Statistics, power
from spicepy.metrics.meteor import paraphrases as tables
from spicepy.metrics.meteor.alignment import Alignment, Caption, WordRelations, align
from spicepy.tokenization.samples import TokenisedSample
from spicepy.words.morphology import read_function_words
from spicepy.words.wordnet import load_wordnet

# METEOR 1.5's text normaliser (`-norm`, English).
#
# Every step is one left-to-right pass of non-overlapping replacements, in a fixed
# order, exactly as the Java program does it: "1-2-3-4" loses every other hyphen.

# Letters and white space as the program defines them, not as Unicode does.
_ALPHA = (
    "A-Za-zŠŽšžŸ\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e\u0400-\u0527"
    "\ua640-\ua66e\ua67e-\ua697\u1d00-\u1d7f"
)
_SPACE = " \t\n\x0b\f\r"
_WORD_BREAK = re.compile(r"[ \t\n\r\f]+")

# Nothing below changes a text of these characters alone, unless it happens to
# contain the stand-in for runs of dots.
_PLAIN = re.compile(r"(?!.*DOTMULTI)[A-Za-z0-9 ]*")

_SYMBOL = re.compile(rf"([^{_ALPHA}0-9{_SPACE}.'`,\-‘’])")
_DOT_RUN = re.compile(r"\.(\.+)")
_DOT_RUN_END = re.compile(r"DOTMULTI\.([^.])")
_COMMAS = (
    re.compile(r"([^0-9]),([^0-9])"),
    re.compile(r"([0-9]),([^0-9])"),
    re.compile(r"([^0-9]),([0-9])"),
)
_SINGLE_QUOTE = re.compile("[`‘’]")
_DOUBLE_QUOTE = re.compile("[“”]|''")
_HYPHEN = re.compile(rf"([{_ALPHA}0-9.])-([{_ALPHA}0-9])")
_APOSTROPHES = (
    (re.compile(rf"([^{_ALPHA}])'([^{_ALPHA}])"), r"\1 ' \2"),
    (re.compile(rf"([^{_ALPHA}0-9])'([{_ALPHA}])"), r"\1 ' \2"),
    (re.compile(rf"([{_ALPHA}])'([^{_ALPHA}])"), r"\1 ' \2"),
    (re.compile(rf"([{_ALPHA}])'([{_ALPHA}])"), r"\1 '\2"),
    (re.compile(r"([0-9])'(s)"), r"\1 '\2"),
)
_LETTER = re.compile(f"[{_ALPHA}]")
_WIDE_SPACES = re.compile("[ \u2000-\u200a\u202f\u205f\u3000\u00a0]+")
_CONTROL = "".join(map(chr, range(0x21)))  # what Java's trim removes

# Words that keep their full stop, always or only before a number.
_ABBREVIATIONS = """
A B C D E F G H I J K L M N O P Q R S T U V W X Y Z Adj Adm Adv Asst Bart Bldg
Brig Bros Capt Cmdr Col Comdr Con Corp Cpl DR Dr Drs Ens Gen Gov Hon Hr Hosp Insp
Lt MM MR MRS MS Maj Messrs Mlle Mme Mr Mrs Ms Msgr Op Ord Pfc Ph Prof Pvt Rep Reps
Res Rev Rt Sen Sens Sfc Sgt Sr St Supt Surg v vs i.e rev e.g Nos Nr
"""
_KEEP_STOP = frozenset(_ABBREVIATIONS.split())
_KEEP_STOP_BEFORE_NUMBER = frozenset(("No", "Art", "pp"))


def meteor_words(text: str) -> list[str]:
    """Normalise, lower-case and split one caption.

    >>> meteor_words("An old-fashioned U.S. flag, isn't it?")
    ['an', 'old', 'fashioned', 'us', 'flag', ',', 'isn', "'t", 'it', '?']
    """
    if not _PLAIN.fullmatch(text):
        text = normalize(text)
    return [word for word in _WORD_BREAK.split(text.lower()) if word]


def normalize(text: str) -> str:
    """Separate punctuation, hyphens and apostrophes from words by spaces; case is kept.

    Source: behaviour of METEOR 1.5 (Denkowski & Lavie 2014), option `-norm`.
    """
    text = _SYMBOL.sub(r" \1 ", f" {text} ")
    text = _protect_dot_runs(text)
    for comma in _COMMAS:
        text = comma.sub(r"\1 , \2", text)
    text = _DOUBLE_QUOTE.sub(' " ', _SINGLE_QUOTE.sub("'", text))
    text = _HYPHEN.sub(r"\1 \2", text.replace("–", "-").replace("--", "-"))
    for apostrophe, replacement in _APOSTROPHES:
        text = apostrophe.sub(replacement, text)
    text = _restore_dot_runs(_split_full_stops(text))
    return _WIDE_SPACES.sub(" ", text).strip(_CONTROL)


def _protect_dot_runs(text: str) -> str:
    """Write "..." as one word without dots, so that no later step splits it."""
    text = _DOT_RUN.sub(r" DOTMULTI\1", text)
    while "DOTMULTI." in text:
        text = _DOT_RUN_END.sub(r"DOTDOTMULTI \1", text)
        text = text.replace("DOTMULTI.", "DOTDOTMULTI")
    return text


def _restore_dot_runs(text: str) -> str:
    while "DOTDOTMULTI" in text:
        text = text.replace("DOTDOTMULTI", "DOTMULTI.")
    return text.replace("DOTMULTI", ".")


def _split_full_stops(text: str) -> str:
    """Separate the final stop from a word unless it belongs to an abbreviation."""
    words = [word for word in _WORD_BREAK.split(text) if word]
    parts: list[str] = []
    for word, following in zip(words, [*words[1:], ""]):
        before = word[:-1]
        if not before or word[-1] != "." or _keeps_stop(before, following):
            parts.append(word)
        elif "." in before and _LETTER.search(before):
            parts.append(word.replace(".", ""))
        else:
            parts += before, "."
    return " ".join(parts)


def _keeps_stop(before: str, following: str) -> bool:
    """Return whether "before." stays one word in front of the following word."""
    if "." in before and _LETTER.search(before):
        return False
    if before in _KEEP_STOP or "a" <= following[:1] <= "z":
        return True
    return before in _KEEP_STOP_BEFORE_NUMBER and "0" <= following[:1] <= "9"


ALPHA = 0.85
BETA = 0.20
GAMMA = 0.60
DELTA = 0.75
MATCHER_WEIGHTS = (1.0, 0.6, 0.8, 0.6)  # exact, stem, synonym, paraphrase

_MATCHERS = ("exact", "stem", "synonym", "paraphrase")
COLUMNS = (
    *("candidate-words", "reference-words"),
    *("candidate-function-words", "reference-function-words"),
    *(
        f"{matcher}-{side}-{kind}"
        for matcher in _MATCHERS
        for kind in ("content", "function")
        for side in ("candidate", "reference")
    ),
    *("chunks", "candidate-matched", "reference-matched"),
    "corpus-chunks",
)
"""The 23 statistics in the Java program's order, and one more: the chunks that
count towards the corpus, 0 where all words are matched in one chunk."""
_CHUNKS, _CORPUS_CHUNKS = COLUMNS.index("chunks"), COLUMNS.index("corpus-chunks")

MAX_WORDS = 2_000  # The number of words of the longest caption that is aligned

# The number of images whose paraphrases are looked up in one reading of the table.
_BATCH = 10_000


class Meteor(Metric):
    """METEOR 1.5 as a metric.

    Without the paraphrase table the numbers are about 0.008 lower and are
    named `meteor-no-paraphrase`, never `meteor`.

    Edge cases: an empty candidate or reference, or no matched word, scores 0.0;
    identical captions score 1.0 whatever their case; a reference that contains
    `|||` is two references, as in the Java program's protocol, and `|||` is
    removed from a candidate. Of equally good references the first one counts.

    Args:
        paraphrases: METEOR's `paraphrase-en.gz`, or the compiled form that `spicepy
            model paraphrases` makes; None for no paraphrases; "auto" for the table that
            `find_paraphrases` finds.

    Raises:
        ResourceError: There is no such file.
    """

    def __init__(self, paraphrases: Path | Literal["auto"] | None = "auto") -> None:
        path = tables.find_paraphrases() if paraphrases == "auto" else paraphrases
        check_kind("paraphrases are", path, str | Path | None, "give a path, or None")
        path = Path(path) if path else None
        if path is not None and not path.is_file():
            raise ResourceError(
                f"paraphrase table {path}: no such file; give the path of "
                "METEOR's paraphrase-en.gz (the package pycocoevalcap contains it)"
            )
        self.paraphrases = path
        self._wordnet = load_wordnet()
        self._relations = WordRelations(self._wordnet.exact_ids)
        self._function_words = read_function_words()

    @property
    def keys(self) -> tuple[str, ...]:
        """The one key, "meteor" with and "meteor-no-paraphrase" without paraphrases."""
        return ("meteor" if self.paraphrases else "meteor-no-paraphrase",)

    def count(self, samples: Sequence[TokenisedSample]) -> Statistics:
        """Return statistics of every image's best reference.

        Returns:
            Rows of 24 columns (`COLUMNS`), whole numbers.

        Raises:
            InputError: A sample has no references, or a caption of more than
                2,000 words (aligning repeated words takes cubic time).
            ResourceError: The paraphrase table cannot be read.
        """
        for sample in samples:
            if not sample.references:
                raise InputError(
                    f"image {brief(sample.image_id)}: no references, METEOR needs one"
                )
            longest = max(c.count(" ") for c in (sample.candidate, *sample.references))
            if longest >= MAX_WORDS:
                raise InputError(
                    f"image {brief(sample.image_id)}: a caption of {longest + 1:,} "
                    f"words; METEOR aligns at most {MAX_WORDS:,}"
                )
        rows = [np.empty((0, len(COLUMNS)))]
        for begin in range(0, len(samples), _BATCH):
            rows.append(self._count_batch(samples[begin : begin + _BATCH]))
        image_ids = tuple(sample.image_id for sample in samples)
        return Statistics(image_ids, np.concatenate(rows))

    def image_scores(self, rows: Array) -> Array:
        """Return segment scores, 0 to 1: (images, 24) -> (images, 1)."""
        return _scores(rows, rows[..., _CHUNKS])[..., None]

    def corpus_scores(self, totals: Array, images: int | Array) -> Array:
        """Return corpus scores, 0 to 1: (..., 24) -> (..., 1), for any `images`."""
        return _scores(totals, totals[..., _CORPUS_CHUNKS])[..., None]

    def signature(self) -> Mapping[str, str]:
        """Return what can change the score, the paraphrase table included."""
        return {
            "metric": "METEOR" if self.paraphrases else "METEOR-no-paraphrase",
            "version": "1.5",
            "language": "en",
            "task": "rank",
            "modules": "+".join(_MATCHERS[: 4 if self.paraphrases else 3]),
            "synonyms": self._wordnet.signature,
            "paraphrases": tables.table_digest(self.paraphrases)
            if self.paraphrases
            else "none",
        }

    def prepare(self, captions: int) -> None:
        """Compile the table before the processes that score begin to."""
        if self.paraphrases is not None:
            tables.load_table(self.paraphrases)

    def _count_batch(self, samples: Sequence[TokenisedSample]) -> Array:
        """Return rows of one batch, whose paraphrases are read together."""
        texts = [_protocol_texts(sample) for sample in samples]
        captions, table = self._prepare({text for group in texts for text in group})
        rows: list[list[int]] = []
        ends: list[int] = []
        for candidate_text, *reference_texts in texts:
            candidate = captions[candidate_text]
            references = [captions[text] for text in reference_texts]
            alignments = align(candidate, references, self._relations, table)
            rows += map(_statistics, repeat(candidate), references, alignments)
            ends.append(len(rows))
        pairs = np.array(rows, dtype=np.float64)
        scores = _scores(pairs, pairs[:, _CHUNKS])
        best = [
            begin + int(scores[begin:end].argmax())  # the first of equals
            for begin, end in pairwise([0, *ends])
        ]
        return pairs[best]

    def _prepare(
        self, texts: Collection[str]
    ) -> tuple[dict[str, Caption], tables.ParaphraseTable | None]:
        """Return every text as a `Caption`, and the paraphrases that occur in them."""
        words = {text: tuple(meteor_words(text)) for text in texts}
        table = None
        if self.paraphrases is not None:
            table = tables.read_paraphrases(self.paraphrases, words.values())
        captions = {}
        for text, caption_words in words.items():
            self._relations.learn(caption_words)
            captions[text] = Caption(
                caption_words,
                tuple(word in self._function_words for word in caption_words),
                table.occurrences(caption_words) if table is not None else (),
            )
        return captions, table


def _protocol_texts(sample: TokenisedSample) -> tuple[str, ...]:
    """Return the candidate and the references as the protocol of `|||` splits them."""
    candidate = sample.candidate.replace("|||", "").replace("  ", " ")
    return candidate, *"|||".join(sample.references).split("|||")


def _statistics(
    candidate: Caption, reference: Caption, alignment: Alignment
) -> list[int]:
    """Return the row of one candidate and reference; see `COLUMNS`."""
    matched = [0] * 16
    chunks = candidate_matched = reference_matched = 0
    next_i = next_j = -1
    for j, (matcher, i, length, reference_length) in alignment:
        if j != next_j or i != next_i:
            chunks += 1
        next_i, next_j = i + length, j + reference_length
        at = 4 * matcher
        function = sum(candidate.function[i:next_i])
        matched[at] += length - function
        matched[at + 2] += function
        function = sum(reference.function[j:next_j])
        matched[at + 1] += reference_length - function
        matched[at + 3] += function
        candidate_matched += length
        reference_matched += reference_length
    lengths = len(candidate.words), len(reference.words)
    complete = (candidate_matched, reference_matched) == lengths and chunks == 1
    return [
        *(*lengths, sum(candidate.function), sum(reference.function), *matched),
        *(chunks, candidate_matched, reference_matched, 0 if complete else chunks),
    ]


def _scores(rows: Array, chunks: Array) -> Array:
    """Return METEOR from statistics of single images or of sums: (..., 24) -> (...)."""
    # The order of additions and products decides the last bit, so keep it.
    columns = np.moveaxis(rows, -1, 0)
    words, function = columns[0:2], columns[2:4]
    length = DELTA * (words - function) + (1 - DELTA) * function
    weighted = np.zeros_like(length)
    for first, kind_weight in ((4, DELTA), (6, 1 - DELTA)):
        for matcher, weight in enumerate(MATCHER_WEIGHTS):
            at = first + 4 * matcher
            weighted += columns[at : at + 2] * weight * kind_weight
    matched = columns[21:23]
    complete = (words == matched).all(axis=0) & (chunks == 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision, recall = weighted / length
        mean = 1 / ((1 - ALPHA) / precision + ALPHA / recall)
        fragmentation = np.where(complete, 0, chunks / ((matched[0] + matched[1]) / 2))
        scores = mean * (1 - GAMMA * power(fragmentation, BETA))
    return np.where(scores > 0, scores, 0.0)
