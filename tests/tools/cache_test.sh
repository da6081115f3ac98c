#!/bin/bash
# SPDX-License-Identifier: MIT
#
# cache_test.sh WEFT PROGRAM: what `weft cache` says and does to a cache that PROGRAM, which builds a kernel, has filled, to a damaged
# one, and to folders that are none.
set -uo pipefail
weft=$1 program=$2
# shellcheck source=tests/tools/common.sh
source "$(dirname "$0")/common.sh"
export WEFT_CACHE_DIR=$scratch/cache WEFT_CACHE_SIZE=64M

expect 0 'cache: 0 entries, 0 bytes of 64 MiB' cache
expect 0 'removed 0 entries' cache clear
expect 0 '0 entries are sound' cache verify
[[ ! -e cache ]] || fail "looking at the cache makes its folder"

"$weft" run --only "$program" >out 2>err || fail "$program"
expect 0 'executable' cache list
entry=$(sed -nE 's/^([0-9a-f]{32}\.weft) .*/\1/p' out | head -n 1)
[[ -f cache/$entry ]] || fail "the list names no file"
count=$(find cache -name '*.weft' | wc -l)
expect 0 "cache: $count entries" cache size
expect 0 "$count entries are sound, 0 are of another version, 0 are damaged" cache verify

# A byte of the header's version, one of its contents, a name that is not the entry's key, and a file that is not there whole.
touch -d '2001-01-01' "cache/$entry"
cp "cache/$entry" saved
printf '\001' | dd of="cache/$entry" bs=1 seek=8 conv=notrunc status=none
expect 0 '1 are of another version' cache verify
cp saved "cache/$entry"
printf 'x' | dd of="cache/$entry" bs=1 seek=200 conv=notrunc status=none
expect 1 "$entry" cache verify
expect 0 'damaged' cache list
cp -p saved "cache/0123456789abcdef0123456789abcdef.weft"
head -c 20 saved >"cache/00000000000000000000000000000000.weft"
touch "cache/ffffffffffffffffffffffffffffffff.weft"
expect 1 '4 are damaged' cache verify
expect 0 '4 are damaged and were removed' cache verify --remove
expect 0 "$((count - 1)) entries are sound, 0 are of another version, 0 are damaged" cache verify
# To look at an entry is not to use it.
cp -p saved "cache/$entry"
touch -d '2001-01-01' "cache/$entry"
expect 0 '2001-01-01' cache list
expect 0 "$count entries are sound" cache verify
[[ -n $(find "cache/$entry" ! -newermt '2001-01-02') ]] || fail "verifying counts as use"

# What the user keeps in the folder is not looked at, whatever it is called.
foreign=(mine usage tmp-mine tmp-1-2-3-4 cloth.weft 0123456789ABCDEF0123456789ABCDEF.weft 0123456789abcdef0123456789abcdef.wefty)
for file in "${foreign[@]}"; do
	touch -d '2001-01-01' "cache/$file"
done
ln -s nowhere cache/0123456789abcdef0123456789abcdef.weft
# Who may not write to the folder is told so, root as well.
if ((EUID != 0)) || command -v setpriv >/dev/null; then
	powerless=()
	((EUID != 0)) || powerless=(setpriv --bounding-set=-dac_override,-dac_read_search)
	chmod 500 cache
	"${powerless[@]}" "$weft" cache clear >out 2>err
	(($? == 3)) && grep -qF 'removed 0 entries' out && grep -qF 'cannot be removed: Permission denied' err ||
		fail "clearing a folder that cannot be written to"
	chmod 700 cache
fi
expect 0 "removed $count entries" cache clear
rm cache/0123456789abcdef0123456789abcdef.weft || fail "clearing removes a link"
for file in "${foreign[@]}"; do
	rm "cache/$file" || fail "clearing removes $file"
done
[[ -z $(ls -A cache) ]] || fail "clearing leaves $(ls -A cache)"

expect 2 'size, list, clear or verify' cache explode
expect 2 'does not take' cache list clear
expect 2 'for weft cache verify' cache clear --remove
WEFT_CACHE=0 expect 3 'WEFT_CACHE=0' cache
chmod 777 cache
expect 3 'others can write to it' cache clear
WEFT_CACHE_DIR=/dev/null expect 3 'Not a directory' cache list
env -u WEFT_CACHE_DIR -u HOME -u XDG_CACHE_HOME "$weft" cache >out 2>err
(($? == 3)) || fail "there is a cache without a home"
echo "passed"
