# SPDX-License-Identifier: MIT
"""One overload of a function in families.py, and its OpenCL C definition."""

from families import EACH, FLOATS, OWN_HALF, UNSIGNED

BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64,
        "ulong": 64, "half": 16, "float": 32, "double": 64}
_SIGNED_OF = {8: "char", 16: "short", 32: "int", 64: "long"}
_UNSIGNED_OF = {8: "uchar", 16: "ushort", 32: "uint", 64: "ulong"}
_MIN_NORMAL = {"half": "0x1p-14h", "float": "0x1p-126f", "double": "0x1p-1022"}

WRITABLE_SPACES = ("__private", "__generic", "__global", "__local")


def vector(element, n):
    """The name of a vector type, or of the scalar when n is 1."""
    return element if n == 1 else f"{element}{n}"


def lanes(n):
    """The component selectors of an n-vector."""
    return ["s" + "0123456789abcdef"[i] for i in range(n)]


class Overload:
    """One (function, signature, element type, size). The signature's letters: see families.py."""

    def __init__(self, name, signature, element, n, body):
        self.name, self.element, self.n, self.body = name, element, n, body
        result, arguments = signature.rstrip(")").split("(")
        self.result_letter = result
        self.letters = arguments.split(",")

    def type_of(self, letter, n=None):
        n = self.n if n is None else n
        bits = BITS[self.element]
        signed, unsigned = _SIGNED_OF[bits], _UNSIGNED_OF[bits]
        if letter in "HW":
            wide = _UNSIGNED_OF if self.element in UNSIGNED else _SIGNED_OF
            return vector(wide[2 * bits], n)
        return {"T": vector(self.element, n), "E": self.element, "S": vector(signed, n),
                "U": vector(unsigned, n), "I": vector("int", n), "F": vector("float", n),
                "R": "int" if n == 1 else vector(signed, n), "i": "int", "k": "uint"}[letter]

    def definitions(self):
        spaces = WRITABLE_SPACES if any(l[0] == "P" for l in self.letters) else (None,)
        result = []
        for space in spaces:
            text = self.definition(space)
            if text:
                result.append(text)
        return result

    def head(self, space):
        parameters = []
        for name, letter in zip("abcd", self.letters):
            if letter[0] == "P":
                parameters.append(f"{space} {self.type_of(letter[1])} *{name}")
            else:
                parameters.append(f"{self.type_of(letter)} {name}")
        return f"WEFT {self.type_of(self.result_letter)} {self.name}({', '.join(parameters)})"

    def definition(self, space):
        if self.body is EACH:
            if self.n > 1:
                text = self.each(space)
            elif space not in (None, "__private"):
                text = self.through_private()
            elif self.element == "half" and self.name not in OWN_HALF:
                text = self.through_float()
            else:
                return None  # the body
        else:
            text = f"return {self.expression()};"
        return f"{self.head(space)}\n{{\n\t{text}\n}}"

    def expression(self):
        bits = BITS[self.element]
        names = {letter: self.type_of(letter) for letter in "TESUIRF"}
        if bits < 64 and self.element not in FLOATS:
            names["W"] = self.type_of("W")
        if self.element in UNSIGNED:
            names.update(min="0", max=str(2 ** bits - 1) + "u")
        else:
            names.update(min=f"(-{2 ** (bits - 1) - 1} - 1)", max=str(2 ** (bits - 1) - 1))
        names.update(n=self.n, bits=bits, name=self.name, min_normal=_MIN_NORMAL.get(self.element))
        text = self.body
        for key, value in names.items():
            text = text.replace("{" + key + "}", str(value))
        return text.replace("CONVERT(", "CONVERT1(" if self.n == 1 else "CONVERTN(")

    def each(self, space):
        """The scalar function once per element; what pointers receive goes through a local vector."""
        setup, finish, temporaries = [], [], []
        for name, letter in zip("abcd", self.letters):
            if letter[0] == "P":
                setup.append(f"{self.type_of(letter[1])} out_{name}; {self.type_of(letter[1], 1)} one_{name};")
                finish.append(f"*{name} = out_{name};")
                temporaries.append(name)
        lines = [f"{self.type_of(self.result_letter)} r;"] + setup
        for lane in lanes(self.n):
            arguments = []
            for name, letter in zip("abcd", self.letters):
                if letter[0] == "P":
                    arguments.append(f"&one_{name}")
                elif letter in "Eik":
                    arguments.append(name)
                else:
                    arguments.append(f"{name}.{lane}")
            lines.append(f"r.{lane} = {self.name}({', '.join(arguments)});")
            lines += [f"out_{name}.{lane} = one_{name};" for name in temporaries]
        return "\n\t".join(lines + finish + ["return r;"])

    def through_private(self):
        """A scalar function that writes through a pointer, for the other address spaces."""
        lines, arguments, finish = [], [], []
        for name, letter in zip("abcd", self.letters):
            if letter[0] == "P":
                lines.append(f"{self.type_of(letter[1])} one_{name};")
                arguments.append(f"&one_{name}")
                finish.append(f"*{name} = one_{name};")
            else:
                arguments.append(name)
        lines.append(f"{self.type_of(self.result_letter)} r = {self.name}({', '.join(arguments)});")
        return "\n\t".join(lines + finish + ["return r;"])

    def through_float(self):
        """The half form of a scalar function: float's result, rounded."""
        lines, arguments, finish = [], [], []
        for name, letter in zip("abcd", self.letters):
            if letter == "PT":
                lines.append(f"float one_{name};")
                arguments.append(f"(__private float *)&one_{name}")
                finish.append(f"*{name} = (half)one_{name};")
            elif letter in "TE":
                arguments.append(f"(float){name}")
            else:
                arguments.append(name)
        result = self.type_of(self.result_letter)
        lines.append(f"{result} r = ({result}){self.name}({', '.join(arguments)});")
        return "\n\t".join(lines + finish + ["return r;"])
