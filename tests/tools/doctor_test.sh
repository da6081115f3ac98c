#!/bin/bash
# SPDX-License-Identifier: MIT
#
# doctor_test.sh WEFT OTHER DRIVER PLATFORMS: `weft doctor` finds nothing where nothing is wrong, and each of the faults that are
# planted, with a line on how to mend it. Faults that do not hide one another are planted together, as a run loads all libraries.
set -uo pipefail
weft=$1 other=$2 driver=$3 platforms=$4
# shellcheck source=tests/tools/common.sh
source "$(dirname "$0")/common.sh"
export XDG_CACHE_HOME=$scratch/cache
unset VIRTUAL_ENV CONDA_PREFIX
# Without these capabilities, root may not read each file either.
denied=()
((EUID != 0)) || denied=(setpriv --bounding-set=-dac_override,-dac_read_search)

# finds VERDICT TEXT: the last run has a line with the verdict, and the text in it or in the lines up to the next verdict.
finds()
{
	# The lines of a verdict become one.
	sed -E ':a;N;$!ba;s/\n         ( *)/ /g' out | grep -F -e "  $1" | grep -qF -e "$2" ||
		fail "weft doctor has no $1 with '$2'"
}

# Nothing wrong.
mkdir good
echo "$driver" >good/weft.icd
OCL_ICD_VENDORS=$PWD/good expect 0 '0 faults' doctor sh
finds ok 'a kernel compiles and computes'
finds ok 'good has Weft'
finds ok 'finds Weft'
finds note 'is not linked with a loader'

# Files of drivers, the installation, the loader, the cache, and a program.
mkdir bad brokenlibs
echo "$driver" >bad/denied.icd
chmod a-r bad/denied.icd
printf '%s\r\n' "$driver" >bad/cr.icd
: >bad/empty.icd
mkdir bad/folder.icd
mkfifo bad/fifo.icd
echo "$other" >"bad/$(printf 'escape\033[31m').icd"
ln -s nowhere bad/link.icd
echo /nowhere/libweft.so.1 >bad/missing.icd
echo garbage >brokenlibs/libweft.so.1
echo "$PWD/brokenlibs/libweft.so.1" >bad/garbage.icd
echo libm.so.6 >bad/math.icd
cp brokenlibs/libweft.so.1 brokenlibs/libOpenCL.so.1
mkdir -p cache/weft
chmod 777 cache/weft
printf '\177ELF\001\001\001%057d' 0 >program32
chmod +x program32
# The other driver starts a process, which has its parent's streams.
(
	program=$weft weft=run_denied
	run_denied() { "${denied[@]}" "$program" "$@"; }
	LD_LIBRARY_PATH=$PWD/brokenlibs OCL_ICD_VENDORS=$PWD/bad WEFT_COMPILER=/nowhere/compiler.so WEFT_THREADS=many \
		OTHER_FORKS=1 expect 1 'mend:' doctor ./program32
) || exit 1
finds FAULT 'denied.icd cannot be read: Permission denied mend: chmod a+r'
finds FAULT 'cr.icd has white space'
finds FAULT 'empty.icd names no library'
finds FAULT 'folder.icd cannot be read: Is a directory'
finds FAULT 'link.icd cannot be read: No such file or directory mend: remove it'
finds FAULT 'fifo.icd cannot be read: Invalid argument'
finds ok 'escape?[31m.icd: another driver'
finds FAULT 'missing.icd does not load'
finds FAULT 'garbage.icd does not load'
finds FAULT 'is a Weft that loads'
finds note 'math.icd does not load: it is no OpenCL driver'
finds FAULT 'the kernel compiler loads: no'
finds FAULT 'libOpenCL.so.1: '
finds note 'WEFT_THREADS=many does not parse'
finds note 'others can write to it'
finds FAULT 'another kind of machine than Weft, of 32 bits'

# Variables that hide Weft, no device, limits.
echo "$other" >good/other.icd
cp "$(type -P true)" true
chmod u+s true
space=1000000 # KiB; a program with AddressSanitizer does not start in less than 20 TiB
(ulimit -v $space && "$weft" --version >out 2>err) || space=unlimited
(
	ulimit -v $space
	ulimit -n 40
	OCL_ICD_VENDORS=$PWD/good/other.icd WEFT_DEVICES=gpu WEFT_CACHE=0 expect 1 'mend:' doctor ./true
) || exit 1
finds FAULT 'other.icd replaces /etc/OpenCL/vendors, and has no Weft'
finds FAULT 'a kernel compiles and computes: no'
finds FAULT 'does not find Weft, but Other'
finds note 'it is off: WEFT_CACHE=0'
[[ $space == unlimited ]] || finds FAULT 'bytes of address space: limited'
finds FAULT 'open files: limited to 40'
finds note 'true has more rights than its user'

if (($(nproc) > 1)) && core=$(taskset -cp $$ | sed -E 's/.*: ([0-9]+).*/\1/') && taskset -cp "$core" $$ >/dev/null; then
	OCL_ICD_VENDORS=$PWD/nowhere expect 1 'nowhere: No such file' doctor no-such-program
	finds note 'this process may run on 1 of'
	finds FAULT 'there is no such program'
fi
# A program may name anything as its dynamic linker: that is not started. Its environment has a loader, too.
environment='home/bin/a[b]'
mkdir -p "$environment/bin" "$environment/lib"
echo garbage >"$environment/lib/libOpenCL.so.1"
cp "$(type -P true)" "$environment/bin/linker"
sed -i 's,/lib64/ld-linux-x86-64.so.2,/tmp//./ld-linux-x86-64.not,' "$environment/bin/linker"
PATH=$PATH:$environment/bin OCL_ICD_VENDORS=$PWD/good expect 1 '1 faults' doctor linker
finds FAULT "$environment/lib/libOpenCL.so.1: "
finds note 'not started to see what it loads'
OCL_ICD_VENDORS=$PWD/good expect 1 'there is no such program' doctor bad/fifo.icd
# What the dynamic linker says of a program that lacks its loader, and of one that is damaged.
sed 's,libOpenCL.so.1,libOpenCL.so.9,' "$platforms" >lacking
cp "$platforms" damaged
printf '\001' | dd of=damaged bs=1 seek=54 conv=notrunc status=none # the size of program headers
chmod +x lacking
OCL_ICD_VENDORS=$PWD/good expect 1 'install an OpenCL loader' doctor ./lacking
finds FAULT 'lacking cannot start: libOpenCL.so.9 => not found'
# Long names are shown as they are.
long=$PWD$(printf "/%0200d" 1 2 3 4 5 6)
mkdir -p "$long"
cp good/weft.icd "$long"
OCL_ICD_VENDORS=$long expect 1 'damaged cannot be loaded: ' doctor ./damaged
finds ok '6 has Weft'
# An empty folder in PATH is this one.
cp "$platforms" linked
PATH=$PATH: OCL_ICD_VENDORS=$PWD/good expect 0 '' doctor linked
finds ok 'linked is linked with libOpenCL'
# How a child ends is known although the caller has no interest in its children's ends. The program can be run, but not be read.
cp linked unreadable
chmod 311 unreadable
mkdir -m 0 closed
OCL_ICD_VENDORS=$PWD/closed python3 -c 'import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execvp(sys.argv[1], sys.argv[1:])' \
	"${denied[@]}" "$weft" doctor ./unreadable >out 2>err
finds FAULT 'is a Weft that loads'
finds FAULT 'closed: Permission denied mend: chmod a+rx'
finds note 'unreadable cannot be read to see what it loads: Permission denied'
expect 2 'does not take' doctor sh sh
echo "passed"
