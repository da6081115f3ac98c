#!/bin/bash
# SPDX-License-Identifier: MIT
#
# debug_test.sh WEFT LOAD_BINARY SPIRV_AS: gdb stops at a line of a kernel with -g, and shows its variables, of OpenCL C and of SPIR-V.
# Skipped (77) without gdb.
set -uo pipefail
weft=$1 load=$2 assembler=$3
folder=$(realpath "$(dirname "$0")")
# shellcheck source=tests/tools/common.sh
source "$folder/common.sh"
command -v gdb >/dev/null || exit 77
# As the manual says.
export WEFT_CACHE=0 WEFT_DEVICES=basic WEFT_VECTOR_WIDTH=1

# shows FILE: at line 5 of answer.cl the variables have their values.
shows()
{
	gdb -nx -batch -ex 'set breakpoint pending on' -ex 'break answer.cl:5' -ex run -ex 'info locals' --args "$load" "$1" >out 2>err
	for line in 'answer.cl:5' 'size = 6' 'answer = 42'; do
		grep -qF "$line" out || fail "gdb shows no '$line' of $1"
	done
}

sed -n 's/^;   [0-9] //p' "$folder/debug.spvasm" >answer.cl
"$assembler" --target-env spv1.2 "$folder/debug.spvasm" -o answer.spv || fail "no module"
for source in answer.cl answer.spv; do
	expect 0 '' compile -g -cl-opt-disable -o "$source.bin" "$source"
	shows "$source.bin"
done
