# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Sourced by the application tests: a scratch folder, a cold kernel cache, and checks. OCL_ICD_VENDORS comes
# from ctest. WEFT_TEST_PLATFORM=NAME runs a script on another driver, to compare.
set -euo pipefail

platform=${WEFT_TEST_PLATFORM:-Weft}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/weft-app.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
# Applications keep compiled kernels too: each run starts without.
export HOME=$scratch XDG_CACHE_HOME=$scratch/cache XDG_DATA_HOME=$scratch/data XDG_CONFIG_HOME=$scratch/config
mkdir -p "$XDG_CACHE_HOME" "$XDG_DATA_HOME" "$XDG_CONFIG_HOME"
unset WEFT_CACHE WEFT_CACHE_DIR

fail()
{
	echo "FAILED: $*" >&2
	exit 1
}

# Without an application its test is skipped, but not in tests/run, which has installed it.
need()
{
	local program
	for program in "$@"; do
		if ! command -v "$program" >/dev/null; then
			[[ ${WEFT_REQUIRE_APPS:-0} != 1 ]] || fail "$program is not installed"
			echo "skipped: $program is not installed"
			exit 77
		fi
	done
}

# run SECONDS COMMAND…: its output goes to $output; an exit code other than 0, or running longer, fails. The limit ends
# what hangs: it is ten times and more what the command takes on an idle machine, since others may be busy on it.
output=$scratch/output
run()
{
	local limit=$1 code=0
	shift
	timeout "$limit" "$@" >"$output" 2>&1 </dev/null || code=$?
	[[ $code == 0 ]] && return
	tail -n 40 "$output" >&2
	[[ $code == 124 ]] && fail "$1 ran longer than $limit s"
	fail "$1 ended with code $code"
}

# The last output has, or has not, a line that matches.
expect()
{
	grep -Eq -- "$1" "$output" && return
	tail -n 40 "$output" >&2
	fail "no line matches: $1"
}

expect_none()
{
	if grep -Ein -- "$1" "$output" >&2; then
		fail "a line matches: $1"
	fi
}

# Sets $device to the name of the one device of the one platform, which is the wanted one.
find_device()
{
	need clinfo
	run 60 clinfo --raw
	[[ $(awk '$1 == "#PLATFORMS" { print $2 }' "$output") == 1 ]] || fail "not exactly one platform"
	grep -Eq "CL_PLATFORM_NAME +$platform" "$output" || fail "the platform is not $platform"
	device=$(sed -nE 's/^.* CL_DEVICE_NAME +//p' "$output" | head -n 1)
	[[ -n $device ]] || fail "the device has no name"
}
