#!/bin/bash
# SPDX-License-Identifier: MIT
#
# PyOpenCL's example of filters on images, against numpy: pyopencl_example_test.py.
# shellcheck source=tests/apps/common.sh
source "$(dirname "$0")/common.sh"
here=$(cd "$(dirname "$0")" && pwd)
need_pypi
find_device
cp "$pypi"/src/pyopencl-*/examples/{image_filters_using_image2d_t.py,noisyImage.jpg} "$scratch"
cd "$scratch"
trace_kernels
run 120 "$pypi/bin/python" image_filters_using_image2d_t.py
run 60 "$pypi/bin/python" "$here/pyopencl_example_test.py"
cat "$output"
expect_images
