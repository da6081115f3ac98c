#!/bin/bash
# SPDX-License-Identifier: MIT
#
# compile_test.sh WEFT LOAD_BINARY CLANG: what `weft compile` makes of right and of wrong arguments and files, and that its binaries run
# where they should.
set -uo pipefail
weft=$1 load=$2 clang=$3
# shellcheck source=tests/tools/common.sh
source "$(dirname "$0")/common.sh"
export WEFT_CACHE=0

# runs RESULT FILE: the binary's kernel stores RESULT.
runs()
{
	"$load" "$2" >out 2>err || fail "$2 does not run"
	[[ $(<out) == "$1" ]] || fail "$2 gives $(<out), not $1"
}

mkdir folder
echo '#define NUMBER 40' >folder/number.h
cat >folder/good.cl <<-'end'
	#include "number.h"
	kernel void k(global int *p) { local int l[64]; l[get_local_id(0)] = NUMBER + MORE; p[get_global_id(0)] = l[get_local_id(0)]; }
end
echo 'kernel void k(global int *p) { *p = }' >broken.cl
cat >objects.clcpp <<-'end'
	struct S { int a; S(int x) : a(x * 6) {} };
	S s(7);
	kernel void k(global int *p) { *p = s.a; }
end

expect 0 '--list-cpus' compile --help
expect 0 'znver4' compile --list-cpus
expect 2 'which file' compile
expect 2 'unknown option' compile --explode broken.cl
expect 2 'wants a value' compile broken.cl --cpu
expect 2 'one file at a time' compile broken.cl folder/good.cl
expect 2 '--emit takes' compile --emit=gold broken.cl
expect 2 'unknown CPU' compile --cpu z80 broken.cl
expect 2 "'-cl-no-such'" compile -cl-no-such broken.cl
expect 3 'missing.cl' compile missing.cl
expect 3 'nowhere' compile -o nowhere/k.bin -D MORE=2 folder/good.cl
expect 1 'broken.cl:1:37: error' compile broken.cl
[[ ! -e broken.bin ]] || fail "a source that does not compile has made a file"

expect 0 '' compile -D MORE=2 folder/good.cl
runs 42 good.bin
"$weft" compile --cpu=x86-64-v2 -D MORE=3 -o - - <folder/good.cl >stdin.bin 2>err -I folder || fail "standard input"
runs 43 stdin.bin
expect 0 '' compile --cpu=x86-64 -o objects.bin objects.clcpp
runs 42 objects.bin

# No machine has all of what this CPU has and what came after it.
expect 0 '' compile --cpu bdver4 -D MORE=2 -o other.bin folder/good.cl
if grep -qw fma4 /proc/cpuinfo; then
	runs 42 other.bin
else
	WEFT_LOG=info "$load" other.bin >out 2>err && fail "a binary for another CPU runs"
	grep -qF 'this CPU has no' err || fail "the refusal names no feature"
	grep -qF 'binary: -42' err || fail "it is not refused as CL_INVALID_BINARY"
fi
expect 0 '' compile --cpu x86-64-v2 -D MORE=2 -o damaged.bin folder/good.cl
printf 'x' | dd of=damaged.bin bs=1 seek=200 conv=notrunc status=none
"$load" damaged.bin >out 2>err && fail "a damaged binary runs"

# For accelerators with RISC-V, whatever their latencies, and for nothing else.
expect 0 'riscv64' compile --list-cpus
expect 0 '' compile --cpu riscv64 -D MORE=4 -o riscv.bin folder/good.cl
WEFT_DEVICES=accel WEFT_ACCEL=isa=riscv64,global_latency=7 runs 44 riscv.bin
WEFT_DEVICES=accel WEFT_ACCEL='' "$load" riscv.bin >out 2>err && fail "a binary for RISC-V runs on the host's instruction set"
grep -qF 'binary: -42' err || fail "it is not refused as CL_INVALID_BINARY"
"$load" riscv.bin >out 2>err && fail "a binary for RISC-V runs on a CPU"
"$load" good.bin >out 2>err || fail "good.bin does not run"
WEFT_DEVICES=accel WEFT_ACCEL=isa=riscv64 "$load" good.bin >out 2>err && fail "a CPU's binary runs on RISC-V"
expect 0 'rv64i' compile --cpu riscv64 --emit assembly -o - -D MORE=4 folder/good.cl
WEFT_ACCEL=isa=host expect 3 'describes no device' compile --cpu riscv64 -D MORE=4 -o none.bin folder/good.cl

expect 0 'spir64' compile --emit source-ir -o - -D MORE=2 folder/good.cl
expect 0 'weft_program' compile --emit ir -o - -D MORE=2 folder/good.cl
expect 0 '.globl' compile --emit assembly -o - -D MORE=2 folder/good.cl
expect 0 'local memory 256 bytes' compile --report -D MORE=2 folder/good.cl
expect 0 'regions run vectors of' compile --report --cpu x86-64-v3 -D MORE=2 folder/good.cl
# So many sums at once that no CPU has the registers.
{
	echo 'kernel void k(global double *p) { double s[64]; int i = get_global_id(0);'
	echo '#pragma unroll'
	echo 'for (int j = 0; j < 64; j++) s[j] = p[64 * i + j];'
	echo 'for (int n = 0; n < 1000; n++)'
	echo '#pragma unroll'
	echo 'for (int j = 0; j < 64; j++) s[j] = s[j] * s[(j + 5) & 63] + n;'
	echo '#pragma unroll'
	echo 'for (int j = 0; j < 64; j++) p[64 * i + j] = s[j]; }'
} >spills.cl
expect 0 'spills of registers' compile --report --cpu x86-64-v2 spills.cl
# All ones of AVX-512 do not wait for what their register held: the line before zeroes it.
cat >count.cl <<-'end'
	kernel void k(global const double *a, global double *b, global const int *n) {
		int i = get_global_id(0); double s = 0;
		for (int k = n[i]; k > 0; k--) s = s * 0.5 + log10(a[i ^ k]);
		b[i] = s; }
end
expect 0 '' compile --cpu sapphirerapids --emit assembly -o count.s count.cl
grep -v '#' count.s | awk '/vpternlog[dq]\t\$255/ { ones++; if (before !~ /vp?xor/ || $NF !~ substr(before, length(before) - 1)) bad = 1 }
	{ before = $0 } END { exit bad || !ones }' || fail "all ones wait for a register, or there are none"
# Whatever the file is called; and it is not lost.
line=$'new\nline \\ ".bin'
echo 'kernel void k(global int *p) { *p = 1; }' >"$line"
expect 3 'would replace the source' compile "$line"
expect 0 '' compile -o named.bin "$line"
if "$clang" -target spirv64 -x cl -cl-std=CL3.0 -O1 -D MORE=4 -Xclang -fdeclare-opencl-builtins \
	-Xclang -finclude-default-header -c folder/good.cl -o good.spv 2>err; then
	expect 0 '' compile --cpu x86-64-v2 -o spirv.bin good.spv
	runs 44 spirv.bin
fi
echo "passed"
