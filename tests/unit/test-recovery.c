#include "explain/recovery.h"

#include <string.h>

#include "base/span.h"
#include "check.h"

extern const char data_proofs[];

/* What a person's line states when questions, repeated words and past trouble are left out. */
static void check_stated(struct marks *proofs)
{
	static const struct {
		const char *line, *stated;
		size_t asked;
	} cases[] = {
		{ "Is my card dying? It crashes.", "It crashes.", 1 },
		{ "Is it broken?? RX 6800.", "RX 6800.", 1 },
		{ "Why does it crash?", "Why does it crash?", 0 },
		{ "How do I fix the hang?", "How do I fix the hang?", 0 },
		{ "Ollama says my GPU is dropped!!! It works.", "It works.", 1 },
		{ "I say that it hangs.", "I say that it hangs.", 0 },
		{ "all are \"unable to register\" here", "all are  here", 0 },
		{ "version 0.35.0 hangs", "version 0.35.0 hangs", 0 },
		{ "the game froze for some seconds. It hangs.", "It hangs.", 1 },
		{ "", "", 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena arena = { 0 };
		struct failure_recovery told = { 0 };
		struct recovery r = { .proofs = proofs, .arena = &arena, .told = &told };
		struct buf out = { 0 };
		struct span stated;

		stated = recovery_stated(&r, 1, span_of(cases[i].line), &out);
		if (!CHECK(span_is(stated, cases[i].stated) && told.asked_count == cases[i].asked))
			printf("  %s -> %.*s\n", cases[i].line, (int)stated.len, stated.data);
		buf_done(&out);
		arena_done(&arena);
	}
}

/* The last proof, and what fails behind it. */
static void check_proofs(struct marks *proofs)
{
	static const struct {
		const char *text; /* a line that fails begins with "!" */
		uint64_t proof, failed;
		bool by_driver;
		const char *why;
	} cases[] = {
		{ "!boom\nPrompt executed in 4.1 seconds", 2, 0, false, "work behind a failure" },
		{ "Prompt executed in 4.1 seconds\n!boom", 1, 2, false,
		  "a failure behind the work" },
		{ "Process mpv pid 44 thread x\nRing gfx reset succeeded\n!Process 44 (mpv) dumped "
		  "core",
		  2, 0, true, "the end of the process that the reset names" },
		{ "Process mpv pid 44 thread x\nRing gfx reset succeeded\n!Process 45 (a) dumped "
		  "core",
		  2, 3, true, "another process" },
		{ "Ring gfx reset succeeded\nPrompt executed in 4.1 seconds", 2, 0, false,
		  "work says more than the driver" },
		{ "GPU reset(1) succeeded!", 0, 0, false, "a reset of the whole GPU ends jobs" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena arena = { 0 };
		struct failure_recovery told = { 0 };
		struct recovery r = { .proofs = proofs, .arena = &arena, .told = &told };
		struct span rest = span_of(cases[i].text), line;
		uint64_t number = 0;

		while (span_line(&rest, &line)) {
			bool fails = span_starts(line, "!");

			line.data += fails;
			line.len -= fails;
			recovery_take(&r, &(struct recovery_line){ .number = ++number,
								   .text = line,
								   .fails = fails });
		}
		if (!CHECK(told.proof.line == cases[i].proof &&
			   told.failed_after == cases[i].failed &&
			   told.by_driver == cases[i].by_driver))
			printf("  %s\n", cases[i].why);
		arena_done(&arena);
	}
}

int main(void)
{
	struct marks *proofs = marks_new(span_of(data_proofs), NULL);

	check_stated(proofs);
	check_proofs(proofs);
	marks_free(proofs);
	return check_end();
}
