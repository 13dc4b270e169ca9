#include "parse/assign.h"

#include "base/buf.h"
#include "check-span.h"

/*
 * Each assignment is shown as <name=value> with marks in front: x exported,
 * 1 for one command, + keeps the former value. No '=' means no value.
 */
static void show(struct buf *out, const struct assign *a)
{
	buf_char(out, '<');
	buf_text(out, a->exported ? "x" : "");
	buf_text(out, a->one_shot ? "1" : "");
	buf_text(out, a->appends ? "+" : "");
	buf_char(out, ' ');
	buf_span(out, a->name);
	buf_text(out, a->has_value ? "=" : "");
	buf_span(out, a->value);
	buf_char(out, '>');
}

static const struct {
	enum assign_dialect dialect;
	const char *line;
	const char *shown;
	const char *why;
} rows[] = {
	{ ASSIGN_SH, "A=b", "< A=b>", "a shell variable" },
	{ ASSIGN_SH, "  export HSA_OVERRIDE_GFX_VERSION=10.3.0\n",
	  "<x HSA_OVERRIDE_GFX_VERSION=10.3.0>", "the commonest line of all" },
	{ ASSIGN_SH, "export A=b C=d", "<x A=b><x C=d>", "two at once" },
	{ ASSIGN_SH, "export A", "<x A>", "exports what was set before" },
	{ ASSIGN_SH, "A=b; export A", "< A=b><x A>", "the old way" },
	{ ASSIGN_SH, "declare -x A=b", "<x A=b>", "bash" },
	{ ASSIGN_SH, "declare -rx A=b", "<x A=b>", "x in a cluster" },
	{ ASSIGN_SH, "declare A=b", "< A=b>", "without -x it stays in the shell" },
	{ ASSIGN_SH, "declare -x A; declare +x B=c", "<x A>< B=c>", "+x takes it back" },
	{ ASSIGN_SH, "declare A", "", "declares, sets nothing" },
	{ ASSIGN_SH, "typeset -gx A=b", "<x A=b>", "zsh" },
	{ ASSIGN_SH, "readonly A=b", "< A=b>", "set, not exported" },
	{ ASSIGN_SH, "export -n A=b", "< A=b>", "-n takes the export back" },
	{ ASSIGN_SH, "export -n A", "", "nothing set" },
	{ ASSIGN_SH, "export -f A", "", "a function" },
	{ ASSIGN_SH, "A=b command args", "<1 A=b>", "for one command" },
	{ ASSIGN_SH, "A=b C=d python x.py E=f", "<1 A=b><1 C=d>", "an argument is no assignment" },
	{ ASSIGN_SH, "env -i A=b C=d python E=f", "<1 A=b><1 C=d>", "env does the same" },
	{ ASSIGN_SH, "A=b C=d", "< A=b>< C=d>", "no command follows" },
	{ ASSIGN_SH, "A=b # why", "< A=b>", "a comment is no command" },
	{ ASSIGN_SH, "A=b 2>/dev/null", "< A=b>", "nor is a redirection" },
	{ ASSIGN_SH, "A=b >x", "< A=b>", "nor this one" },
	{ ASSIGN_SH, "# export A=b", "", "a comment" },
	{ ASSIGN_SH, "#export A=b; export C=d", "", "to the end of the line" },
	{ ASSIGN_SH, "A=b#c", "< A=b#c>", "inside a word it is none" },
	{ ASSIGN_SH, "A='b c'", "< A=b c>", "single quotes" },
	{ ASSIGN_SH, "export A=\"b c\" C=d", "<x A=b c><x C=d>", "double quotes" },
	{ ASSIGN_SH, "A=\"b\"c", "< A=\"b\"c>", "partly quoted: as written" },
	{ ASSIGN_SH, "A=b\\ c", "< A=b\\ c>", "an escaped blank" },
	{ ASSIGN_SH, "A=", "< A=>", "empty is a value" },
	{ ASSIGN_SH, "A=\"\"", "< A=>", "so is this" },
	{ ASSIGN_SH, "A=b && export C=d || E=f", "< A=b><x C=d>< E=f>", "and, or" },
	{ ASSIGN_SH, "[ -d /opt/rocm ] && export A=b", "<x A=b>", "behind a test" },
	{ ASSIGN_SH, "[ A=b ]", "", "arguments of a command" },
	{ ASSIGN_SH, "if [ -z \"$A\" ]; then export A=b; fi", "<x A=b>", "in a branch" },
	{ ASSIGN_SH, "case $x in a) A=b;; esac", "< A=b>", "in a case" },
	{ ASSIGN_SH, "f() { export A=b; }", "<x A=b>", "in a function" },
	{ ASSIGN_SH, "(export A=b)", "<x A=b>", "in a subshell" },
	{ ASSIGN_SH, "alias x='export A=b'", "", "an alias" },
	{ ASSIGN_SH, "echo export A=b", "", "an argument" },
	{ ASSIGN_SH, "export PATH=/opt/rocm/bin:$PATH", "<x+ PATH=/opt/rocm/bin:$PATH>",
	  "keeps the old" },
	{ ASSIGN_SH, "export PATH=\"${PATH:+${PATH}:}/x\"", "<x+ PATH=${PATH:+${PATH}:}/x>",
	  "in braces" },
	{ ASSIGN_SH, "PATH+=:/x", "<+ PATH=:/x>", "bash's way" },
	{ ASSIGN_SH, "export A='$A'", "<x A=$A>", "nothing is expanded in single quotes" },
	{ ASSIGN_SH, "export A=$AB:\\$A", "<x A=$AB:\\$A>", "another name, and an escaped one" },
	{ ASSIGN_SH, "export A=$B", "<x A=$B>", "another variable" },
	{ ASSIGN_SH, "A=$(ls -l; B=c) C=d", "< A=$(ls -l; B=c)>< C=d>", "a command inside" },
	{ ASSIGN_SH, "A=`ls -l` C=d", "< A=`ls -l`>< C=d>", "in backquotes" },
	{ ASSIGN_SH, "A=(b c) D=e", "< A=(b c)>< D=e>", "an array" },
	{ ASSIGN_SH, "(( A=1 ))", "", "arithmetic" },
	{ ASSIGN_SH, "A=\"b; C=d\"", "< A=b; C=d>", "a quoted semicolon" },
	{ ASSIGN_SH, "A=\"open; C=d", "< A=\"open; C=d>", "never closed" },
	{ ASSIGN_SH, "export A=b \\\n  C=d", "<x A=b><x C=d>", "goes on in the next line" },
	{ ASSIGN_SH, "# x \\\nexport A=b", "<x A=b>", "but a comment does not" },
	{ ASSIGN_SH, "export A=b\\\nC=d", "<x A=b><x C=d>", "a torn word is two" },
	{ ASSIGN_SH, "A=\"b\\\"c; d\" E=f", "< A=b\\\"c; d>< E=f>", "an escaped quote" },
	{ ASSIGN_SH, "A=$(echo \")\") C=d", "< A=$(echo \")\")>< C=d>", "a quoted bracket" },
	{ ASSIGN_SH, "A[0]=b", "", "an element" },
	{ ASSIGN_SH, "1A=b", "", "no name" },
	{ ASSIGN_SH, "A =b", "", "a command called A" },
	{ ASSIGN_SH, "setenv A b", "", "another shell's word" },
	{ ASSIGN_SH, "", "", "empty" },

	{ ASSIGN_FISH, "set -gx A b", "<x A=b>", "usual" },
	{ ASSIGN_FISH, "set -x A b", "<x A=b>", "short" },
	{ ASSIGN_FISH, "set --global --export A 'b c'", "<x A=b c>", "long" },
	{ ASSIGN_FISH, "set A b", "< A=b>", "not exported" },
	{ ASSIGN_FISH, "set -gx --unexport A b", "< A=b>", "taken back" },
	{ ASSIGN_FISH, "set -gx PATH /opt/rocm/bin $PATH", "<x+ PATH=/opt/rocm/bin $PATH>",
	  "a list" },
	{ ASSIGN_FISH, "set -gxa PATH /x", "<x+ PATH=/x>", "appends" },
	{ ASSIGN_FISH, "set -gx --prepend PATH /x; set B c", "<x+ PATH=/x>< B=c>",
	  "only the first does" },
	{ ASSIGN_FISH, "set -e A", "", "unset" },
	{ ASSIGN_FISH, "set -q A; or set -gx A b", "<x A=b>", "only if unset" },
	{ ASSIGN_FISH, "set -gx A (pwd; ls)/b", "<x A=(pwd; ls)/b>", "a command inside" },
	{ ASSIGN_FISH, "set -gx A", "<x A=>", "the empty list" },
	{ ASSIGN_FISH, "set -gx A[1] b", "", "an element" },
	{ ASSIGN_FISH, "A=b python x.py", "<1 A=b>", "for one command" },
	{ ASSIGN_FISH, "export A=b", "<x A=b>", "fish knows it" },
	{ ASSIGN_FISH, "if test -d /x; set -gx A b; end", "<x A=b>", "in a branch" },

	{ ASSIGN_CSH, "setenv A b", "<x A=b>", "usual" },
	{ ASSIGN_CSH, "setenv A \"b c\" # x", "<x A=b c>", "quoted" },
	{ ASSIGN_CSH, "setenv PATH ${PATH}:/x", "<x+ PATH=${PATH}:/x>", "keeps the old" },
	{ ASSIGN_CSH, "setenv A", "<x A=>", "sets to nothing" },
	{ ASSIGN_CSH, "setenv A; setenv B c", "<x A=><x B=c>", "and goes on" },
	{ ASSIGN_CSH, "if ( ! $?A ) setenv A b", "<x A=b>", "in a branch" },
	{ ASSIGN_CSH, "set A=b", "", "a shell variable only" },
	{ ASSIGN_CSH, "A=b", "", "no assignment here" },

	{ ASSIGN_SYSTEMD, "Environment=A=b \"C=d e\" F=\"g h\"", "<x A=b><x C=d e><x F=g h>",
	  "three" },
	{ ASSIGN_SYSTEMD, "Environment = A=b", "<x A=b>", "blanks around" },
	{ ASSIGN_SYSTEMD, "Environment=A=$A;x", "<x A=$A;x>", "nothing is expanded or divided" },
	{ ASSIGN_SYSTEMD, "Environment=A=b \\\n C=d", "<x A=b><x C=d>", "goes on" },
	{ ASSIGN_SYSTEMD, "Environment=", "", "empties the list" },
	{ ASSIGN_SYSTEMD, "Environment=A", "", "no value" },
	{ ASSIGN_SYSTEMD, "DefaultEnvironment=A=b", "<x A=b>", "system.conf" },
	{ ASSIGN_SYSTEMD, "EnvironmentFile=/etc/default/x", "", "names a file" },
	{ ASSIGN_SYSTEMD, "", "", "empty" },
	{ ASSIGN_SYSTEMD, "PassEnvironment=A", "", "passes, sets nothing" },
	{ ASSIGN_SYSTEMD, "#Environment=A=b", "", "a comment" },
	{ ASSIGN_SYSTEMD, "ExecStart=/bin/env A=b x", "", "another key" },

	{ ASSIGN_PLAIN, "A=b c", "<x A=b c>", "to the end of the line" },
	{ ASSIGN_PLAIN, "A=\"b c\"\r\n", "<x A=b c>", "quoted" },
	{ ASSIGN_PLAIN, "export A=b", "<x A=b>", "pam_env allows it" },
	{ ASSIGN_PLAIN, "PATH=/x:${PATH}", "<x+ PATH=/x:${PATH}>", "environment.d" },
	{ ASSIGN_PLAIN, "A=", "<x A=>", "empty" },
	{ ASSIGN_PLAIN, "# A=b", "", "a comment" },
	{ ASSIGN_PLAIN, "A", "", "no value" },
	{ ASSIGN_PLAIN, "1A=b", "", "no name" },

	{ ASSIGN_DOCKER, "ENV A=b C=\"d e\"", "<x A=b><x C=d e>", "with '='" },
	{ ASSIGN_DOCKER, "ENV A b c", "<x A=b c>", "without" },
	{ ASSIGN_DOCKER, "env A=b \\\n  C=d", "<x A=b><x C=d>", "lower case, two lines" },
	{ ASSIGN_DOCKER, "ENV A", "", "no value" },
	{ ASSIGN_DOCKER, "RUN A=b make", "", "another instruction" },
	{ ASSIGN_DOCKER, "ENVIRONMENT A=b", "", "no instruction" },
};

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct buf shown BUF_SCOPED = { 0 };
		struct assign_reader reader = assign_start(rows[i].dialect, span_of(rows[i].line));
		struct assign a;

		while (assign_next(&reader, &a))
			show(&shown, &a);
		ROW_SPAN(buf_get(&shown), rows[i].shown, rows[i].why);
	}
	return check_end();
}
