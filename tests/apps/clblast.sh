#!/bin/bash
# SPDX-License-Identifier: MIT
#
# clblast.sh ROUTINE: CLBlast's own test of one routine (gemm, trsm, …) in every precision, against a BLAS on the
# host: every case passes. Half precision is skipped by CLBlast where the device has no fp16.
# shellcheck source=tests/apps/common.sh
source "$(dirname "$0")/common.sh"
test=clblast_test_x$1
need "$test"
find_device

run 1700 "$test" -platform 0 -device 0
# CLBlast shortens the names of some vendors' devices.
used=$(sed -nE "s/.*Running on OpenCL device '(.+)'.*/\1/p" "$output" | sort -u)
[[ -n $used && $device == *"$used" ]] || fail "$test ran on $used, not on $device"

# Per precision: the routine's name, then how many passed, were skipped, failed. CLBlast skips (-) what its reference
# cannot judge; a kernel that does not build (\) or a precision that is not there (o) is skipped too, and must not be.
sed 's/\x1b\[[0-9;]*m//g' "$output" | awk '
	/Starting tests for the/ { gsub(/.*the .|. routine.*/, ""); name = $0 }
	/^ +[:.X\/\\o-]+$/ && /[\\oX\/]/ { wrong++ }
	/test\(s\) passed/ { passed = $1 }
	/test\(s\) skipped/ { skipped = $1 }
	/test\(s\) failed/ {
		printf "%-12s passed %5d  skipped %5d  failed %5d\n", name, passed, skipped, $1
		routines++
		if ($1 > 0 || passed == 0)
			wrong++
	}
	END {
		if (routines == 0 || wrong > 0)
			exit 1
	}' || {
	tail -n 60 "$output" >&2
	fail "$test: not every case passes"
}
echo "passed: $test on $device"
