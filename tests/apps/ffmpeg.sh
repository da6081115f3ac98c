#!/bin/bash
# SPDX-License-Identifier: MIT
#
# ffmpeg's OpenCL filters, each beside the software filter of the same name on a generated clip: the PSNR of all planes is
# at least what the two implementations leave (they round differently); geometry is exact. Borders are cut off where the
# two extend the picture differently. Every kernel has images as arguments, says the trace.
# shellcheck source=tests/apps/common.sh
source "$(dirname "$0")/common.sh"
need ffmpeg
find_device
trace_kernels
clip="testsrc2=size=320x240:rate=6"
cut=",crop=iw-64:ih-64"
cd "$scratch"

cat >program.cl <<'END'
const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
const sampler_t linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

kernel void mix_images(write_only image2d_t to, unsigned frame, read_only image2d_t a, read_only image2d_t b)
{
	int2 at = (int2)(get_global_id(0), get_global_id(1));
	write_imagef(to, at, (read_imagef(a, nearest, at) + read_imagef(b, nearest, at)) / 2);
}

kernel void scale(write_only image2d_t to, unsigned frame, read_only image2d_t from)
{
	int2 at = (int2)(get_global_id(0), get_global_id(1));
	float2 where = (convert_float2(at) + 0.5f) / convert_float2(get_image_dim(to));
	write_imagef(to, at, read_imagef(from, linear, where));
}
END

frames=6
# check NAME LEAST GRAPH: some frames through the graph, whose last filter is psnr; LEAST dB, or inf: the same bits.
check()
{
	local name=$1 least=$2 psnr
	run 120 ffmpeg -hide_banner -nostdin -init_hw_device opencl=device:0.0 -filter_hw_device device \
		-f lavfi -i "$clip" -f lavfi -i "testsrc=size=320x240:rate=6" -lavfi "$3" -frames:v $frames -f null -
	psnr=$(sed -nE 's/.*PSNR.* average:([^ ]+) .*/\1/p' "$output" | tail -n 1)
	awk -v got="$psnr" -v least="$least" 'BEGIN { exit !(got == "inf" || (least != "inf" && got + 0 >= least)) }' ||
		fail "$name: PSNR '$psnr' dB, less than $least"
	echo "right: $name (PSNR $psnr dB)"
}

# both NAME LEAST FORMAT OPENCL SOFTWARE [AFTER]: one filter beside the other.
both()
{
	local name=$1 least=$2 format=$3 opencl=$4 software=$5 after=${6-}
	check "$name" "$least" "[0]format=$format,split[a][b];
		[a]hwupload,$opencl,hwdownload,format=$format$after[x];[b]$software,format=$format$after[y];[x][y]psnr"
}

# both_of_two NAME LEAST OVERLAY OPENCL SOFTWARE: of two inputs; OVERLAY changes the second.
both_of_two()
{
	local name=$1 least=$2 second=$3 opencl=$4 software=$5
	check "$name" "$least" "[0]format=yuv420p,split[a][b];[1]$second,format=yuv420p,split[c][d];
		[a]hwupload[e];[c]hwupload[f];[e][f]$opencl,hwdownload,format=yuv420p[x];[b][d]$software[y];[x][y]psnr"
}

for format in yuv420p nv12 yuv444p rgba p010le; do
	both "avgblur $format" 52 $format avgblur_opencl=3 avgblur=3 $cut
	both "transpose $format" inf $format transpose_opencl=1 transpose=1
done
for direction in 0 2 3; do
	both "transpose $direction" inf yuv420p transpose_opencl=$direction transpose=$direction
done
both unsharp 43 yuv420p unsharp_opencl=lx=5:ly=5:la=1.5:cx=5:cy=5:ca=0.8 unsharp=5:5:1.5:5:5:0.8 $cut
both nlmeans 57 yuv420p nlmeans_opencl=s=3:p=7:r=9 nlmeans=s=3:p=7:r=9 $cut
both boxblur inf yuv420p boxblur_opencl=3:1 boxblur=3:1 $cut
both sobel 60 yuv420p sobel_opencl sobel $cut
both prewitt 60 yuv420p prewitt_opencl prewitt $cut
both roberts 58 yuv420p roberts_opencl roberts $cut
both erosion inf yuv420p erosion_opencl erosion
both dilation inf yuv420p dilation_opencl dilation
ones="'1 1 1 1 1 1 1 1 1'"
both convolution inf yuv420p "convolution_opencl=$ones:$ones:$ones:$ones:1/9:1/9:1/9:1/9" \
	"convolution=$ones:$ones:$ones:$ones:1/9:1/9:1/9:1/9" $cut
both_of_two overlay inf scale=64:48 overlay_opencl=40:60 overlay=40:60
both_of_two "program, two inputs" 49 null program_opencl=program.cl:mix_images:inputs=2 blend=all_mode=average
both "program, linear" 60 yuv420p program_opencl=program.cl:scale:size=480x360 scale=480:360:flags=bilinear
# The OpenCL filter measures the brightness of the frames, and adapts; the other one does not: the first frame of a dark clip.
# It does not clear its buffer of counters (init_tonemap_opencl), and begins with whatever is there: with zeros here.
frames=1
export MALLOC_PERTURB_=255
clip="smptehdbars=size=320x240:rate=6,format=yuv444p"
clip+=",lutyuv=y=16+(val-16)*0.3:u=128+(val-128)*0.15:v=128+(val-128)*0.15,format=p010le"
for curve in hable clip; do
	check "tonemap $curve" 32 "[0]setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc:range=tv,split[a][b];
		[a]hwupload,tonemap_opencl=tonemap=$curve:t=bt709:m=bt709:p=bt709:desat=0:peak=10:format=nv12,
		hwdownload,format=nv12,format=yuv420p[x];
		[b]zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=$curve:desat=0:peak=10,
		zscale=t=bt709:m=bt709:r=tv,format=yuv420p[y];[x][y]psnr"
done
expect_images
echo "passed: ffmpeg's filters on $device"
