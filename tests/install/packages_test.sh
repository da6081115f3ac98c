#!/bin/bash
# SPDX-License-Identifier: MIT
#
# packages_test.sh BUILD PROGRAM LIBDIR: what BUILD installs is what the packages' lists of files say, and the wheel's folders work.
# The packages themselves take minutes: packaging/debian/build and packaging/wheel/build make them, the checks beside those install
# them.
set -euo pipefail
build=$1 program=$2 libdir=$3
here=$(cd "$(dirname "$0")" && pwd)
packaging=$here/../../packaging
scratch=$(mktemp -d "${TMPDIR:-/tmp}/weft-packages.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
for variable in ${!WEFT_@} ${!OCL_ICD_@} ${!OPENCL_@}; do
	unset "$variable"
done
export WEFT_CACHE=0

fail()
{
	echo "FAILED: $*" >&2
	exit 1
}

cmake --install "$build" --prefix "$scratch/prefix" >"$scratch/log" || { cat "$scratch/log"; fail "cmake --install"; }

# Debian's packages hold each file once, or leave it out on purpose; each line of a list names a file. Where the files lie is what
# packaging/debian/rules asks for.
root=$scratch/root
mkdir -p "$root"
cp -rl "$scratch/prefix" "$root/usr"
mv "$root/usr/$libdir" "$scratch/libraries"
mkdir -p "$root/usr/lib/x86_64-linux-gnu"
mv "$scratch/libraries" "$root/usr/lib/x86_64-linux-gnu/weft"
mv "$root/usr/etc" "$root"
cd "$root"
for list in "$packaging"/debian/*.install "$packaging/debian/not-installed"; do
	while read -r pattern _; do
		[[ -n $pattern && $pattern != \#* ]] || continue
		# shellcheck disable=SC2086
		ls -d $pattern >>"$scratch/listed" || fail "$list: no file is called $pattern"
	done <"$list"
done
find . -type f -o -type l | cut -c 3- | sort | diff - <(sort "$scratch/listed") >"$scratch/log" || {
	cat "$scratch/log"
	fail "packaging/debian/*.install: '<': in no package, '>': twice"
}

# The wheel: pip would put these folders into an environment.
site=$scratch/site
cmake -S "$packaging/wheel" -B "$scratch/wheel" -DWEFT_PREFIX="$scratch/prefix" -DSKBUILD_PLATLIB_DIR="$site" \
	-DSKBUILD_DATA_DIR="$scratch/data" >"$scratch/log" 2>&1 && cmake --install "$scratch/wheel" >"$scratch/log" 2>&1 || {
	cat "$scratch/log"
	fail "packaging/wheel/CMakeLists.txt"
}
[[ -f $scratch/data/share/man/man1/weft.1 ]] || fail "the wheel has no man pages"
export PYTHONDONTWRITEBYTECODE=1

# python SITE SCRIPT ARGUMENT…: in an environment whose packages are in SITE.
python()
{
	local folder=$1 script=$2
	shift 2
	python3 -c "import sys; sys.path.insert(0, sys.argv.pop(1)); import subprocess, weft.command; $script" "$folder" "$@"
}
icd=$(python "$site" 'print(weft.icd_path())')
OCL_ICD_VENDORS=$icd "$program"
# Beside PyOpenCL's loader is another copy of the driver, without the compiler.
OCL_ICD_VENDORS=$site/pyopencl/.libs/libweft.so.1 "$program"
python "$site" 'weft.activate(); sys.exit(subprocess.call(sys.argv[1:]))' "$program"
python "$site" 'weft.command.main()' info >"$scratch/log"
grep -q 'compiler opens *yes' "$scratch/log" || fail "the wheel's weft finds no compiler"
# No list with colons can have the library's path.
mv "$site" "$scratch/a:b"
python "$scratch/a:b" 'weft.activate(); sys.exit(subprocess.call(sys.argv[1:]))' "$program" ||
	fail "an environment with a colon in its name"
# Nothing can be written into the package, and its path is longer than a name can be, and no text.
site=$scratch/$(printf '%0200d/%0200d' 1 2)$'\xff'
mkdir -p "$(dirname "$site")"
mv "$scratch/a:b" "$site"
rm -r "$site/weft/vendors"
: >"$site/weft/vendors"
export XDG_CACHE_HOME=$scratch/cache
icd=$(python "$site" 'print(weft.icd_path())')
OCL_ICD_VENDORS=$icd "$program" || fail "an environment that cannot be written to, of a long name"
echo "passed"
