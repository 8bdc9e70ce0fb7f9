"""Expected values: the colours, sizes … that references give the things of a class."""

from collections import Counter
from functools import cached_property

from spicepy.diagnosis.alignment import AlignedScene, ObjectClass
from spicepy.diagnosis.findings import Observation, Verdict
from spicepy.diagnosis.lexicon.aspects import Aspect, Value


class ExpectedValues:
    """The values of one aspect that the references give a class.

    Args:
        scene: The image.
        group: The class.
        aspect: The aspect.
    """

    def __init__(self, scene: AlignedScene, group: ObjectClass, aspect: Aspect) -> None:
        self.scene, self.group, self.aspect = scene, group, aspect

    @cached_property
    def numbers(self) -> Counter[Value]:
        """Value -> the number of references that say it."""
        numbers: Counter[Value] = Counter()
        for values in filter(None, self._of_reference):
            numbers.update(dict.fromkeys(values).keys())
        return numbers

    @cached_property
    def support(self) -> int:
        """The number of references that give a value; some give several."""
        return sum(map(bool, self._of_reference))

    @property
    def most_said(self) -> Value:
        """The value that most references say."""
        return self.numbers.most_common(1)[0][0]

    @cached_property
    def _of_reference(self) -> list[list[Value]]:
        values, aspect = self.scene.values, self.aspect
        of = self.group.of_reference
        return [[v for thing in own for v in values(thing, aspect)] for own in of]

    def observe(
        self, value: Value, said: Value | None, verdict: Verdict
    ) -> Observation:
        """Return the observation with a verdict on the candidate's value.

        Args:
            value: The references' value.
            said: The candidate's value.
            verdict: Whether it is right.
        """
        return Observation(
            self.scene.image_id,
            self.aspect,
            self.group.name,
            value,
            said,
            verdict,
            self.support,
        )

    def unanswered(self) -> Observation:
        """Return the observation for a candidate that gives no value."""
        verdict: Verdict = "unsaid" if self.group.said else "absent"
        return self.observe(self.most_said, None, verdict)
