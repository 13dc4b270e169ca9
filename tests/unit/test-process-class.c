#include "run/process-class.h"

#include <string.h>

#include "check.h"

/* Looks of one process, 7; what cannot be made by hand: the driver, the GPU, a cut look. */
static const struct {
	const char *look, *name, *why;
} rows[] = {
	{ "look 7 2000\nprocess 7 1 S 0 0 10 0 python\nthread 7 7 S 0 futex_wait_queue python\nend\n",
	  "waits-for-lock", "the first thread decides" },
	{ "look 7 2000\nprocess 7 1 S 0 0 10 0 python\nthread 7 7 S 0 futex_wait_queue python\n"
	  "ranks 7 2\nend\n",
	  "waits-for-rank", "one of two ranks" },
	{ "look 7 2000\nprocess 7 1 S 0 0 10 0 python\nthread 7 7 S 0 futex_wait_queue python\n"
	  "ranks 7 1\nend\n",
	  "waits-for-lock", "the only rank waits for no other" },
	{ "look 7 2000\nprocess 7 1 S 0 0 10 0 python\nthread 7 7 S 0 futex_wait_queue python\n"
	  "thread 7 8 D 0 amdgpu_fence_wait_empty python\nend\n",
	  "driver", "any thread that sleeps in amdgpu" },
	{ "look 7 2000\nprocess 7 1 D 0 0 10 0 cat\nthread 7 7 D 0 folio_wait_bit cat\nend\n",
	  "disk", "D, and not in amdgpu" },
	{ "look 7 2000\nprocess 7 1 S 0 0 10 0 python\nthread 7 7 S 0 kfd_wait_on_events python\n"
	  "gpu 7\nend\n",
	  "waits-for-gpu", "asleep in the driver, and can be interrupted" },
	{ "look 7 2000\nprocess 7 1 R 1990 0 10 0 python\nthread 7 7 R 1990 - python\ngpu 7\nend\n",
	  "polls-gpu", "busy, with a GPU open" },
	{ "look 7 2000\nprocess 7 1 R 1990 0 10 0 python\nthread 7 7 R 1990 - python\nend\n",
	  "spins", "the same without one" },
	{ "look 7 2000\nprocess 7 1 R 900 0 10 0 python\nthread 7 7 R 900 - python\nend\n",
	  "unclear", "a near miss: less than half a processor, and no wait" },
	{ "look 7 2000\nprocess 7 1 R 1990 900 10 0 python\nthread 7 7 R 1990 - python\nend\n",
	  "spins", "a near miss: it reads a little" },
	{ "look 7 2000\nprocess 7 1 R 1990 0 99 65535 python\nthread 7 7 R 1990 - python\nend\n",
	  "spins", "a near miss: it grows a little" },
	{ "look 7 2000\nprocess 7 1 Z 0 0 0 0 python\nthread 7 7 Z 0 - python\nend\n", "finished",
	  "all of it has ended" },
	{ "look 7 2000\nprocess 7 1 Z 0 0 0 0 python\nthread 7 7 Z 0 - python\n"
	  "thread 7 9 S 0 futex_wait_queue python\nend\n",
	  "half-ended", "a thread goes on" },
	{ "look 7 2000\nprocess 7 1 S 0 0 10 0 bash\nthread 7 7 S 0 do_wait bash\n"
	  "process 8 7 S 0 0 10 0 cat\nthread 8 8 S 0 pipe_read cat\nend\n",
	  "waits-for-input", "what the child waits for" },
	{ "look 7 2000\nprocess 7 1 S 0 0 10 0 bash\nthread 7 7 S 0 do_wait bash\nend\n",
	  "waits-for-child", "a child that was not seen" },
	{ "look 7 2000\nprocess 7 1 S 0 0 10 0 a b c\nthread 7 7 S 0 - a b c\nend\n", "unclear",
	  "where it waits was not told" },
	{ "look 7 2000\nprocess 7 7 S 0 0 10 0 x\nthread 7 7 S 0 do_wait x\nend\n",
	  "waits-for-child", "its own parent" },
	{ "look 7 2000\nend\n", NULL, "the process has gone" },
	{ "process 7 1 S 0 0 10 0 x\nend\n", NULL, "no look" },
	{ "hello\n", NULL, "any text" },
	{ "", NULL, "nothing" },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a = { 0 };
		struct process_class c = { 0 };
		bool is = process_class_of(span_of(rows[i].look), &a, &c);

		CHECK_INT(is, rows[i].name != NULL);
		if (is) {
			CHECK_TEXT(arena_text(&a, c.name), rows[i].name);
			CHECK(strchr(c.step, '{') == NULL);
			CHECK(c.is_whole);
		}
		arena_done(&a);
	}
	return check_end();
}
