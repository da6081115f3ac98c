#!/bin/bash
# SPDX-License-Identifier: MIT
#
# command_test.sh WEFT: `weft schedule` as a user calls it: files in and out, references, pictures, and what it says of mistakes.
set -uo pipefail
weft=$1
# shellcheck source=tests/tools/common.sh
source "$(dirname "$0")/../tools/common.sh"
export WEFT_DEVICES=pthread,accel WEFT_THREADS=2

cat >k.cl <<'end'
kernel void twice(global const float *a, global float *b) { b[get_global_id(0)] = 2 * a[get_global_id(0)]; }
kernel void strided(global const float *a, global float *b)
{
	for (size_t i = get_global_id(0); i < 256; i += get_global_size(0)) b[i] = 3 * a[i];
}
kernel void far(global const float *a, global float *b) { size_t i = get_global_id(0); if (a[i] > 1e9f) b[2 * i + 1] = 1; }
kernel void endless(global const float *a, global float *b) { for (uint i = get_global_id(0); a[i] > 1e9f; i += 3 * i) b[i] = 1; }
kernel void wrong(global const float *a, global float *b, int n) { }
end
spec()
{
	cat >s.json <<end
{"name": "$1", "src": "k.cl", "globalWorkSize": "[dataset]", "partition": 5,
 "inputBuffers": [{"pos": 0, "type": "float", "size": "dataset", "break": 1, "halo": 0, $2}],
 "outputBuffers": [{"pos": 1, "type": "float", "size": "dataset", "break": 1, $3}]}
end
}
python3 - <<'end'
import array
import struct
numbers = array.array("f", range(256))
header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (256,), }".ljust(117) + b"\n"
with open("a.npy", "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + numbers.tobytes())
with open("right.raw", "wb") as file:
    array.array("f", [2 * n for n in range(256)]).tofile(file)
with open("wrong.raw", "wb") as file:
    array.array("f", [2 * n + (n == 77) for n in range(256)]).tofile(file)
end
set256=(-D dataset=256)

# The file's result is the reference, on one device and on two; it goes round as .npy.
spec twice '"file": "a.npy"' '"reference": "right.raw", "save": "b.npy"'
for devices in cpu cpu:2 cpu,accelerator; do
	expect 0 'kernels                 1' schedule s.json "${set256[@]}" -d "$devices" -s baseline --verify
done
# An id has what XML does not take.
spec 'twice", "id": "]]>&<\u0001\uffff' '"file": "b.npy"' '"save": "c.raw"'
expect 0 '' schedule s.json "${set256[@]}" --gantt g.svg --trace t.json --features f.json --json
python3 - <<'end' >err 2>&1 || fail "what was written is not what was expected"
import array
import json
import xml.dom.minidom
with open("c.raw", "rb") as file:
    assert array.array("f", file.read()).tolist() == [4 * n for n in range(256)]
assert "]]>&<" in xml.dom.minidom.parse("g.svg").getElementsByTagName("title")[0].firstChild.data
with open("t.json") as file:
    events = json.load(file)["traceEvents"]
assert any(event["ph"] == "X" and event["name"] == "twice" for event in events)
with open("f.json") as file:
    (told,) = json.load(file)
assert told["name"] == "twice" and told["work_items"] == 256 and len(told["features"]) == 13 and min(told["predicted"]) > 0, told
with open("out") as file:
    assert json.load(file)["kernels"] == 1
end
echo "s.json 3 256" >list.task
expect 0 'kernels                 1' schedule list.task
expect 1 ': Is a directory' schedule list.task --trace .
expect 1 ': Is a directory' schedule list.task --gantt .
expect 1 ': Is a directory' schedule list.task --features .
echo "$PWD/s.json 3 4" >list.task
expect 0 'kernels                 1' schedule list.task -D dataset=256
mkdir sources
mv k.cl sources
expect 1 "there is no file 'k.cl'" schedule list.task -D dataset=256
expect 0 'kernels                 1' schedule list.task -D dataset=256 --sources sources
mv sources/k.cl .
echo "s.json 3 256" >list.task
expect 0 '' schedule list.task -q -D dataset=256
[ ! -s out ] || fail "--quiet prints something"
# What does not divide leaves units out.
WEFT_THREADS=100 expect 0 'devices                 60' schedule list.task -d cpu:60
expect 0 'claims' schedule --strategies
words=$(cut -d' ' -f1 out | xargs)
expect 0 "$words" completion bash

# Rates are kept: a second run knows them, and does not try them out.
spec twice '"fill": "random"' '"fill": "zeros"'
expect 0 '' schedule s.json -D dataset=65536 -d cpu,accelerator -s claims --rates rates.txt
(($(wc -l <rates.txt) >= 2)) || fail "no rate is kept"
expect 0 '' schedule s.json -D dataset=65536 -d cpu,accelerator -s heft --rates rates.txt --verify
echo "x" >>rates.txt
expect 1 'a line of the file of rates is damaged' schedule s.json --rates rates.txt
sed -i '$d; 2,$s/ .*/ 1e308/' rates.txt
expect 1 'a line of the file of rates is damaged' schedule s.json --rates rates.txt
expect 1 'this is no file of rates' schedule s.json --rates k.cl

# Each work-group writes elements far apart, and the file says that it writes its neighbours of "break".
spec strided '"fill": "random"' '"fill": "zeros"'
sed -i 's/"\[dataset\]"/64/; s/"partition"/"localWorkSize": 4, "partition"/' s.json
for strategy in claims baseline; do
	expect 0 'parts' schedule s.json "${set256[@]}" -d cpu,accelerator -s $strategy --verify
	grep -q 'parts *1$' out && fail "$strategy does not split"
done

# Mistakes.
spec twice '"file": "a.npy"' '"reference": "wrong.raw"'
expect 1 'argument 1: number 77 is 154, not 155' schedule s.json "${set256[@]}"
expect 1 "s.json:1: kernel '1', argument 0: a.npy: its shape has not as many numbers as the buffer" schedule s.json -D dataset=512
expect 1 'a.npy: its shape has not as many numbers as the buffer' schedule s.json -D dataset=128
spec twice '"file": "b.npy"' '"fill": "zeros"'
sed 's/(256,), }  /(16, 16), }/' a.npy >b.npy
expect 0 '' schedule s.json "${set256[@]}"
for shape in '256' '(256' '(1000000,)' '(18446744073709551615, 2)' '()'; do
	sed "s/(256,)/$shape/" a.npy >b.npy
	expect 1 'b.npy: its shape has not as many numbers' schedule s.json "${set256[@]}"
done
head -c -1 a.npy >b.npy
expect 1 'b.npy: the file is shorter than the buffer' schedule s.json "${set256[@]}"
(cat a.npy && echo) >b.npy
expect 1 'b.npy: the file is longer than the buffer' schedule s.json "${set256[@]}"
spec twice '"file": "no.npy"' '"fill": "zeros"'
expect 1 'no.npy: No such file' schedule s.json
spec twice '"file": "k.cl"' '"save": "/nowhere/b.npy"'
expect 1 'k.cl: the file is shorter' schedule s.json
spec twice '"fill": "zeros"' '"save": "/nowhere/b.npy"'
expect 1 "s.json:1: kernel '1', argument 1: /nowhere/b.npy: No such file" schedule s.json
spec twice '"fill": "zeros"' '"save": "/dev/full"'
expect 1 '/dev/full: No space left' schedule s.json
python3 -c 'import array; array.array("f", [float("inf")] * 256).tofile(open("inf.raw", "wb"))'
spec twice '"fill": "zeros"' '"tolerance": 0.5, "reference": "inf.raw"'
expect 1 'number 0 is 0, not inf' schedule s.json "${set256[@]}"
# What the compiler knows of accesses outside of a buffer is told before they happen; where data decide, they may not.
spec far '"fill": "zeros"' '"fill": "zeros"'
expect 0 '' schedule s.json "${set256[@]}" -d cpu
grep -q "warning: s.json:1: kernel '1', argument 1: the kernel may use bytes up to 2048, the buffer has 1024" err || fail "no warning"
grep -q 'argument 0' err && fail "a warning of a buffer that is large enough"
expect 0 '' schedule s.json "${set256[@]}" -d cpu --quiet
[[ -s err ]] && fail "--quiet warns"
spec endless '"fill": "zeros"' '"fill": "zeros"'
expect 0 '' schedule s.json "${set256[@]}" -d cpu
grep -q warning err && fail "a warning by what has no bound"
# A kernel that fails, of two: the result of the other one is written.
cat >s.json <<'end'
[{"name": "twice", "src": "k.cl", "globalWorkSize": 64,
 "inputBuffers": [{"pos": 0, "type": "float", "size": 64}],
 "outputBuffers": [{"pos": 1, "type": "float", "size": 64, "save": "other.raw"}]},
 {"name": "twice", "src": "k.cl", "globalWorkSize": 1048576, "localWorkSize": 1048576,
 "inputBuffers": [{"pos": 0, "type": "float", "size": 1048576}],
 "outputBuffers": [{"pos": 1, "type": "float", "size": 1048576}]}]
end
expect 1 'CL_INVALID_WORK_GROUP_SIZE' schedule s.json -d cpu
[[ -s other.raw ]] || fail "the result of a kernel that ran is not written"
# A group's size that the kernel requires, in two dimensions.
cat >r.cl <<'end'
kernel __attribute__((reqd_work_group_size(8, 4, 1))) void tile(global int *b)
{ b[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_local_size(1); }
end
cat >r.json <<'end'
{"name": "tile", "src": "r.cl", "globalWorkSize": "[dataset, 32]",
 "outputBuffers": [{"pos": 0, "type": "int", "size": "32*dataset", "break": 1}]}
end
expect 0 'kernels                 1' schedule r.json -D dataset=64 -d cpu,accelerator -s baseline --verify
expect 1 'requires groups of 8 x 4 x 1 work-items, which do not divide globalWorkSize' schedule r.json -D dataset=60
sed -i 's/"src"/"localWorkSize": [8, 8], &/' r.json
expect 1 "not the file's localWorkSize" schedule r.json -D dataset=64
spec none '"fill": "zeros"' '"fill": "zeros"'
expect 1 "k.cl has no kernel function 'none'" schedule s.json
spec wrong '"fill": "zeros"' '"fill": "zeros"'
expect 1 'has 3 arguments, the file says 2' schedule s.json
expect 1 'none.json: No such file' schedule none.json
expect 1 "there is no further device 'tpu' among '" schedule list.task -d tpu
expect 1 'parts of it are wanted' schedule list.task -d cpu:60
expect 1 'partition: 11 is not from 0 to 10' schedule list.task -D partition=11
echo "s.json 3" >list.task
expect 1 'list.task:1: a file, a partition' schedule list.task
sed -i 's/kernel void twice/&broken/' k.cl
spec twice '"fill": "zeros"' '"fill": "zeros"'
sed -i 's/;/~/' k.cl
expect 1 'k.cl does not build for' schedule s.json
expect 1 "'2x' is no name" schedule s.json -D 2x=3
expect 2 'which files' schedule
expect 2 'no strategy' schedule s.json -s best
expect 2 'takes NAME=NUMBER' schedule s.json -D dataset
echo "passed"
