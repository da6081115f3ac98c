#!/bin/bash
# SPDX-License-Identifier: MIT
#
# bench_test.sh WEFT OTHER: `weft bench` measures the devices of Weft, whose results are right, in a table, as JSON and as a picture, and
# leaves out drivers that cannot be measured. What the numbers are is not looked at.
set -uo pipefail
weft=$1 other=$2
# shellcheck source=tests/tools/common.sh
source "$(dirname "$0")/common.sh"

mkdir vendors
echo "$other" >vendors/other.icd
echo /nowhere/libweft.so.1 >vendors/weft.icd
echo /nowhere/libnone.so >vendors/none.icd
export OCL_ICD_VENDORS=$PWD/vendors
expect 0 'libnone.so: left out: ' bench --seconds 0 --json --svg picture.svg
grep -qF 'libtools_other_icd.so: left out: it has no device' err || fail "the platform without devices is not left out"
python3 - <<'end' >err 2>&1 || fail "the results are not what was expected"
import json, xml.dom.minidom
with open("out") as file:
    devices = json.load(file)["devices"]
assert [d["platform"] for d in devices] == ["Weft"], devices
assert len(devices[0]["values"]) == 10 and all(v > 0 for v in devices[0]["values"].values()), devices
picture = xml.dom.minidom.parse("picture.svg")
assert len(picture.getElementsByTagName("rect")) == 1 + 1 + 10
end
WEFT_DEVICES=basic expect 3 'nowhere/p.svg: No such file' bench --seconds 0 --svg nowhere/p.svg
grep -qE '^matrices +GFLOP/s +[0-9.]+' out || fail "there is no table"
WEFT_DEVICES=none expect 3 'libweft.so.1: left out: it has no device' bench
WEFT_COMPILER=/nowhere expect 1 'clBuildProgram: error' bench
expect 2 'takes a number up to 60' bench --seconds many
expect 2 'does not take' bench me
echo "passed"
