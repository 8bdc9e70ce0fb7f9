"""The order of Java's hash maps, which the original programs iterate.

A map has 16 buckets, doubled for as long as more than three quarters of them are used,
and its entries come bucket by bucket.
"""


def buckets(entries: int) -> int:
    """Return the number of buckets of a map: a power of two, at least 16."""
    size = 16
    while entries > size * 3 // 4:
        size *= 2
    return size


def string_hash(text: str) -> int:
    """Return a string's hash code, unsigned: a polynomial in 31 over UTF-16 units."""
    if text.isascii():
        units = list(text.encode())
    else:
        units = list(memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H"))
    value = 0
    for unit in units:
        value = value * 31 + unit & 0xFFFFFFFF
    return value


def spread(code: int) -> int:
    """Return a hash code with its upper half folded in, as a map takes it."""
    return code ^ (code >> 16)
