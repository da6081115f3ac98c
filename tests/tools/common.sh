# SPDX-License-Identifier: MIT
# What the tests of `weft` share; a test sets `weft`, and works in a folder that goes with it.
scratch=$(mktemp -d "${TMPDIR:-/tmp}/weft-tools.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
for variable in ${!WEFT_@} ${!OCL_ICD_@} ${!OPENCL_@}; do
	unset "$variable"
done

fail()
{
	echo "FAILED: $*" >&2
	cat out err >&2
	exit 1
}

# expect STATUS TEXT ARGUMENT…: the program ends with STATUS, and its output or its complaint has TEXT.
expect()
{
	local status=$1 text=$2
	shift 2
	"$weft" "$@" >out 2>err
	local got=$?
	((got == status)) || fail "weft $* ended with $got, not $status"
	[[ -z $text ]] || grep -qF -e "$text" out err || fail "weft $* does not say '$text'"
}
