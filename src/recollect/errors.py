"""The error tree: everything Recollect raises on purpose is a RecollectError."""


class RecollectError(Exception):
    """The root of every error that Recollect raises on purpose."""


class NotFound(RecollectError, LookupError):
    """There is no such record for this owner."""


class InvalidInput(RecollectError, ValueError):
    """What the caller passed can't be used."""


class NotAllowed(RecollectError, PermissionError):
    """This caller may not do that."""


class MissingDependency(RecollectError, ImportError):
    """An optional package is not installed."""


class StoreError(RecollectError):
    """The store refused, is damaged, is full, or is not ours."""


class Interrupted(StoreError):
    """The store took a write back and kept nothing of it: the same call may be made again."""


class ModelError(RecollectError):
    """An embedder, a reader or a chat model failed."""
