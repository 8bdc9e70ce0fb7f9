"""Numbers with their nouns, in messages and below tables: 1 image, 2,000 images."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number and what it counts, in the singular or plural.

    Args:
        number: How many there are.
        one: The words for one of them: "image", "block is".
        many: The words for several; `one` with an s by default.

    Example:
        >>> counted(1, "image"), counted(2000, "image"), counted(2, "class", "classes")
        ('1 image', '2,000 images', '2 classes')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
