#!/bin/bash
# SPDX-License-Identifier: MIT
#
# symbols.sh LIBWEFT LIBWEFT_COMPILER WEFT_MAP LIBWEFT_SCHEDULE: libweft.so needs neither LLVM nor C++ and exports what weft.map lists
# and nothing else; the compiler's library exports one symbol and needs no shared LLVM; libweft-schedule.so needs
# neither, and exports its functions. None of them reads the environment of a program that has more rights than its user.
set -euo pipefail
library=$1 compiler=$2 map=$3 schedule=$4

fail()
{
	echo "FAILED: $*" >&2
	exit 1
}

needed()
{
	readelf --dynamic --wide "$1" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p'
}

exported()
{
	nm --dynamic --defined-only --format=posix "$1" | awk '$2 != "A" { sub(/@.*/, "", $1); print $1 }' | sort
}

if needed "$library" | grep -Ei 'llvm|clang|lld|stdc\+\+|weft'; then
	fail "libweft.so needs that"
fi
if needed "$compiler" | grep -Ei 'llvm|clang|lld|weft'; then
	fail "libweft-compiler.so needs that"
fi
wanted=$(sed -nE '/global:/,/local:/s/^[[:space:]]*(\w+);.*/\1/p' "$map" | sort)
[[ $(wc -l <<<"$wanted") == 5 ]] || fail "$map does not list five symbols"
diff <(echo "$wanted") <(exported "$library") || fail "libweft.so exports something else"
diff <(echo weft_compiler) <(exported "$compiler") || fail "libweft-compiler.so exports something else"
if needed "$schedule" | grep -Ei 'llvm|clang|lld|stdc\+\+|weft|opencl'; then
	fail "libweft-schedule.so needs that"
fi
if exported "$schedule" | grep -v '^weft_schedule_'; then
	fail "libweft-schedule.so exports that"
fi
for file in "$library" "$compiler" "$schedule"; do
	if nm --dynamic --undefined-only --format=posix "$file" | grep -E '^getenv\b'; then
		fail "$file reads the environment by getenv, not secure_getenv"
	fi
done
readelf --dynamic --wide "$library" | grep -q TEXTREL && fail "libweft.so has text relocations"
echo "libweft.so needs $(needed "$library" | xargs) and exports:" && exported "$library"
