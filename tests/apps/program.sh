#!/bin/bash
# SPDX-License-Identifier: MIT
#
# program.sh NAME: runs programs/NAME_test.py, which uses a package of PyPI, or programs/NAME_test.cpp, which is compiled first.
# shellcheck source=tests/apps/common.sh
source "$(dirname "$0")/common.sh"
name=$1
test=$(cd "$(dirname "$0")" && pwd)/programs/${name}_test
if [[ -f $test.py ]]; then
	need_pypi
	command=("$pypi/bin/python" "$test.py")
else
	need g++
	if ! g++ -E -x c++ "$test.cpp" >/dev/null 2>"$output"; then
		[[ ${WEFT_REQUIRE_APPS:-0} != 1 ]] || fail "$(head -n 1 "$output")"
		echo "skipped: $(head -n 1 "$output")"
		exit 77
	fi
	run 600 g++ -O1 -w -DCL_TARGET_OPENCL_VERSION=120 -o "$scratch/test" "$test.cpp" -lOpenCL
	command=("$scratch/test")
fi
find_device
# tinygrad's device; a matplotlib that draws nothing.
export DEV=CL MPLBACKEND=agg
run 1700 "${command[@]}"
cat "$output"
