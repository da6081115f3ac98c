# SPDX-License-Identifier: MIT
"""Several sources of C as one: headers once, then the sources, in which each thing that is static has a name of its own."""

import collections
import pathlib
import re

HEADER = re.compile(r'^#include (<.+>|".+\.h")$', re.MULTILINE)
BESIDE = re.compile(r'(?<=^#include ")[^"]+', re.MULTILINE)
DEFINE = re.compile(r"^#\s*define (\w+)", re.MULTILINE)
MAIN = re.compile(r"^int main(\(.*\))$", re.MULTILINE)
# What can have another name, and what cannot: tags of structures, names of types, enumerators.
STATIC = re.compile(r"^static (?:[\w* ]|__attribute__\(\(.*?\)\))*[ *)](\w+)(?:\[.*\])*(?= =|[(;,]|$)", re.MULTILINE)
TYPE = re.compile(r"^(?:\w+ )*((?:struct|union|enum) \w+) \{$|^\} (\w+);|^typedef .*?(\w+)\)?(?:\(.*)?;$", re.MULTILINE)
STRUCTURE = re.compile(r"^((?:[\w ]+ )?(?:struct|union)(?: \w+)? \{\n.*?^\})", re.MULTILINE | re.DOTALL)
WORD = re.compile(r"^#include.*|(?<![.>\w])(?<!struct )(?<!union )(?<!enum )\w+", re.MULTILINE)
ENUM = re.compile(r"^enum (?:\w+ )?\{(.*?)\}", re.MULTILINE | re.DOTALL)
ENUMERATOR = re.compile(r"(\w+)(?: = [^,}]*)?(?=,|\s*$)")


def settings(text):
    """The macros that a source defines before its last header: what they change may differ in other sources."""
    last = max((found.start() for found in HEADER.finditer(text)), default=0)
    return tuple(line for line in text[:last].splitlines() if line.startswith("#define"))


def own_names(text):
    """What can have another name."""
    return {"main", *STATIC.findall(text)}


def fixed_names(text):
    """What two sources of a unit may not both define."""
    names = {name for found in TYPE.findall(text) for name in found if name}
    return names.union(*(ENUMERATOR.findall(body) for body in ENUM.findall(text)))


def place(source, name):
    """What an include names, good in any folder."""
    beside = pathlib.Path(source).parent / name
    return str(beside) if beside.exists() else name


def headers(source, text):
    """The lines that include headers."""
    for header in HEADER.findall(text):
        yield f'#include "{place(source, header[1:-1])}"' if header[0] == '"' else f"#include {header}"


def rename(text, number, taken):
    """The text with other names for its own things if they are taken. Structures and their members keep theirs."""
    names = own_names(text) & taken | {"main"}
    parts = STRUCTURE.split(text)
    parts[::2] = [WORD.sub(lambda found: f"{found[0]}_{number}" if found[0] in names else found[0], part) for part in parts[::2]]
    return "".join(parts)


def write_unit(sources, folder):
    """Writes the unit and its parts into the folder; gives the unit's path and the part's source by its path. Lines stay where
    they are."""
    unit, parts = [], {}
    texts = [pathlib.Path(source).read_text() for source in sources]
    words = collections.Counter(word for text in texts for word in set(re.findall(r"\w+", text)))
    taken = {word for word, count in words.items() if count > 1}
    for source, text in zip(sources, texts):
        unit += headers(source, text)
    unit = list(dict.fromkeys(unit))
    for number, (source, text) in enumerate(zip(sources, texts)):
        unit += [f"int main_{number}{arguments};" for arguments in MAIN.findall(text)]
        text = HEADER.sub("", text)
        text = BESIDE.sub(lambda found, source=source: place(source, found[0]), text)
        part = folder / f"{number}.c"
        part.write_text(rename(text, number, taken))
        parts[str(part)] = source
        unit.append(f'#include "{part}" // NOLINT(bugprone-suspicious-include)')
        unit += [f"#undef {name}" for name in dict.fromkeys(DEFINE.findall(text))]
    path = folder / "unit.c"
    path.write_text("\n".join(unit) + "\n")
    return path, parts
