#!/bin/bash
# SPDX-License-Identifier: MIT
#
# PyOpenCL's own tests of its wrapper and of copies, from Debian's package of its documentation. None of those that use
# images is skipped.
# shellcheck source=tests/apps/common.sh
source "$(dirname "$0")/common.sh"
tests=/usr/share/doc/python-pyopencl-doc/examples
if [[ ! -f $tests/test_wrapper.py ]] || ! /usr/bin/python3 -c 'import pyopencl, pytest' 2>"$output"; then
	[[ ${WEFT_REQUIRE_APPS:-0} != 1 ]] || fail "python-pyopencl-doc, python3-pytest or python3-pyopencl is missing"
	echo "skipped: python-pyopencl-doc, python3-pytest or python3-pyopencl is not installed"
	exit 77
fi
find_device
cp "$tests"/test_{wrapper,enqueue_copy}.py "$tests"/*.spv "$tests"/*.h "$scratch"
cd "$scratch"
trace_kernels
run 280 /usr/bin/python3 -m pytest -v -p no:cacheprovider test_wrapper.py test_enqueue_copy.py
for name in test_image_2d test_image_3d test_nonempty_supported_image_formats test_enqueue_copy_array \
	test_enqueue_copy_array_2; do
	expect "::$name\[.*\] PASSED"
done
tail -n 1 "$output"
expect_images
