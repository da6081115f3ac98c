#!/bin/bash
# SPDX-License-Identifier: MIT
#
# OpenCV's functions on UMat, against its own code for the CPU: opencv_test.py.
# shellcheck source=tests/apps/common.sh
source "$(dirname "$0")/common.sh"
if ! /usr/bin/python3 -c 'import cv2' 2>"$output"; then
	[[ ${WEFT_REQUIRE_APPS:-0} != 1 ]] || fail "python3-opencv does not work: $(tail -n 1 "$output")"
	echo "skipped: python3-opencv is not installed"
	exit 77
fi
find_device
# OpenCV takes a CPU only when asked to. It goes on without OpenCL where that fails, unless told to raise an error.
export OPENCV_OPENCL_DEVICE=:CPU: OPENCV_OPENCL_RAISE_ERROR=1 OPENCV_OPENCL_CACHE_ENABLE=false
trace_kernels
run 880 /usr/bin/python3 "$(dirname "$0")/opencv_test.py" "$device"
cat "$output"
expect_images
