#!/bin/bash
# SPDX-License-Identifier: MIT
#
# hashcat.sh MODE HASH MASK PASSWORD: hashcat tests the mode on itself, then finds the password by trying the mask.
# shellcheck source=tests/apps/common.sh
source "$(dirname "$0")/common.sh"
need hashcat
find_device
mode=$1 hash=$2 mask=$3 password=$4

# hashcat writes into the folder in which it runs.
cd "$scratch"
run 280 hashcat --force --potfile-disable --backend-ignore-cuda --backend-ignore-hip \
	-m "$mode" -a 3 -O --outfile "$scratch/found" --outfile-format 2 "$hash" "$mask"
expect "Platform #1"
grep -qF "$device" "$output" || fail "hashcat did not run on $device"
expect "Status\.+: Cracked"
expect_none "self-test failed|kernel build error|clBuildProgram\(\):"
[[ $(cat "$scratch/found") == "$password" ]] || fail "found $(cat "$scratch/found"), not $password"
grep -E "Speed|Time.Started|Platform #1" "$output"
echo "passed: mode $mode on $device"
