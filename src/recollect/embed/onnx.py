"""The same model run by onnxruntime: its graph is written from our own weights when it is first needed.

Nothing more ships, and the `onnx` package is not needed: an ONNX file is a protobuf message, and what we need of it are
the few fields below (onnx.proto3 of the ONNX project has them all).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

import numpy as np

from recollect.embed.transformer import AT_ONCE, HEADS, LAYERS, WIDTH, First, Floats, Weights
from recollect.errors import MissingDependency, ModelError

EPSILON = 1e-12

A_RUN = 12
"""To run the model once more costs as much as about so many pieces: all its weights are read from memory anew."""

_FLOAT, _INT32 = 1, 6
_FUSED = "com.microsoft"  # onnxruntime's own operators, which do several steps in one


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes | str) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(raw)) + raw


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _tensor(name: str, values: Floats) -> bytes:
    dims = b"".join(_number(1, size) for size in values.shape)
    return dims + _number(2, _FLOAT) + _bytes(8, name) + _bytes(9, values.astype("<f4").tobytes())


def _attribute(name: str, value: int | float) -> bytes:
    if isinstance(value, int):
        return _bytes(1, name) + _number(3, value) + _number(20, 2)
    return _bytes(1, name) + _varint(2 << 3 | 5) + struct.pack("<f", value) + _number(20, 1)


def _node(kind: str, inputs: Sequence[str], output: str, domain: str = "", **settings: float) -> bytes:
    names = b"".join(_bytes(1, each) for each in inputs) + _bytes(2, output)
    attributes = b"".join(_bytes(5, _attribute(name, value)) for name, value in settings.items())
    return names + _bytes(4, kind) + attributes + _bytes(7, domain)


def _value(name: str, kind: int, *dims: str | int) -> bytes:
    sizes = [_number(1, dim) if isinstance(dim, int) else _bytes(2, dim) for dim in dims]
    shape = b"".join(_bytes(1, size) for size in sizes)
    return _bytes(1, name) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, shape)))


def _layer(name: str, x: str) -> list[bytes]:
    """The nodes of one transformer block, from x to name + "y"."""

    def at(part: str) -> str:
        return name + part

    def join(into: str, after: str, norm: str, kept: str) -> list[bytes]:
        # In three steps: the operator that does them in one, SkipLayerNormalization, takes five times as long.
        moved, total = at(into + ".moved"), at(into + ".total")
        return [
            _node("Add", [after, at(into + ".bias")], moved),
            _node("Add", [moved, kept], total),
            _node("LayerNormalization", [total, at(norm + ".weight"), at(norm + ".bias")], at(norm), epsilon=EPSILON),
        ]

    heads = [x, at("qkv.weight"), at("qkv.bias"), "lengths"]
    return [
        _node("Attention", heads, at("mixed"), _FUSED, num_heads=HEADS, scale=1.0),
        _node("MatMul", [at("mixed"), at("out.weight")], at("out")),
        *join("out", at("out"), "out_norm", x),
        _node("MatMul", [at("out_norm"), at("up.weight")], at("up")),
        _node("FastGelu", [at("up"), at("up.bias")], at("gelu"), _FUSED),
        _node("MatMul", [at("gelu"), at("down.weight")], at("down")),
        *join("down", at("down"), "norm", at("out_norm")),
    ]


def _tensors(weights: Weights, name: str) -> list[bytes]:
    """The weights of one transformer block, as float32."""
    found = []
    for part in ("qkv", "out", "up", "down"):
        linear = weights.linear(name + part)
        found += [_tensor(f"{name}{part}.weight", linear.weight), _tensor(f"{name}{part}.bias", linear.bias)]
    for part in ("out_norm", "norm"):
        norm = weights.norm(name + part)
        found += [_tensor(f"{name}{part}.weight", norm.weight), _tensor(f"{name}{part}.bias", norm.bias)]
    return found


def onnx_model(weights: Weights) -> bytes:
    """The model as an ONNX file: from what goes into the first layer to what comes out of the last."""
    x, parts = "x", [_bytes(2, "minilm")]
    for number in range(LAYERS):
        name = f"layer.{number}."
        parts += [_bytes(1, node) for node in _layer(name, x)]
        parts += [_bytes(5, tensor) for tensor in _tensors(weights, name)]
        x = name + "norm"
    # One vector a piece, of texts padded to the longest, and how many pieces each text has: nothing takes anything from
    # what it is padded with.
    given, made = (_value(name, _FLOAT, "texts", "pieces", WIDTH) for name in ("x", x))
    parts += [_bytes(11, given), _bytes(11, _value("lengths", _INT32, "texts")), _bytes(12, made)]
    versions = [_bytes(1, "") + _number(2, 17), _bytes(1, _FUSED) + _number(2, 1)]
    return b"".join([_number(1, 8), _bytes(7, b"".join(parts)), *(_bytes(8, each) for each in versions)])


class OnnxTransformer:
    """Runs the model with onnxruntime, on one thread."""

    def __init__(self, weights: Weights) -> None:
        try:
            import onnxruntime
        except ImportError as error:
            raise MissingDependency("onnxruntime is not installed: pip install 'recollect[fast]'") from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Steps that are worth doing in one are written so; the others would be joined to slower ones.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        try:
            self._session = onnxruntime.InferenceSession(onnx_model(weights), options, ["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime has a tree of errors of its own, all bound to its C++ side
            raise ModelError(
                f"onnxruntime {onnxruntime.__version__} can't load the model: {error}; upgrade or uninstall it"
            ) from error
        self._first = First(weights)

    def run(self, texts: Sequence[Sequence[int]]) -> Iterator[tuple[int, Floats]]:
        """The place of each text and the last layer's vectors of its pieces; short texts come first."""
        for batch in together([len(text) for text in texts]):
            some = [texts[at] for at in batch]
            for at, states in zip(batch, self._run(some), strict=True):
                yield at, states[: len(texts[at])]

    def _run(self, texts: Sequence[Sequence[int]]) -> Floats:
        """The last layer's vectors of some texts, padded to the longest."""
        lengths = np.array([len(text) for text in texts], np.int32)
        x = np.zeros((len(texts), lengths.max(), WIDTH), np.float32)
        x[np.arange(lengths.max()) < lengths[:, None]] = self._first(texts)
        return np.asarray(self._session.run(None, {"x": x, "lengths": lengths})[0])


def together(lengths: Sequence[int]) -> Iterator[list[int]]:
    """The places of texts of these lengths, short ones first: as many at a time as make one matrix, unless to pad those
    before to the next one's length costs more than to run the model once more."""
    batch: list[int] = []
    for at in sorted(range(len(lengths)), key=lengths.__getitem__):
        longest = lengths[batch[-1]] if batch else 0
        if batch and (len(batch) * longest >= AT_ONCE or len(batch) * (lengths[at] - longest) > A_RUN):
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch
