"""POPE: answers to yes-or-no questions about objects.

An answer is read as the published script reads it: its first sentence, without commas,
is "no" if one of its words is "No", "no" or "not", and else "yes".

Source: Li et al. 2023, Evaluating Object Hallucination in Large Vision-Language Models,
section 4.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from spicepy.captions.reading import is_lines, kind_of
from spicepy.captions.records import LocatedRecord, an_object, json_lines
from spicepy.captions.sample import first
from spicepy.common import __version__
from spicepy.common.errors import InputError, brief, counted
from spicepy.common.files import check_distinct_inputs, load_json, name_of, read_text
from spicepy.common.tables import Cells, Table
from spicepy.common.writing import Displayed
from spicepy.metrics.significance import wilson

_NO: Final = frozenset(["No", "not", "no"])
_YES_OR_NO: Final = frozenset(["yes", "no", "not"])
_WORD: Final = re.compile(r"\w+")
_ANSWER: Final = ("answer", "text", "response", "output")
_ID: Final = "question_id"
_SIGNATURE: Final = f"POPE|answers:published-rule|spicepy:{__version__}"


@dataclass(frozen=True, slots=True, repr=False)
class PopeResult(Displayed):
    """Answers compared with the right ones."""

    # true_yes, false_yes: Answers "yes" that are right and wrong.
    true_yes: int
    false_yes: int
    # true_no, false_no: Answers "no" that are right and wrong.
    true_no: int
    false_no: int
    # Answers without a yes or no among their words; the published rule reads most of
    # them as "yes".
    unclear: int = 0

    @property
    def questions(self) -> int:
        """The number of questions."""
        return self.true_yes + self.false_yes + self.true_no + self.false_no

    def scores(self) -> dict[str, float | None]:
        """Return the scores, 0-1; None where undefined."""
        yes, right = self.true_yes + self.false_yes, self.true_yes + self.true_no
        precision = _share(self.true_yes, yes)
        recall = _share(self.true_yes, self.true_yes + self.false_no)
        f1 = None
        if precision and recall:  # in the order of the script, to the last bit
            f1 = 2 * precision * recall / (precision + recall)
        elif yes + self.false_no:
            f1 = 0.0
        return {
            "accuracy": _share(right, self.questions),
            "precision": precision,
            "recall": recall,
            "f1": f1,
            "yes-rate": _share(yes, self.questions),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready values."""
        counts = {
            "true-yes": self.true_yes,
            "false-yes": self.false_yes,
            "true-no": self.true_no,
            "false-no": self.false_no,
            "unclear": self.unclear,
        }
        known = {"signature": _SIGNATURE, "questions": self.questions}
        return {**known, **self.scores(), **counts}

    def tables(self) -> tuple[Table, ...]:
        """Return the scores, with intervals for shares of questions."""
        yes = self.true_yes + self.false_yes
        parts = {
            "accuracy": (self.true_yes + self.true_no, self.questions),
            "precision": (self.true_yes, yes),
            "recall": (self.true_yes, self.true_yes + self.false_no),
            "yes-rate": (yes, self.questions),
        }
        rows: list[Cells] = []
        for name, score in self.scores().items():
            interval = wilson(*parts[name]) if name in parts else None
            rows.append((name, score, *(interval or (None, None))))
        notes: tuple[str, ...] = (
            f"{counted(self.questions, 'question')}; 95 % intervals (Wilson)",
            f"yes, right {self.true_yes:,} and wrong {self.false_yes:,}; "
            f"no, right {self.true_no:,} and wrong {self.false_no:,}",
        )
        if self.unclear:
            one = "answer has neither yes nor no, and is"
            many = "answers have neither yes nor no, and are"
            how = counted(self.unclear, one, many)
            notes += (f"{how} read by the published rule",)
        columns = ("Score", "value", "from", "to")
        notes += (_SIGNATURE,)
        return (Table("POPE", columns, rows, notes, signature=_SIGNATURE),)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


