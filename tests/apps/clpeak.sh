#!/bin/bash
# SPDX-License-Identifier: MIT
#
# clpeak measures bandwidth and arithmetic with every vector width: all of its tests run, and give figures.
# shellcheck source=tests/apps/common.sh
source "$(dirname "$0")/common.sh"
need clpeak
find_device

run 1700 clpeak --platform 0 --device 0
cat "$output"
expect "^Platform: $platform"
expect_none "error|fail|invalid|unable"
figures=$(grep -cE ' : +[0-9]+(\.[0-9]+)?( us)?$' "$output" || true)
# Global bandwidth 5, single precision 5, double 5, integer 5 and 24-bit 5, transfer 8, latency 1; half precision is
# left out where the device has none.
[[ $figures -ge 34 ]] || fail "only $figures figures"
if grep -E ' : +0(\.0+)?( us)?$' "$output"; then
	fail "a figure is zero"
fi
for part in "Global memory bandwidth" "Single-precision compute" "Double-precision compute" \
	"Integer compute" "Transfer bandwidth" "Kernel launch latency"; do
	expect "$part"
done
echo "passed: $figures figures on $device"
