"""The network of `spicepy.parsing.bundled.network` as a torch module, to be trained.

In: word types of sentences of one length and their gold trees. Out: the three
losses; after training, the arrays that spicepy reads.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from spicepy.parsing.bundled.words import AFFIXES, MAX_HIDDEN

BFLOAT16 = bool(torch.cpu.get_capabilities().get("amx_bf16"))
"""Whether the processor multiplies matrices of numbers of 16 bits; then the LSTM layers
are twice as fast. They are run with 8 bits later (`spicepy.parsing`)."""

ROOT_PARTS = 2**20
"""The vector of the root is rounded to multiples of 1 divided by this number."""


@dataclass
class Dropout:
    """Dropout; a rate is a number of 256ths, since a random byte decides."""

    rate: float
    numbers: np.random.Generator

    def __call__(self, values: Tensor) -> Tensor:
        """Set a share of the values to 0 and enlarge the others."""
        dropped = round(256 * self.rate)
        if not dropped:
            return values
        random = np.frombuffer(self.numbers.bytes(values.numel()), np.uint8)
        kept = torch.from_numpy(random >= dropped).view(values.shape)
        return values * kept * (256 / (256 - dropped))


class CaptionNetwork(nn.Module):
    """Word vectors, bidirectional LSTM layers, and three linear heads.

    Args:
        words, tags, labels: Their numbers; word 0 stands for unknown ones.
        width: Size of a word's vector and of each direction of an LSTM layer.
        depth: LSTM layers.
        lookup: Size of a row in each lookup table.
        hidden: Size of a word's vector as dependent and as head.
    """

    def __init__(
        self,
        words: int,
        tags: int,
        labels: int,
        width: int,
        depth: int,
        lookup: int,
        hidden: int,
    ) -> None:
        super().__init__()
        sizes = [words, *(rows for rows, _ in AFFIXES.values())]
        self.tables = nn.ModuleList(nn.Embedding(size, lookup) for size in sizes)
        for table in self.tables:
            nn.init.normal_(table.weight, std=1.0)
        self.vector = nn.Linear(lookup * len(sizes), width)
        self.layers = nn.ModuleList(
            nn.LSTM(
                width if n == 0 else 2 * width,
                width,
                bidirectional=True,
                batch_first=True,
            )
            for n in range(depth)
        )
        self.tag = nn.Linear(2 * width, tags)
        self.roles = nn.ModuleList(nn.Linear(2 * width, hidden) for _ in range(4))
        self.arc = nn.Linear(hidden, hidden)
        self.head = nn.Linear(hidden, 1)
        self.label = nn.Linear(hidden, labels)
        self.root = nn.Parameter(torch.zeros(1, 1, 2 * width))
        self.distance = nn.Parameter(torch.zeros(65))

    def forward(
        self,
        rows: Tensor,
        types: Tensor,
        tags: Tensor,
        arcs: Tensor,
        heads: Tensor,
        labels: Tensor,
        drop: "Dropout",
    ) -> Tensor:
        """Return the losses of tags, heads and labels, means over the words.

        Args:
            rows: (types, tables) rows of each word type.
            types: (sentences, words) types of the words.
            tags: (sentences, words, tags) how likely each tag should be, 0-1.
            arcs: (sentences, words, words + 1) how likely each head should be, 0-1.
            heads: (sentences, words) heads of the words; 0 is the root.
            labels: (sentences, words) labels of the arcs.
            drop: Applied to every hidden layer.
        """
        parts = [table(rows[:, n]) for n, table in enumerate(self.tables)]
        states = torch.tanh(self.vector(torch.cat(parts, -1)))[types]
        for layer in self.layers:
            with torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
                states, _ = layer(drop(states))
            states = states.float()
        states = drop(states)

        def hidden(values: Tensor) -> Tensor:
            return drop(values.clamp(0, MAX_HIDDEN))

        sentences, words, _ = states.shape
        rooted = torch.cat([self.root.expand(sentences, 1, -1), states], 1)
        dependent = hidden(self.roles[0](states))
        head = hidden(self.roles[1](rooted))
        of_heads = self.arc(dependent) @ head.transpose(1, 2)
        of_heads = of_heads + self.head(head).transpose(1, 2) + self._bias(words)
        chosen = heads[..., None].expand(-1, -1, self.label.in_features)
        label_of_head = self.roles[3](rooted).gather(1, chosen)
        found = self.label(hidden(self.roles[2](states) + label_of_head))
        pairs = ((self.tag(states), tags), (of_heads, arcs))
        losses = [F.cross_entropy(x.flatten(0, 1), y.flatten(0, 1)) for x, y in pairs]
        label = F.cross_entropy(found.flatten(0, 1), labels.flatten())
        return torch.stack([*losses, label])

    def _bias(self, words: int) -> Tensor:
        offsets = torch.arange(words + 1)[None] - 1 - torch.arange(words)[:, None]
        places = offsets.clamp(-31, 31) + 32
        places[:, 0] = 0
        return self.distance[places]


def arrays_of(state: Mapping[str, Tensor]) -> dict[str, NDArray[np.float32]]:
    """Turn a `CaptionNetwork`'s state into the arrays of the bundled network."""
    names = ["word", *AFFIXES]
    arrays = {name: state[f"tables.{n}.weight"] for n, name in enumerate(names)}
    arrays["vector"] = state["vector.weight"].T
    arrays["vector bias"] = state["vector.bias"]
    depth = sum(name.endswith("weight_hh_l0") for name in state)
    for n in range(depth):
        sides = [f"layers.{n}.{{}}_l0", f"layers.{n}.{{}}_l0_reverse"]
        inputs, recurrent, bias, more = (
            torch.stack([_gates(state[side.format(name)]) for side in sides])
            for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        # What words add to the first layer is looked up.
        parts = [inputs, recurrent][n == 0 :]
        arrays[f"layer {n}"] = torch.cat(parts, 2).transpose(1, 2)
        if n == 0:
            arrays["words"] = inputs.transpose(1, 2)
        arrays[f"bias {n}"] = bias + more
    outputs = [f"roles.{n}" for n in range(4)] + ["tag"]
    arrays["roles"] = torch.cat([state[f"{name}.weight"] for name in outputs]).T
    arrays["roles bias"] = torch.cat([state[f"{name}.bias"] for name in outputs])
    for n, name in ((1, "root"), (3, "label root")):
        weights, bias = state[f"roles.{n}.weight"], state[f"roles.{n}.bias"]
        arrays[name] = weights @ state["root"][0, 0] + bias
    arrays["arc"] = state["arc.weight"].T
    # The score of a head whatever the dependent is one more bias.
    arrays["arc bias"] = state["arc.bias"] + state["head.weight"][0]
    arrays["label"] = state["label.weight"].T
    arrays["label bias"] = state["label.bias"]
    arrays["distance"] = state["distance"]
    return {name: tensor.detach().numpy() for name, tensor in arrays.items()}


def load_arrays(net: CaptionNetwork, arrays: Mapping[str, NDArray[np.float32]]) -> None:
    """Put arrays made by `arrays_of` back into a network of the same sizes."""
    found = {name: torch.tensor(array) for name, array in arrays.items()}
    state = {}
    for n, name in enumerate(("word", *AFFIXES)):
        state[f"tables.{n}.weight"] = found[name]
    state["vector.weight"], state["vector.bias"] = (
        found["vector"].T,
        found["vector bias"],
    )
    for n, layer in enumerate(net.layers):
        inputs = layer.input_size
        both = [found["words"]] if n == 0 else []
        both = torch.cat([*both, found[f"layer {n}"]], 1)
        for side, end in enumerate(("l0", "l0_reverse")):
            weights = both[side].T
            prefix = f"layers.{n}."
            state[f"{prefix}weight_ih_{end}"] = _gates(weights[:, :inputs], back=True)
            state[f"{prefix}weight_hh_{end}"] = _gates(weights[:, inputs:], back=True)
            bias = _gates(found[f"bias {n}"][side], back=True)
            state[f"{prefix}bias_ih_{end}"] = bias
            state[f"{prefix}bias_hh_{end}"] = torch.zeros_like(bias)
    hidden = net.arc.in_features
    for n in range(4):
        part = slice(n * hidden, (n + 1) * hidden)
        state[f"roles.{n}.weight"] = found["roles"][:, part].T
        state[f"roles.{n}.bias"] = found["roles bias"][part]
    state["tag.weight"] = found["roles"][:, 4 * hidden :].T
    state["tag.bias"] = found["roles bias"][4 * hidden :]
    state["arc.weight"], state["arc.bias"] = found["arc"].T, found["arc bias"]
    state["head.weight"] = torch.zeros(1, hidden)
    state["label.weight"], state["label.bias"] = found["label"].T, found["label bias"]
    state["distance"] = found["distance"]
    # The root's vector is known by what its two roles make of it. LAPACK's last bits
    # depend on where in memory its input lies, so they are rounded away.
    roles = torch.cat([state[f"roles.{n}.weight"] for n in (1, 3)])
    bias = torch.cat([state[f"roles.{n}.bias"] for n in (1, 3)])
    wanted = torch.cat([found["root"], found["label root"]]) - bias
    root = torch.linalg.lstsq(roles.double(), wanted[:, None].double()).solution
    state["root"] = (root.T[None] * ROOT_PARTS).round() / ROOT_PARTS
    net.load_state_dict(state, strict=False)


def _gates(weights: Tensor, *, back: bool = False) -> Tensor:
    """Reorder torch's i, f, g, o to i, f, o, g and halve those with a sigmoid."""
    if back:
        enter, keep, leave, new = weights.chunk(4)
        return torch.cat([enter * 2, keep * 2, new, leave * 2])
    enter, keep, new, leave = weights.chunk(4)
    return torch.cat([enter / 2, keep / 2, leave / 2, new])