@dataclass(frozen=True, slots=True, repr=False)
class PopeSplits(Displayed):
    """The results of several splits, such as random, popular and adversarial."""

    splits: Mapping[str, PopeResult]

    def means(self) -> dict[str, float | None]:
        """Return the mean of each score over the splits; None if one is undefined."""
        each = [result.scores() for result in self.splits.values()]
        means: dict[str, float | None] = {}
        for name in each[0]:
            defined = [v for one in each if (v := one[name]) is not None]
            whole = len(defined) == len(each)
            means[name] = sum(defined) / len(defined) if whole else None
        return means

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready values: each split, and the mean."""
        splits = {name: result.to_dict() for name, result in self.splits.items()}
        return {"signature": _SIGNATURE, "splits": splits, "mean": self.means()}

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each split, and the mean."""
        means = self.means()
        rows: list[Cells] = [
            (name, *result.scores().values(), result.unclear)
            for name, result in self.splits.items()
        ]
        unclear = sum(result.unclear for result in self.splits.values())
        rows.append(("mean", *means.values(), unclear))
        note = "unclear: answers with neither yes nor no, read by the published rule"
        columns, notes = ("Split", *means, "unclear"), (note, _SIGNATURE)
        return (Table("POPE", columns, rows, notes, signature=_SIGNATURE),)


def measure_splits(
    answers: str | Path, questions: Sequence[str | Path] = ()
) -> PopeResult | PopeSplits:
    """Score a file of answers to the questions of one split, or of several."""
    # Answers to several splits are matched by ids if no id occurs in two splits, else
    # they stand in the order of the files of questions. Without questions, the answers
    # are samples as lmms-eval logs them, with the right answer and the split in each.
    if not questions:
        return _by_category(_records(answers))
    check_distinct_inputs(questions)
    if len(questions) == 1:
        return measure_pope(answers, questions[0])
    files = {str(path): _records(path) for path in questions}
    asked = [record for records in files.values() for record in records]
    texts = iter(_in_order(asked, _records(answers), "the questions", str(answers)))
    names = [Path(file).name.split(".")[0] for file in files]
    shown_names = names if len(set(names)) == len(names) else list(files)
    return PopeSplits(
        {
            name: _result([next(texts) for _ in records], records)
            for name, records in zip(shown_names, files.values())
        }
    )


def measure_pope(answers: str | Path, questions: str | Path) -> PopeResult:
    """Score a file of answers; both files are JSON lines or a list."""
    # Answers have "answer" (or "text"), questions "label" ("yes" or "no"); where the
    # orders differ, both have "question_id". Each question must have one answer.
    asked, given = _records(questions), _records(answers)
    return _result(_in_order(asked, given, str(questions), str(answers)), asked)


def _by_category(records: Sequence[LocatedRecord]) -> PopeResult | PopeSplits:
    splits: dict[str, list[LocatedRecord]] = {}
    for where, record in records:
        if not isinstance(record.get("filtered_resps"), list) or "target" not in record:
            raise InputError(
                f"{where}: not a sample of lmms-eval ('filtered_resps', 'target'), "
                "which has the right answer; give the files of questions"
            )
        doc = record.get("doc")
        split = doc.get("category") if isinstance(doc, dict) else None
        sample = {
            "answer": next(iter(record["filtered_resps"]), None),
            "label": record["target"],
        }
        splits.setdefault(str(split or "all"), []).append((where, sample))
    results = {
        name: _result([_text(record, where) for where, record in asked], asked)
        for name, asked in splits.items()
    }
    return PopeSplits(results) if len(results) > 1 else next(iter(results.values()))


