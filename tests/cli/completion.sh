#!/usr/bin/env bash
# What a shell offers behind rocsteady, by the shells themselves: bash with
# bash-completion, zsh in a terminal of its own, fish by its own question.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
mkdir "$WORK/bin" "$WORK/here" "$WORK/here/folder" "$WORK/home"
ln -s "$ROCSTEADY" "$WORK/bin/rocsteady"
export PATH=$WORK/bin:$PATH HOME=$WORK/home
cd "$WORK/here" && : >train.log && : >'two words.log' || exit 1
SHELLS=0

# ---- each shell: the candidates for a line, one a line ----

in_bash() {
	bash --norc --noprofile -c '
		[ -r /usr/share/bash-completion/bash_completion ] && . /usr/share/bash-completion/bash_completion
		eval "$(rocsteady completion bash)"
		COMP_LINE=$1 COMP_POINT=${#1}
		read -ra COMP_WORDS <<<"$1"
		[[ $1 == *" " ]] && COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_rocsteady
		printf "%s\n" "${COMPREPLY[@]}"' - "$1" 2>&1
}
in_fish() {
	fish --no-config -c 'rocsteady completion fish | source; complete -C "$argv[1]"' "$1" 2>&1 | cut -f 1
}
# What the menu shows; there is no other way to ask zsh.
in_zsh() {
	zsh -f -c '
		zmodload zsh/zpty
		zpty z "PROMPT= TERM=dumb zsh -f -i"
		zpty -w z "cd $2; autoload -Uz compinit; compinit -u -D; eval \"\$(rocsteady completion zsh)\"; setopt no_beep; LISTMAX=0 COLUMNS=200"
		zpty -w z "zstyle \":completion:*\" list-separator \"|\"; zstyle \":completion:*\" verbose no; bindkey \"^X\" list-choices; print READY"
		zpty -r z line "*READY*READY*"
		zpty -w -n z "$1"$'"'"'\x18'"'"'
		sleep 1
		zpty -w -n z $'"'"'\x15'"'"'
		zpty -w z "print DO""NE"
		zpty -r z line "*DONE*"
		print -r -- $line
		zpty -d z' - "$1" "$WORK/here" 2>&1 | tr -d '\r' | tr -s ' ' '\n'
}

# offers LINE WORD...: each is among the candidates, in every shell that is here.
offers() {
	local line=$1 shell word found
	shift
	for shell in $shells; do
		found=$("in_$shell" "$line")
		for word; do
			check "$shell: '$line' offers $word; it offers: $(head -n 5 <<<"$found" | tr '\n' ' ')" grep -qxF -- "$word" <<<"$found"
		done
	done
}
# offers_not LINE WORD
offers_not() {
	local shell
	for shell in $shells; do
		check "$shell: '$1' does not offer $2" not_in "$2" "$("in_$shell" "$1")"
	done
}
not_in() { ! grep -qxF -- "$1" <<<"$2"; }

shells=
for shell in bash fish zsh; do
	if command -v "$shell" >/dev/null; then
		shells="$shells $shell"
		SHELLS=$((SHELLS + 1))
	else
		echo "not tried: there is no $shell here"
	fi
done

offers "rocsteady c" check completion
offers "rocsteady check --wh" --why
offers "rocsteady check --why vram-ex" vram-exhausted
offers "rocsteady kb " list show update
offers "rocsteady kb show join-r" join-render-group
offers "rocsteady kb update tr" train.log
offers "rocsteady facts gp" gpu gpus
offers "rocsteady probe --layer mem" memory
offers "rocsteady fix join-r" join-render-group
offers "rocsteady check --shell " bash powershell
offers "rocsteady explain tr" train.log
offers "rocsteady targets --require gfx110" gfx1100
offers "rocsteady targets --format sa" sarif
offers "rocsteady query --format c" csv
offers "rocsteady check --only gpu,xgmi" gpu,xgmi-link-down
offers "rocsteady check --skip lin" link
offers_not "rocsteady check --format sa" sarif
offers_not "rocsteady explain --wh" --why
offers_not "rocsteady kb --leve" --level

shells=bash
offers "rocsteady check --why=vram-ex" vram-exhausted
offers "rocsteady check --from=tr" train.log
offers "rocsteady probe --layer memory,rocb" memory,rocblas
offers "rocsteady snapshot --unpack " folder
offers_not "rocsteady snapshot --unpack " train.log
offers "rocsteady explain tw" "two words.log"
offers "rocsteady run --d" --dir
offers "rocsteady run -- ro" rocsteady
offers "rocsteady run -- python tr" train.log
offers "rocsteady --js" --json
offers "rocsteady advise --for o" ollama

# The command itself: every command and every option of its help is offered.
"$ROCSTEADY" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' >"$WORK/commands"
while read -r command; do
	check "$command is offered" grep -q "^$command	" <("$ROCSTEADY" completion -- "")
	while read -r option; do
		check "$command $option is offered" grep -q "^$option	" <("$ROCSTEADY" completion -- "$command" "-")
	done < <("$ROCSTEADY" "$command" --help | sed -n 's/^ *\(-[a-z], \)\{0,1\}\(--[a-z-]*\) .*/\2/p')
done <"$WORK/commands"
"$ROCSTEADY" completion >/dev/null 2>"$WORK/err"
check "without a shell it is a mistake" [ $? = 64 ]
"$ROCSTEADY" completion tcsh >/dev/null 2>"$WORK/err"
check "and with one that it does not know" [ $? = 64 ]
for words in "nonsense x" "check --why" "kb show a b c" "--" "run --" "-- --" "$(printf 'check \033')"; do
	# shellcheck disable=SC2086
	"$ROCSTEADY" completion -- $words >/dev/null 2>"$WORK/err"
	check "nothing typed is a mistake: $words" [ $? = 0 ]
	check "and nothing is said: $words" [ ! -s "$WORK/err" ]
done
[ "$SHELLS" -gt 0 ] || skip "no shell to try"
finish
