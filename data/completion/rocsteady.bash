# bash completion for rocsteady: the program itself knows what fits.
_rocsteady() {
	local line=${COMP_LINE:0:COMP_POINT} word current words=()
	read -ra words <<<"$line"
	[[ $line == *[[:space:]] ]] && words+=("")
	current=${words[-1]}
	COMPREPLY=()
	while IFS=$'\t' read -r word _; do
		case $word in
		:files)
			compopt -o filenames 2>/dev/null
			while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "${current#--*=}")
			;;
		:dirs)
			compopt -o filenames 2>/dev/null
			while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "${current#--*=}")
			;;
		:commands)
			while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -c -- "$current")
			;;
		*) COMPREPLY+=("$word") ;;
		esac
	done < <("${words[0]}" completion -- "${words[@]:1}" 2>/dev/null)
	# Bash cuts words at : and =, and replaces only what is behind the last one.
	[[ $current == *[:=]* ]] && COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*[:=]}"}"}")
	return 0
}
complete -F _rocsteady rocsteady