def _result(texts: Sequence[str], asked: Sequence[LocatedRecord]) -> PopeResult:
    labels = [_label(record, where) for where, record in asked]
    pairs = list(zip((says_yes(text) for text in texts), labels, strict=True))
    return PopeResult(
        pairs.count((True, True)),
        pairs.count((True, False)),
        pairs.count((False, False)),
        pairs.count((False, True)),
        sum(not _YES_OR_NO & set(_WORD.findall(text.lower())) for text in texts),
    )


def says_yes(answer: str) -> bool:
    """Return whether an answer says yes, as the published script reads it."""
    sentence = answer.split(".")[0].replace(",", "")
    return not _NO & set(sentence.split(" "))


def _records(path: str | Path) -> list[LocatedRecord]:
    text, name = read_text(path), name_of(path)
    if is_lines(text, kind_of(path)):
        records = list(json_lines(text.split("\n"), name))
    else:
        data = load_json(text, name)
        data = [data] if isinstance(data, dict) else data  # one line
        if not isinstance(data, list):
            raise InputError(
                f"{name}: expected a list or JSON lines, found {brief(data)}"
            )
        records = [an_object(r, f"{name}, entry {k}") for k, r in enumerate(data, 1)]
    if not records:
        raise InputError(f"{name}: the file is empty")
    return records


def _label(record: Mapping[str, Any], where: str) -> bool:
    label = first(record, ("label",), where)
    if not isinstance(label, str) or label.strip().lower() not in ("yes", "no"):
        raise InputError(
            f'{where}: the label is {brief(label)}; it must be "yes" or "no"'
        )
    return label.strip().lower() == "yes"


def _in_order(
    asked: Sequence[LocatedRecord],
    given: Sequence[LocatedRecord],
    questions: str,
    answers: str,
) -> list[str]:
    """Return the answer to each question, matched by ids or, without ids, by order."""
    texts = [_text(record, where) for where, record in given]
    if all(_ID in record for _, record in (*asked, *given)):
        by_id: dict[Any, str] = {}
        for (where, record), text in zip(given, texts):
            if str(record[_ID]) in by_id:
                raise InputError(
                    f"{where}: question {brief(record[_ID])} is answered twice"
                )
            by_id[str(record[_ID])] = text
        ids = [str(record[_ID]) for _, record in asked]
        if len(set(ids)) == len(ids):
            return _by_id(ids, by_id, questions, answers)
    if len(asked) != len(given):
        raise InputError(
            f"{answers} has {counted(len(given), 'answer')}, {questions} "
            f"{counted(len(asked), 'question')}"
        )
    _check_prompts(asked, given)
    return texts


def _check_prompts(
    asked: Sequence[LocatedRecord], given: Sequence[LocatedRecord]
) -> None:
    """Refuse answers in another order, as prompts that LLaVA keeps in them show."""
    repeats = [
        "prompt" not in answer or str(question.get("text", "")) in str(answer["prompt"])
        for (_, question), (_, answer) in zip(asked, given)
    ]
    if any(repeats) and not all(repeats):  # prompts may all be worded otherwise
        at = repeats.index(False)
        raise InputError(
            f"{given[at][0]} answers another question than {asked[at][0]}; give the "
            "files of questions in the order in which they were answered"
        )


def _by_id(
    ids: Sequence[str], by_id: Mapping[str, str], questions: str, answers: str
) -> list[str]:
    missing = [name for name in ids if name not in by_id]
    if missing:
        raise InputError(
            f"{answers}: {counted(len(missing), 'question')} of {questions} without "
            f"an answer; the first is {brief(missing[0])}"
        )
    further = sorted(by_id.keys() - set(ids))
    if further:
        raise InputError(
            f"{answers}: the answer to {brief(further[0])} belongs to no question of "
            f"{questions}"
        )
    return [by_id[name] for name in ids]


def _text(record: Mapping[str, Any], where: str) -> str:
    text = first(record, _ANSWER, where)
    if not isinstance(text, str):
        raise InputError(f"{where}: the answer is {brief(text)}; it must be a string")
    return text
