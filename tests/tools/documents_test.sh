#!/bin/bash
# SPDX-License-Identifier: MIT
#
# documents_test.sh WEFT: help texts, man pages and completions have every command and option; the shells take the completions.
set -uo pipefail
weft=$1
# shellcheck source=tests/tools/common.sh
source "$(dirname "$0")/common.sh"

expect 2 'usage: weft'
expect 0 'weft compile' --help
expect 0 'weft ' --version
expect 2 'unknown command' explode
expect 2 'takes bash, zsh or fish' completion tcsh
expect 2 'does not take' completion bash zsh
expect 2 'no command' man explode
"$weft" man >/dev/full 2>err
(($? == 3)) || fail "a full disk is not noticed"

commands=$("$weft" --help | sed -nE 's/^  weft ([a-z]+) .*/\1/p')
for shell in bash zsh fish; do
	"$weft" completion $shell >completion.$shell || fail "completion of $shell"
done
bash -n completion.bash || fail "bash does not read its completion"
for shell in zsh fish; do
	if command -v $shell >/dev/null; then
		$shell -n completion.$shell || fail "$shell does not read its completion"
	fi
done
all=$(cat completion.*)
for command in $commands; do
	"$weft" "$command" --help >"$command.help" || fail "weft $command --help"
	"$weft" man "$command" >"$command.1" || fail "weft man $command"
	man=$(<"$command.1") help=$(<"$command.help")
	[[ $help == *--help* && $all == *"complete -c weft -n __weft_needs_command -a $command "* ]] || fail "$command"
	while [[ $help =~ \ \ --([a-z-]+) ]]; do
		option=${BASH_REMATCH[1]} help=${help#*"${BASH_REMATCH[0]}"}
		[[ ${man//\\-/-} == *"--$option"* ]] || fail "weft-$command.1 has no --$option"
		[[ $(<completion.bash) == *"--$option "* && $(<completion.zsh) == *"--$option"* &&
			$(<completion.fish) == *" -l $option "* ]] || fail "a shell does not complete --$option"
	done
done
(($(cat ./*.help | wc -L) < 80)) || fail "lines of help are too long"
if command -v groff >/dev/null; then
	groff -man -Tutf8 -ww ./*.1 2>&1 >/dev/null | grep . && fail "groff complains"
fi

# What bash offers for the last of the words.
offers()
{
	local expected=$1
	shift
	# shellcheck disable=SC2016
	[[ $(bash -c 'source ./completion.bash; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _weft; echo "${COMPREPLY[@]}"' bash \
		"$@" 2>/dev/null) == "$expected" ]] || fail "bash does not offer '$expected' for '$*'"
}
touch source.cl
offers "run" weft ru
offers "--emit" weft compile --em
offers "binary source-ir ir assembly" weft compile --emit ""
offers "assembly" weft compile --emit = a
offers "source.cl" weft compile --cpu native sour
offers "--threads" weft run --only --thr
offers "source.cl" weft run --threads 3 cat sour
offers "pthread" weft run --devices p
echo "passed"
