"""The module that `pycocoevalcap.cider` has."""
