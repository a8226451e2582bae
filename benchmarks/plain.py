"""Plain messages that each say one thing of their own, and the question that exactly one of them answers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

PEOPLE = (
    "Anna Bram Carla Dmitri Elif Farid Greta Hugo Ines Jonas Kaito Lena Marek Nadia Oscar Petra Quentin Rosa Stefan "
    "Tomas Ulla Viktor Wanda Ximena Yusuf Zoe Amara Boris Celine Dario Emeka Freya Goran Hanna Igor Jana Klaus Leila "
    "Mateo Noor"
).split()
KINDS = (
    "blue green red yellow wooden metal plastic leather woollen cotton broken spare folding electric heavy tiny round "
    "square painted rented borrowed antique striped silver muddy"
).split()
THINGS = (
    "kettle ladder lamp bicycle guitar tent suitcase umbrella drill camera blanket helmet bucket mirror clock stool "
    "hammer basket carpet radio telescope violin saddle toolbox sleigh canoe easel printer scarf backpack lantern rake "
    "trumpet teapot compass whistle anchor chisel hammock microscope"
).split()
PLACES = (
    "attic cellar garage garden pantry hallway office kitchen balcony workshop stable boathouse library studio barn "
    "warehouse shed wardrobe chapel greenhouse"
).split()


def plain_messages(many: int, seed: int = 7) -> Iterator[tuple[str, str]]:
    """So many pairs of a message and its question. No two messages are of the same thing, but many share its owner, its
    kind or its name: only the one that has all three answers."""
    chosen = random.Random(seed)
    for who, kind, thing in chosen.sample(list(product(PEOPLE, KINDS, THINGS)), many):
        place = chosen.choice(PLACES)
        yield f"{who} keeps the {kind} {thing} in the {place}.", f"Where does {who} keep the {kind} {thing}?"
