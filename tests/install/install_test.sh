#!/bin/bash
# SPDX-License-Identifier: MIT
#
# install_test.sh BUILD PROGRAM LIBDIR: installs BUILD, moves the folder, and runs PROGRAM on it with a cold and with a
# warm cache, through a folder and through a file in OCL_ICD_VENDORS; then finds it by pkg-config and by CMake.
set -euo pipefail
build=$1 program=$2 libdir=$3
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/weft-install.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

fail()
{
	echo "FAILED: $*" >&2
	exit 1
}

cmake --install "$build" --prefix "$scratch/first" >"$scratch/log" || { cat "$scratch/log"; fail "cmake --install"; }
mv "$scratch/first" "$scratch/second"
prefix=$scratch/second
find "$prefix" -type f -o -type l | sort
if grep -rIlF -e "$scratch/first" -e "$build" "$prefix"; then
	fail "these files hold a path from before the move"
fi

# Stripped, with the symbols beside it, of the same build.
build_id()
{
	readelf --notes --wide "$1" 2>/dev/null | sed -nE 's/.*Build ID: ([0-9a-f]+).*/\1/p'
}
for name in libweft.so.1 libweft-compiler.so; do
	file=$prefix/$libdir/$name symbols=$prefix/$libdir/.debug/$name.debug
	if readelf --sections --wide "$file" | grep -E ' \.(symtab|debug_)'; then
		fail "$name is not stripped"
	fi
	readelf --string-dump=.gnu_debuglink "$file" | grep -qF "$name.debug" || fail "$name does not name its symbols"
	[[ -n $(build_id "$file") && $(build_id "$file") == "$(build_id "$symbols")" ]] || fail "$name's symbols are others"
	nm "$symbols" | grep -E ' [tT] ' >"$scratch/log" || fail "$symbols has no symbols"
done

for variable in ${!WEFT_@} ${!OCL_ICD_@}; do
	unset "$variable"
done
export LD_LIBRARY_PATH=$prefix/$libdir WEFT_CACHE_DIR=$scratch/cache
OCL_ICD_VENDORS=$prefix/etc/OpenCL/vendors "$program"
OCL_ICD_VENDORS=$prefix/etc/OpenCL/vendors/weft.icd "$program"
[[ -n $(find "$WEFT_CACHE_DIR" -type f) ]] || fail "nothing is in the cache"

export PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
[[ $(realpath "$(pkg-config --variable=vendorsdir weft)") == "$prefix/etc/OpenCL/vendors" ]] ||
	fail "pkg-config gives $(pkg-config --variable=vendorsdir weft)"
cmake -S "$here/package" -B "$scratch/package" -DCMAKE_PREFIX_PATH="$prefix" -DEXPECTED="$prefix" \
	>"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "find_package(weft)"; }
echo "passed"
