#include "story/story.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static char directory[] = "/tmp/rocsteady-story-XXXXXX";

static void add(struct run_journal *j, enum run_journal_kind kind, uint64_t at, const char *payload)
{
	CHECK(run_journal_add(j, kind, at, span_of(payload)));
}

/* The bytes of a journal of one attempt. */
static void make(struct buf *ret)
{
	char path[128];
	struct run_journal j;
	FILE *file;

	CHECK_INT(run_journal_open(&j, open(directory, O_RDONLY | O_DIRECTORY), 1), 0);
	add(&j, RUN_JOURNAL_START, 1000,
	    "command python\\x20x a\nhost box\nvariable A b\\x20c\nnew-key x\n");
	add(&j, RUN_JOURNAL_ATTEMPT, 1001,
	    "attempt 1 3\nset X 1 remedy says source\nunset Y r s -\nwhy cause the\\x20title\n");
	add(&j, RUN_JOURNAL_SAMPLE, 3000,
	    "gpu 0000:03:00.0 vram 5 10 job 3 others - busy 90 new 7\nhost used 1 total 2\n");
	add(&j, RUN_JOURNAL_SAMPLE, 2000,
	    "gpu 0000:03:00.0 vram - 10 job x others 1 busy 80\njob rss 9\n");
	add(&j, RUN_JOURNAL_PROGRESS, 2500, "stdout epoch 2 epochs 3 loss 0.5 rate nan bogus 5\n");
	add(&j, RUN_JOURNAL_FAILURE, 3500, "stderr 212 sig the\\x20line\n");
	add(&j, RUN_JOURNAL_HANG, 3600,
	    "hang device-stall 60 400 it\\x20waits\nproof no\\x20change\nfile hang-1.txt\n");
	add(&j, RUN_JOURNAL_ATTEMPT, 3900, "outcome no-lever nothing\\x20helps\n");
	add(&j, RUN_JOURNAL_END, 4000,
	    "status 1\nout 5\nlost-out 3 ENOSPC\nsaid certain:\\x20it\\x20is\\x20full\\x20(cause):\\x20x\n"
	    "helps cause remedy rocsteady\\x20fix\\x20remedy Take\\x20less\n");
	close(j.fd);
	snprintf(path, sizeof(path), "%s/journal", directory);
	file = fopen(path, "r");
	buf_room(ret, 8192);
	ret->len = fread(ret->data, 1, 8192, file);
	fclose(file);
	unlink(path);
}

/* Percent that the points of one run reach, each with a blank behind it. */
static const char *reached(const char *const points[])
{
	static struct buf b;
	struct story s = { 0 };

	buf_clear(&b);
	for (size_t i = 0; points[i]; i++) {
		struct run_journal_record r = { .kind = RUN_JOURNAL_PROGRESS,
						.payload = span_of(points[i]) };

		story_record(&s, &r);
	}
	for (size_t i = 0; i < s.point_count; i++)
		buf_addf(&b, "%.1f ", 100 * story_share_done(&s, i));
	story_done(&s);
	return b.data;
}

#define POINTS(...) reached((const char *const[]){ __VA_ARGS__, NULL })

