# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Sourced by examples/run and tests/run: installs the missing ones of cmake/packages.txt, and builds a
# preset. Touches the network only when something is missing. Errors end the script that sourced it.

weft_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

weft_die()
{
	echo "$(basename "$0"): $*" >&2
	exit 1
}

weft_log_apt=$(mktemp -u "${TMPDIR:-/tmp}/weft-apt.XXXXXX")

weft_die_with_log()
{
	tail -n 20 "$weft_log_apt" >&2
	weft_die "$* failed; the whole output is in $weft_log_apt"
}

# The packages of the groups $@ that dpkg does not list as installed.
weft_missing_packages()
{
	local wanted group package
	wanted=$(while read -r group package; do
		if [[ " $* " == *" $group "* ]]; then
			echo "$package"
		fi
	done <"$weft_root/cmake/packages.txt")
	comm -23 <(sort -u <<<"$wanted") \
		<(dpkg-query -W -f '${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p' | sort -u)
}

# Installs what is missing of the groups $@.
weft_install_packages()
{
	local missing=() as_root=()
	command -v dpkg-query >/dev/null ||
		weft_die "this is not Debian: install what cmake/packages.txt names by hand"
	mapfile -t missing < <(weft_missing_packages "$@")
	[[ ${#missing[@]} -gt 0 ]] || return 0
	if [[ $(id -u) != 0 ]]; then
		command -v sudo >/dev/null || weft_die "run as root, or install sudo; missing: ${missing[*]}"
		as_root=(sudo)
	fi
	echo "installing: ${missing[*]}"
	"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q >"$weft_log_apt" 2>&1 ||
		weft_die_with_log "apt-get update"
	"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
		--no-install-recommends "${missing[@]}" >>"$weft_log_apt" 2>&1 ||
		weft_die_with_log "apt-get install (LLVM 22 comes with Debian's bookworm-security)"
	rm -f "$weft_log_apt"
}

# Configures and builds preset $1, targets ${@:2} or everything.
weft_build_preset()
{
	local preset=$1
	shift
	(cd "$weft_root" && cmake --preset "$preset" --log-level=WARNING >/dev/null &&
		cmake --build --preset "$preset" ${1:+--target "$@"}) ||
		weft_die "building the $preset preset failed"
}
