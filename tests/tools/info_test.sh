#!/bin/bash
# SPDX-License-Identifier: MIT
#
# info_test.sh WEFT: what `weft info` prints is what the machine has and the variables ask for, and its JSON is JSON.
set -uo pipefail
weft=$1
# shellcheck source=tests/tools/common.sh
source "$(dirname "$0")/common.sh"

expect 0 "$(sed -n 's/^model name[^:]*: //p;T;q' /proc/cpuinfo | sed 's/  */ /g; s/ $//')" info
expect 0 'cl_khr_fp64' info
expect 0 'compiler opens          yes' info
expect 2 'does not take' info all
WEFT_COMPILER=/nowhere expect 0 'compiler opens          no' info
export WEFT_DEVICES=basic,accel WEFT_MAX_MEMORY=1G
expect 0 'Device 1: Weft accelerator' info
expect 0 '' info --json
python3 - <<'end' >err 2>&1 || fail "the JSON is not what was expected"
import json, re
with open("out") as file:
    info = json.load(file)
assert re.fullmatch(r"\d+\.\d+\.\d+", info["weft"]["version"])
assert info["weft"]["compiler_opens"] is True and len(info["weft"]["driver_build"]) == 32
assert info["cpu"]["usable_cores"] >= info["cpu"]["worker_cores"] >= 1 and "sse2" in info["cpu"]["features"]
assert [d["name"].split()[0] == "Weft" for d in info["devices"]] == [False, True]
basic = info["devices"][0]
assert basic["global_memory"] == 1 << 30 and "cl_khr_icd" in basic["extensions"]
assert "1.2" in basic["opencl_c_versions"] and "__opencl_c_fp64" in basic["opencl_c_features"]
assert len(basic["work_item_sizes"]) == 3
end
echo "passed"
