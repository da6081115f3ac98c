#!/bin/bash
# SPDX-License-Identifier: MIT
#
# darktable-cli develops a generated picture with OpenCL and without: darktable_test.py makes the picture and a history
# for each group of modules, and compares the results, with the tolerance of darktable's own integration tests. Every
# module runs on the device, as darktable says; its kernels have images as arguments, as the trace says.
# shellcheck source=tests/apps/common.sh
source "$(dirname "$0")/common.sh"
need darktable-cli darktable-cltest
tool=$(dirname "$0")/darktable_test.py
if ! /usr/bin/python3 -c 'import cv2' 2>"$output"; then
	[[ ${WEFT_REQUIRE_APPS:-0} != 1 ]] || fail "python3-opencv does not work: $(tail -n 1 "$output")"
	echo "skipped: python3-opencv is not installed"
	exit 77
fi
find_device
settings=$XDG_CONFIG_HOME/darktable/darktablerc

# darktable disables a CPU in the line that it writes for a new device: the eighth number. And it switches OpenCL off
# where a benchmark says that its own code is faster, unless the checksum of the devices is OFF.
mkdir -p "$(dirname "$settings")"
echo "opencl_checksum=OFF" >"$settings"
run 600 darktable-cltest
expect "discarding new device as emulated by CPU"
sed -i -E 's/^(cldevice_v4_[a-z0-9]+=([0-9]+ ){7})1 /\10 /' "$settings"
grep -Eq '^cldevice_v4_[a-z0-9]+=([0-9]+ ){7}0 ' "$settings" || fail "darktable's line for the device has another form"
run 600 darktable-cltest
expect "FINALLY: opencl is AVAILABLE"
grep -F "'$device'" "$output" | head -n 1

# develop HISTORY RESULT OPTION…
develop()
{
	run 300 darktable-cli "$scratch/in.tiff" "$scratch/$1.xmp" "$scratch/$2" \
		--core --library :memory: --conf plugins/imageio/format/png/bpp=8 "${@:3}"
}

trace_kernels
run 60 /usr/bin/python3 "$tool" make "$scratch"
for history in $(cat "$output"); do
	develop "$history" cpu.png --disable-opencl
	develop "$history" opencl.png -d opencl -d perf
	expect_none "error|could not run|falling back"
	grep -o "processed .*on CPU" "$output" | grep -v "display encoding" && fail "$history: not all of it ran on the device"
	modules=$(sed -nE "s/.*processed \`(.*)' on GPU.*/\1/p" "$output" | paste -sd,)
	run 60 /usr/bin/python3 "$tool" compare "$scratch/cpu.png" "$scratch/opencl.png"
	echo "right: $modules ($(cat "$output"))"
	rm "$scratch"/*.png
done
expect_images
echo "passed: darktable on $device"
