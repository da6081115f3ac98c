#!/bin/bash
# SPDX-License-Identifier: MIT
#
# clinfo asks for everything that a platform and its devices tell: every answer is there and is no error.
# shellcheck source=tests/apps/common.sh
source "$(dirname "$0")/common.sh"
need clinfo

run 60 clinfo
expect "Platform Name +$platform"
expect "Device Name +[^ ]"
expect_none "error [-0-9]|error>|CL_INVALID|CL_OUT_OF|[^-]failed|: -[0-9]+$"

find_device
for property in PLATFORM_{NAME,VENDOR,VERSION,PROFILE,EXTENSIONS,NUMERIC_VERSION,ICD_SUFFIX_KHR} \
	DEVICE_{NAME,VENDOR,VENDOR_ID,VERSION,NUMERIC_VERSION,TYPE,PROFILE,AVAILABLE,COMPILER_AVAILABLE} \
	DEVICE_{MAX_COMPUTE_UNITS,MAX_CLOCK_FREQUENCY,MAX_WORK_GROUP_SIZE,MAX_WORK_ITEM_SIZES} \
	DEVICE_{GLOBAL_MEM_SIZE,MAX_MEM_ALLOC_SIZE,LOCAL_MEM_SIZE,GLOBAL_MEM_CACHE_SIZE,LINKER_AVAILABLE} \
	DEVICE_{PARTITION_PROPERTIES,OPENCL_C_ALL_VERSIONS,OPENCL_C_FEATURES,PRINTF_BUFFER_SIZE,EXTENSIONS}; do
	grep -Eq "CL_$property +[^ ]" "$output" || fail "clinfo does not show CL_$property"
done
[[ $(grep -c ' CL_DEVICE_' "$output") -ge 90 ]] || fail "clinfo shows too few properties"
if [[ $platform == Weft ]]; then
	grep -Eq "CL_PLATFORM_ICD_SUFFIX_KHR +WEFT" "$output" || fail "the ICD suffix is not WEFT"
fi
echo "passed: $(grep -c ' CL_' "$output") properties of $device"
