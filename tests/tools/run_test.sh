#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run_test.sh WEFT PLATFORMS OTHER: programs that `weft run` runs find Weft first, whichever loader they use and whatever other
# drivers the machine has; they get their arguments, and their end is the command's. By hand, LOADERS names folders with other
# loaders than the system's.
set -uo pipefail
weft=$1 platforms=$2 other=$3
# shellcheck source=tests/tools/common.sh
source "$(dirname "$0")/common.sh"
export XDG_CACHE_HOME=$scratch/cache

# The platforms in this order, by each loader.
finds()
{
	local expected=$1 loader
	shift
	for loader in "" ${LOADERS:-}; do
		LD_LIBRARY_PATH=$loader "$weft" run "$@" >out 2>err || fail "weft run $* by the loader '$loader'"
		[[ $(tr '\n' ' ' <out) == "$expected " ]] || fail "weft run $* by the loader '$loader' finds $(<out)"
	done
}

mkdir vendors
echo "$other" >vendors/z.icd
echo "/nowhere/libweft.so.1" >vendors/weft.icd
OCL_ICD_VENDORS=$PWD/vendors finds "Weft Other" "$platforms"
OCL_ICD_VENDORS=$PWD/vendors/z.icd finds "Weft Other" "$platforms"
OCL_ICD_VENDORS=$other finds "Weft Other" "$platforms"
OPENCL_VENDOR_PATH=$PWD/vendors finds "Weft Other" "$platforms"
OCL_ICD_VENDORS=$PWD/vendors finds "Weft" --only "$platforms"
OCL_ICD_VENDORS=$PWD/nowhere finds "Weft --only a b" "$platforms" --only "a b"
# Names without a folder are looked for as ocl-icd does.
OCL_ICD_VENDORS=z.icd OPENCL_VENDOR_PATH=$PWD/vendors finds "Weft Other" "$platforms"
LD_LIBRARY_PATH=$(dirname "$other") OCL_ICD_VENDORS=$(basename "$other") expect 0 'Other' run "$platforms"
# A second run finds what the first has made; a folder that another user could write to is not used.
count=$(find cache/weft/vendors -mindepth 1 | wc -l)
OCL_ICD_VENDORS=$PWD/vendors finds "Weft Other" "$platforms"
[[ $(find cache/weft/vendors -mindepth 1 | wc -l) == "$count" ]] || fail "each run leaves a folder"
chmod 777 cache/weft/vendors
mkdir tmp
TMPDIR=$scratch/tmp OCL_ICD_VENDORS=$PWD/vendors finds "Weft Other" "$platforms"
[[ -n $(find tmp -name '*.icd') ]] || fail "the folder that others can write to is used"
chmod 777 tmp/*
TMPDIR=$scratch/tmp OCL_ICD_VENDORS=$PWD/vendors expect 3 'no folder' run "$platforms"

# A folder that lacks a file, or has an empty one, is made anew; where nothing can be written there is another place.
export XDG_CACHE_HOME=$scratch/broken
OCL_ICD_VENDORS=$PWD/vendors finds "Weft Other" "$platforms"
: >"$(echo broken/weft/vendors/*/weft-*.icd)"
OCL_ICD_VENDORS=$PWD/vendors finds "Weft Other" "$platforms"
rm broken/weft/vendors/*/weft-*.icd
OCL_ICD_VENDORS=$PWD/vendors finds "Weft Other" "$platforms"
rm broken/weft/vendors/*/other-*.icd
OCL_ICD_VENDORS=$PWD/vendors finds "Weft Other" "$platforms"
XDG_CACHE_HOME=/proc TMPDIR=$scratch/other OCL_ICD_VENDORS=$PWD/vendors finds "Weft Other" "$platforms"
[[ -n $(find other -name '*.icd') ]] || fail "a cache that cannot be written is not left for TMPDIR"
# A limit of the size of files is no end by a signal.
said=$(ulimit -f 0; OCL_ICD_VENDORS=$PWD/vendors XDG_CACHE_HOME=$scratch/limited TMPDIR=$scratch/limited exec "$weft" run true 2>&1)
(($? == 3)) && [[ $said == *'no folder'* ]] || fail "weft run with a limit of the size of files"
# A pipe among the files does not stop it.
mkdir pipes
mkfifo pipes/a.icd
OCL_ICD_VENDORS=$PWD/pipes finds "Weft" "$platforms"
# A list with colons cannot have the library of this installation.
mkdir -p a:b/bin a:b/lib
cp "$weft" a:b/bin
cp "$(dirname "$weft")/../lib/libweft.so.1" a:b/lib
(
	weft=a:b/bin/weft
	OCL_ICD_VENDORS=$PWD/vendors finds "Weft Other" "$platforms"
	OCL_ICD_FILENAMES=$PWD/nowhere.so OCL_ICD_VENDORS=$PWD/vendors finds "Weft Other" "$platforms"
	OCL_ICD_VENDORS=$PWD/vendors finds "Weft" --only "$platforms"
) || exit 1
# A program gets its streams as they were.
"$weft" run --only sh -c '[ -e /proc/$$/fd/0 ] || [ -e /proc/$$/fd/2 ] || echo closed' <&- 2>&- >out
grep -q closed out || fail "streams that are closed are open"

# Options become variables.
expect 0 'WEFT_THREADS=3' run --threads 3 env
expect 0 'WEFT_LOG=error,cache=info' run --log=error,cache=info --only env
expect 0 'WEFT_CACHE=0' run --only --no-cache env
expect 0 'WEFT_ACCEL_STATS=1' run --only --accel-stats env
expect 0 'WEFT_MAX_MEMORY=1G' run --only --max-memory=1G -- env
expect 2 "does not take 'many'" run --threads many env
expect 2 'unknown option' run --help-me env
expect 2 'takes no value' run --no-cache=1 env
expect 2 'wants a value' run --threads
expect 2 'which program' run --only

# The end is the program's.
expect 7 '' run --only sh -c 'exit 7'
expect 127 'No such file' run --only no-such-program
expect 126 'Permission denied' run --only "$scratch"
"$weft" run --only sh -c 'kill -TERM $$' 2>err
(($? == 128 + 15)) || fail "a signal does not end it"
echo "passed"
