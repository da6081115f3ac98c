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

# Sets $pypi to the folder that tests/apps/pypi has made. Such tests are made to be run by hand: tests/run needs no PyPI.
need_pypi()
{
	pypi=${WEFT_PYPI_APPS:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/build/pypi}
	[[ -x $pypi/bin/python ]] && return
	echo "skipped: tests/apps/pypi has not been run"
	exit 77
}

# run SECONDS COMMAND…: its output goes to $output; an exit code other than 0, or running longer, fails. The limit ends
# what hangs: it is ten times and more what the command takes on an idle machine, since others may be busy on it.
output=$scratch/output
run()
{
	local limit=$1 code=0
	shift
	timeout "$limit" "$@" >"$output" 2>&1 </dev/null || code=$?
	collect_kernels
	[[ $code == 0 ]] && return
	tail -n 40 "$output" >&2
	[[ $code == 124 ]] && fail "$1 ran longer than $limit s"
	fail "$1 ended with code $code"
}

# From here on, what is run is traced. Only Weft can be.
trace_kernels()
{
	[[ $platform != Weft ]] || export WEFT_TRACE=$scratch/trace.json
}

# From the trace of what has just been run: each kernel's name, and the number of images among its arguments or nothing.
collect_kernels()
{
	[[ -n ${WEFT_TRACE-} && -f ${WEFT_TRACE-} ]] || return 0
	sed -nE 's/^.*"ph":"B".*"name":"(\w+)","args":\{"queue":[0-9]+,"command":[0-9]+(,"images":([0-9]+))?\}.*/\1 \3/p' \
		"$WEFT_TRACE" >>"$scratch/kernels"
	rm "$WEFT_TRACE"
}

# Says which of the traced kernels have images. At least one has.
expect_images()
{
	[[ -n ${WEFT_TRACE-} ]] || return 0
	local kernels
	kernels=$(awk 'NF == 2 { print $1 }' "$scratch/kernels" | sort -u)
	[[ -n $kernels ]] || fail "no kernel has an image"
	echo "kernels with images:" $kernels
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
