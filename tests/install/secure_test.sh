#!/bin/bash
# SPDX-License-Identifier: MIT
#
# secure_test.sh PROGRAM COMPILER: a program that runs with more rights than its user has does nothing that its user's
# environment says. PROGRAM, with the driver linked in, is run by `nobody`: as it is, where the environment counts, and
# set-uid. Needs root to make it so.
set -euo pipefail
program=$1 compiler=$2
if [[ $(id -u) != 0 ]]; then
	[[ ${WEFT_REQUIRE_APPS:-0} != 1 ]] || { echo "FAILED: this needs root" >&2; exit 1; }
	echo "skipped: this needs root"
	exit 77
fi
scratch=$(mktemp -d "${TMPDIR:-/tmp}/weft-secure.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"

fail()
{
	echo "FAILED: $*" >&2
	exit 1
}

mkdir -m 755 "$scratch/bin"
mkdir -m 777 "$scratch/out"
cp "$compiler" "$scratch/bin/libweft-compiler.so"
cp "$program" "$scratch/bin/plain"
cp "$program" "$scratch/bin/raised"
chmod 755 "$scratch"/bin/*
chmod u+s "$scratch/bin/raised"

# by_nobody PROGRAM VARIABLE=VALUE…: what it says and what it leaves in out/, in $said and $left.
by_nobody()
{
	local name=$1
	shift
	rm -rf "$scratch/out"
	mkdir -m 777 "$scratch/out" "$scratch/out/kernels"
	said=$(cd "$scratch/out" && env -i PATH="$PATH" "$@" setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$scratch/bin/$name" 2>&1) || true
	left=$(cd "$scratch/out" && find . -mindepth 1 ! -path ./kernels | sort)
}

# What each variable does to a program without other rights.
out=$scratch/out
honoured=("WEFT_TRACE=$out/trace.json" "WEFT_KERNEL_FILES=$out/kernels" "WEFT_CACHE_DIR=$out/cache"
	"XDG_CACHE_HOME=$out/xdg" "HOME=$out")
for setting in "${honoured[@]}"; do
	by_nobody plain "$setting"
	[[ $said == right ]] || fail "$setting: $said"
	[[ -n $left ]] || fail "$setting does nothing"
done
by_nobody plain WEFT_COMPILER=/nowhere WEFT_CACHE=0
[[ $said != *right* ]] || fail "WEFT_COMPILER does nothing"
by_nobody plain WEFT_HELP=1
[[ $said == *WEFT_CACHE_DIR* ]] || fail "WEFT_HELP does nothing"

# And to one that has them: nothing.
by_nobody raised "${honoured[@]}" WEFT_COMPILER=/nowhere WEFT_HELP=1 WEFT_LOG=debug LLD_REPRODUCE="$out/reproduce.tar"
[[ $said == right ]] || fail "the set-uid program (is $scratch mounted with nosuid?) says: $said"
[[ -z $left ]] || fail "the set-uid program wrote: $left"
echo "passed"