static void a_share_is_told(void)
{
	/* "Epoch [1/10], Step [136/2000]", "Epoch 1/1 Step 160/2000", and with batches */
	CHECK_TEXT(POINTS("stdout epoch 1 epochs 10 step 136 steps 2000"), "0.7 ");
	CHECK_TEXT(POINTS("stdout epoch 1 epochs 1 step 160 steps 2000"), "8.0 ");
	CHECK_TEXT(POINTS("stdout epoch 3 epochs 4 batch 50 batches 100"), "62.5 ");
	CHECK_TEXT(POINTS("stdout epoch 0 epochs 4 batch 50 batches 100"), "12.5 ");
	/* A heading, a bar, and the mean of the epoch. */
	CHECK_TEXT(POINTS("stdout epoch 1 epochs 2", "stdout epoch 1 epochs 2 batch 9 batches 10",
			  "stdout epoch 1 epochs 2 loss 0.5"),
		   "nan 45.0 nan ");
	CHECK_TEXT(POINTS("stdout epoch 1 epochs 2", "stdout epoch 2 epochs 2"), "50.0 100.0 ");
	/* Steps that begin again in each epoch, and steps that go on. */
	CHECK_TEXT(POINTS("stdout epoch 1 epochs 2 step 90 steps 100",
			  "stdout epoch 2 epochs 2 step 10 steps 100"),
		   "45.0 55.0 ");
	CHECK_TEXT(POINTS("stdout epoch 1 epochs 2 step 90 steps 200",
			  "stdout epoch 2 epochs 2 step 110 steps 200"),
		   "45.0 55.0 ");
	/* Without epochs, and without anything. */
	CHECK_TEXT(POINTS("stdout step 5 steps 20"), "25.0 ");
	CHECK_TEXT(POINTS("stdout epoch 1.37 step 5 steps 20"), "25.0 ");
	CHECK_TEXT(POINTS("stdout batch 5 batches 50"), "10.0 ");
	CHECK_TEXT(POINTS("stdout percent 33"), "33.0 ");
	CHECK_TEXT(POINTS("stdout step 5 steps 0", "stdout loss 0.5"), "nan nan ");
}

static void everything_is_found(struct span bytes)
{
	struct story s = { 0 };
	struct arena a = { 0 };

	CHECK_INT(story_read(&s, bytes), 0);
	story_sort(&s);
	CHECK_INT(s.attempt_count, 1);
	CHECK_TEXT(s.attempts[0].command, "python x a");
	CHECK_TEXT(s.attempts[0].outcome_text, "nothing helps");
	CHECK_INT(s.attempts[0].most, 3);
	CHECK_INT(s.attempts[0].lost_out, 3);
	CHECK_INT(s.attempts[0].lost_err, -1);
	CHECK_TEXT(story_lost(&s.attempts[0], &a),
		   "3 bytes of its output could not be written: No space left on device");
	CHECK_INT(s.variable_count, 1);
	CHECK_TEXT(s.variables[0].value, "b c");
	CHECK_INT(s.change_count, 2);
	CHECK(s.changes[0].set && !s.changes[1].set);
	CHECK_INT(s.sample_count, 2);
	CHECK_INT(s.samples[0].at_ms, 2000); /* put into order */
	CHECK_INT(s.samples[0].gpus[0].used, -1);
	CHECK_INT(s.samples[0].gpus[0].job, -1);
	CHECK_INT(s.samples[1].gpus[0].busy, 90);
	CHECK(s.points[0].epoch == 2 && isnan(s.points[0].batch) && isnan(s.points[0].rate));
	CHECK_INT(s.event_count, 2);
	CHECK_TEXT(s.events[0].where, "stderr:212");
	CHECK_TEXT(s.events[1].file, "hang-1.txt");
	CHECK_TEXT(s.events[1].proof, "no change");
	CHECK_INT(s.help_count, 1);
	CHECK_TEXT(s.helps[0].command, "rocsteady fix remedy");
	CHECK_TEXT(s.helps[0].title, "Take less");
	CHECK_INT(story_verdict(&s), STORY_FAILED);
	CHECK_TEXT(story_sentence(&s, &a), "Failed with exit code 1 after 3 s: it is full");
	arena_done(&a);
	story_done(&s);
}

/* Whatever was written before the cut is told. */
static void a_cut_journal_is_told(struct span bytes)
{
	size_t events = 0;

	for (size_t n = 0; n <= bytes.len && n < 2000; n++) {
		struct story s = { 0 };
		struct arena a = { 0 };
		int r = story_read(&s, (struct span){ bytes.data, n });

		story_sort(&s);
		CHECK(r == 0 || (r == -EBADMSG && n < RUN_JOURNAL_FIRST + 24));
		CHECK(s.event_count >= events);
		CHECK(story_sentence(&s, &a)[0] != '\0');
		events = s.event_count;
		arena_done(&a);
		story_done(&s);
	}
	CHECK_INT(events, 2);
}

