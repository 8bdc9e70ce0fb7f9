"""The errors a user can cause; the command line prints them and exits with 2."""


class SpicepyError(Exception):
    """Base of every error spicepy raises on purpose."""


class InputError(SpicepyError, ValueError):
    """A captions file, image id, caption or option value is wrong."""


class GrammarError(SpicepyError, ValueError):
    """A grammar, word list or categories file is wrong; lists every fault."""


class ResourceError(SpicepyError, RuntimeError):
    """A model, WordNet corpus or other resource is missing or unusable."""


class SpicepyWarning(UserWarning):
    """The numbers are right but unlikely to mean what the user expects."""
