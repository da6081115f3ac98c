#!/bin/bash
# SPDX-License-Identifier: MIT
#
# clFFT: against numpy through gpyfft (clfft_test.py), and by its own client, which checks its results: one to
# three dimensions, batches, both precisions and directions, every layout. The client's own check knows the
# radices 2, 3, 5 and 7 only; clfft_test.py has the others.
# shellcheck source=tests/apps/common.sh
source "$(dirname "$0")/common.sh"
need clFFT-client
if ! /usr/bin/python3 -c 'import gpyfft' 2>"$output"; then
	[[ ${WEFT_REQUIRE_APPS:-0} != 1 ]] || fail "python3-gpyfft does not work: $(tail -n 1 "$output")"
	echo "skipped: python3-gpyfft is not installed"
	exit 77
fi
find_device
run 900 /usr/bin/python3 "$(dirname "$0")/clfft_test.py" "$platform"
cat "$output"

transforms=(
	"-x 1024"
	"-x 65536"
	"-x 6561"
	"-x 3125 --inv"
	"-x 2401"
	"-x 1050 -b 8"
	"-x 4096 -b 16 --double"
	"-x 512 -y 512"
	"-x 96 -y 100 --double --inv"
	"-x 32 -y 32 -z 32"
	"-x 1024 -o --inLayout 2 --outLayout 2"
	"-x 2048 -o --inLayout 5 --outLayout 3"
	"-x 1200 -o --inLayout 3 --outLayout 5 --inv"
	"-x 64 -y 128 -o --inLayout 5 --outLayout 4 --double"
)
for transform in "${transforms[@]}"; do
	# shellcheck disable=SC2086 # one word per option
	run 120 clFFT-client --platform 0 --device 0 --printChosen $transform
	expect "Internal Client Test \*+PASS\*+"
	expect_none "\*FAIL|error"
	expect "CL_PLATFORM_NAME: +$platform|CL_DEVICE_NAME: +"
	grep -qF "$device" "$output" || fail "clFFT-client did not run on $device"
	echo "right: $transform"
done
echo "passed: ${#transforms[@]} transforms on $device"