static void an_end_is_called_by_its_name(void)
{
	static const struct {
		const char *end, *sentence;
		enum story_verdict verdict;
	} rows[] = {
		{ "status 0\n", "Succeeded after 2 s", STORY_WELL },
		{ "status 0\nout 5\nlost-out 3 EPIPE\n", "Succeeded after 2 s", STORY_WELL },
		{ "unexecuted ENOENT\n", "Not started: No such file or directory", STORY_FAILED },
		{ "unexecuted EWHAT\n", "Not started: EWHAT", STORY_FAILED },
		{ "signal 11\n", "Killed by SIGSEGV after 2 s", STORY_FAILED },
		{ "signal 40\n", "Killed by signal 40 after 2 s", STORY_FAILED },
		{ "status 0\nsaid it\\x20was\\x20ended\\x20because\\x20it\\x20hung:\\x20all\\x20wait\n",
		  "Hung and was stopped after 2 s: all wait", STORY_FAILED },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct story s = { 0 };
		struct arena a = { 0 };

		story_record(
			&s, &(struct run_journal_record){ .kind = RUN_JOURNAL_START,
							  .at_ms = 1000,
							  .payload = SPAN_LITERAL("command x\n") });
		story_record(&s, &(struct run_journal_record){ .kind = RUN_JOURNAL_END,
							       .at_ms = 3000,
							       .payload = span_of(rows[i].end) });
		story_sort(&s);
		CHECK_TEXT(story_sentence(&s, &a), rows[i].sentence);
		CHECK_INT(story_verdict(&s), rows[i].verdict);
		arena_done(&a);
		story_done(&s);
	}
}

static void names_are_replaced(void)
{
	struct story s = { 0 };
	struct buf bytes BUF_SCOPED = { 0 };
	struct run_journal j;
	char path[128];
	FILE *file;

	CHECK_INT(run_journal_open(&j, open(directory, O_RDONLY | O_DIRECTORY), 1), 0);
	add(&j, RUN_JOURNAL_START, 1000,
	    "command python /home/alice/x.py --token hf_abcdefghijklmnopqrstuvwxyz0123456789\n"
	    "directory /home/alice/my\\x20work\nhost secretbox\n");
	add(&j, RUN_JOURNAL_FAILURE, 2000, "stderr 1 sig on\\x20secretbox:\\x20/home/alice/x.py\n");
	add(&j, RUN_JOURNAL_END, 3000, "status 0\n");
	close(j.fd);
	snprintf(path, sizeof(path), "%s/journal", directory);
	file = fopen(path, "r");
	buf_room(&bytes, 8192);
	bytes.len = fread(bytes.data, 1, 8192, file);
	fclose(file);
	unlink(path);
	CHECK_INT(story_read_scrubbed(&s, buf_get(&bytes), "key"), 0);
	story_sort(&s);
	CHECK_INT(s.attempt_count, 1);
	CHECK(!strstr(s.attempts[0].command, "alice") && !strstr(s.attempts[0].command, "hf_abc"));
	CHECK(strstr(s.attempts[0].directory, "/my work") &&
	      !strstr(s.attempts[0].directory, "alice"));
	CHECK(!strstr(s.attempts[0].host, "secretbox"));
	CHECK(!strstr(s.events[0].text, "secretbox") &&
	      strstr(s.events[0].text, s.attempts[0].host));
	CHECK_INT(story_verdict(&s), STORY_WELL);
	story_done(&s);
}

int main(void)
{
	struct buf bytes BUF_SCOPED = { 0 };

	CHECK(mkdtemp(directory) != NULL);
	make(&bytes);
	everything_is_found(buf_get(&bytes));
	a_share_is_told();
	a_cut_journal_is_told(buf_get(&bytes));
	an_end_is_called_by_its_name();
	names_are_replaced();
	CHECK_INT(story_read(&(struct story){ 0 }, SPAN_LITERAL("this is a file of somebody else")),
		  -EBADMSG);
	rmdir(directory);
	return check_end();
}
