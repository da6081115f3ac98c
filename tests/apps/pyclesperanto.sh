#!/bin/bash
# SPDX-License-Identifier: MIT
#
# pyclesperanto's own tests. Some of its kernels run on buffers and on images.
# shellcheck source=tests/apps/common.sh
source "$(dirname "$0")/common.sh"
need_pypi
find_device
cd "$pypi"/src/pyclesperanto-*
run 60 "$pypi/bin/python" -c 'import pyclesperanto; print(pyclesperanto.get_device().name)'
expect "^$device$"
trace_kernels
# The tests of these names load a picture from the network.
run 1700 "$pypi/bin/python" -m pytest -q -p no:cacheprovider -k "not blobs" tests
tail -n 1 "$output"
expect "^[0-9]{3} passed"
expect_images
