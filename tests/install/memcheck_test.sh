#!/bin/bash
# SPDX-License-Identifier: MIT
#
# memcheck_test.sh BUILD PROGRAM LIBDIR: installs BUILD and runs PROGRAM on it under valgrind's memcheck, with a cold and
# with a warm cache. Nothing may be reported but what comes from inside libweft-compiler.so, which the installed file of
# suppressions leaves out.
set -euo pipefail
build=$1 program=$2 libdir=$3
scratch=$(mktemp -d "${TMPDIR:-/tmp}/weft-memcheck.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

fail()
{
	echo "FAILED: $*" >&2
	exit 1
}

if ! command -v valgrind >/dev/null; then
	[[ ${WEFT_REQUIRE_APPS:-0} != 1 ]] || fail "valgrind is not installed"
	echo "skipped: valgrind is not installed"
	exit 77
fi
cmake --install "$build" --prefix "$scratch/weft" >"$scratch/log" || { cat "$scratch/log"; fail "cmake --install"; }
for variable in ${!WEFT_@} ${!OCL_ICD_@}; do
	unset "$variable"
done
export LD_LIBRARY_PATH=$scratch/weft/$libdir OCL_ICD_VENDORS=$scratch/weft/etc/OpenCL/vendors
export WEFT_CACHE_DIR=$scratch/cache

# Runs the program to its end.
memcheck()
{
	local said
	said=$(valgrind --log-file="$scratch/report" --suppressions="$scratch/weft/share/weft/valgrind.supp" \
		--leak-check=full --errors-for-leak-kinds=definite --show-leak-kinds=definite --error-exitcode=9 \
		"$program") || { cat "$scratch/report"; fail "$1: memcheck"; }
	[[ $said == right ]] || fail "$1: the program says: $said"
}

memcheck "cold cache"
[[ -n $(find "$scratch/cache" -name '*.weft') ]] || fail "nothing is in the cache"
memcheck "warm cache"
echo "passed"
