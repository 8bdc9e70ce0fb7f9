"""Names: no two rooms export the same one, and nothing hides the module it is in."""

import ast
from collections import defaultdict

from package_modules import FILES, PACKAGE, tree

DOORS = ("compat", "rewards")
"""Rooms whose classes have the names that other libraries, or metrics, gave them."""


def test_no_two_rooms_export_a_name() -> None:
    places = defaultdict(list)
    for path, module in zip(FILES, map(tree, FILES)):
        place = path.relative_to(PACKAGE)
        room = place.parts[0]
        if path.name != "__init__.py" or room in ("__init__.py", *DOORS):
            continue
        for node in module.body:
            match node:
                case (
                    ast.Assign(targets=[ast.Name(id="__all__")], value=names)
                    | ast.AugAssign(target=ast.Name(id="__all__"), value=names)
                ):
                    for name in ast.literal_eval(names):
                        places[name].append(place.as_posix())

    assert {name: own for name, own in places.items() if len(own) > 1} == {}


def test_nothing_hides_its_module() -> None:
    hidden = [
        f"{path.relative_to(PACKAGE)}: {node.name}"
        for path, module in zip(FILES, map(tree, FILES))
        for node in module.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and node.name == (path.parent.name if path.name == "__init__.py" else path.stem)
    ]

    assert hidden == []
