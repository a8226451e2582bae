"""The routes, one file for each group of verbs."""

from __future__ import annotations

from fastapi import APIRouter, Depends

from recollect.server.bodies import Also, OwnerInPath
from recollect.server.service import Guarded


async def owner_in_path(owner: OwnerInPath) -> None:
    """Every route below an owner has them in its path. (Not a plain function: FastAPI would ask a thread for it.)"""


async def also_in_query(also: Also = None) -> None:
    """Every route that reads may read from others too."""


def owner_router(*, reads: bool) -> APIRouter:
    """A router for verbs of one owner."""
    needs = [Depends(owner_in_path), *([Depends(also_in_query)] if reads else [])]
    return APIRouter(prefix="/v1/owners/{owner}", route_class=Guarded, dependencies=needs)
