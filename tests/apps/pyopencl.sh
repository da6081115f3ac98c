#!/bin/bash
# SPDX-License-Identifier: MIT
#
# usage: pyopencl.sh CLANG
# PyOpenCL's arrays, reductions, scans, element-wise kernels and events, against numpy: pyopencl_test.py.
# shellcheck source=tests/apps/common.sh
source "$(dirname "$0")/common.sh"
if ! /usr/bin/python3 -c 'import pyopencl' 2>"$output"; then
	[[ ${WEFT_REQUIRE_APPS:-0} != 1 ]] || fail "python3-pyopencl does not work: $(tail -n 1 "$output")"
	echo "skipped: python3-pyopencl is not installed"
	exit 77
fi
run 280 /usr/bin/python3 "$(dirname "$0")/pyopencl_test.py" "$platform" "$1"
cat "$output"
