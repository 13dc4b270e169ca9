#include "run/stacks.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/exit-status.h"
#include "base/text.h"
#include "door/program.h"
#include "door/trust.h"
#include "gauges/threads.h"
#include "parse/maps.h"
#include "run/process-class.h"
#include "run/process-look.h"

#define TRACE_MAX    (256 << 10)        /* of one process */
#define MAPS_MAX     ((size_t)32 << 20) /* a large job maps some ten thousand places */
#define FILE_MAX     ((size_t)16 << 10)
#define WORDS        4096 /* of a stack that are looked at */
#define FRAMES_MAX   48
#define TRACED_MAX   8 /* processes whose Python is asked */
#define TRACER_WORDS 4
#define CUT          "\n(cut short: too long)\n"

static const char *const environment[] = { "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", NULL };

struct stacks_writer {
	const struct stacks_order *order;
	int fd;
	uint64_t until;
	size_t threads, bytes;
	bool cut;
	struct buf text;
};

static bool is_full(const struct stacks_writer *w)
{
	return w->bytes >= STACKS_BYTES - FILE_MAX || w->threads >= STACKS_THREADS ||
	       clock_ms() >= w->until;
}

static void flush(struct stacks_writer *w)
{
	size_t room = STACKS_BYTES - strlen(CUT) - w->bytes;
	size_t n = w->text.len < room ? w->text.len : room;

	if (n > 0 && write(w->fd, w->text.data, n) > 0)
		w->bytes += n;
	if (n < w->text.len && !w->cut)
		w->cut = write(w->fd, CUT, strlen(CUT)) > 0;
	buf_clear(&w->text);
}

static void add_lines(struct buf *out, const char *title, struct span lines)
{
	struct span line;

	if (lines.len > 0)
		buf_addf(out, "  %s\n", title);
	while (span_line(&lines, &line)) {
		buf_text(out, "    ");
		text_clean(out, line, false);
		buf_char(out, '\n');
	}
}

/* ---- user stacks ---- */

static bool add_place(struct buf *out, struct span maps, uint64_t address, const char *what)
{
	struct maps_code code;

	do
		if (!maps_next_code(&maps, &code))
			return false;
	while (address < code.start || address >= code.end);
	buf_text(out, "    ");
	if (code.path.len > 0)
		text_clean(out, code.path, false);
	else
		buf_text(out, "[no file]");
	address += code.offset - code.start;
	buf_addf(out, "+0x%llx%s\n", (unsigned long long)address, what);
	return true;
}

/* The last two numbers of `syscall` are the stack pointer and the program counter. */
static bool parse_syscall(struct span text, uint64_t *ret_sp, uint64_t *ret_pc)
{
	struct span word, last[2] = { 0 };
	size_t words = 0;

	while (span_word(&text, &word)) {
		last[0] = last[1];
		last[1] = word;
		words++;
	}
	return words >= 3 && span_hex(last[0], ret_sp) && span_hex(last[1], ret_pc);
}

static void add_user_stack(struct stacks_writer *w, pid_t pid, struct span maps, uint64_t sp,
			   uint64_t pc)
{
	static uint64_t words[WORDS];
	size_t count = threads_words(pid, sp, words, WORDS), frames = 0;

	buf_text(&w->text,
		 count ? "  user stack (scanned)\n" : "  user stack: permission denied\n");
	(void)add_place(&w->text, maps, pc, "  (here)");
	for (size_t i = 0; i < count && frames < FRAMES_MAX; i++)
		frames += add_place(&w->text, maps, words[i], "");
	if (frames == FRAMES_MAX)
		buf_text(&w->text, "    ...\n");
}

/* ---- threads and processes ---- */

static void add_thread(struct stacks_writer *w, pid_t pid, const struct threads_one *t,
		       struct span maps)
{
	struct buf call BUF_SCOPED = { 0 }, stack BUF_SCOPED = { 0 };
	uint64_t sp, pc;

	buf_addf(&w->text, "thread %d %d %c ", (int)pid, (int)t->tid, t->state);
	text_word(&w->text, span_of(t->wchan[0] ? t->wchan : "-"));
	buf_char(&w->text, ' ');
	text_word(&w->text, span_of(t->name));
	buf_char(&w->text, '\n');
	if (threads_file(pid, t->tid, "stack", FILE_MAX, &stack) == 0)
		add_lines(&w->text, "kernel stack", buf_get(&stack));
	if (threads_file(pid, t->tid, "syscall", FILE_MAX, &call) == 0) {
		add_lines(&w->text, "system call, arguments, stack pointer, program counter",
			  buf_get(&call));
		if (parse_syscall(buf_get(&call), &sp, &pc))
			add_user_stack(w, pid, maps, sp, pc);
	}
	w->threads++;
}

static void add_process(struct stacks_writer *w, pid_t pid)
{
	struct arena arena = { 0 };
	struct threads_one *threads;
	struct buf maps BUF_SCOPED = { 0 }, command BUF_SCOPED = { 0 }, drm BUF_SCOPED = { 0 };
	size_t count = threads_list(pid, true, &arena, &threads);

	if (count == 0)
		return;
	(void)threads_file(pid, 0, "cmdline", FILE_MAX, &command);
	for (size_t i = 0; i < command.len; i++)
		if (!command.data[i])
			command.data[i] = ' ';
	buf_addf(&w->text, "\nprocess %d: ", (int)pid);
	text_clean(&w->text, span_trim(buf_get(&command)), false);
	buf_char(&w->text, '\n');
	flush(w); /* what follows may hang */
	(void)threads_file(pid, 0, "maps", MAPS_MAX, &maps);
	threads_drm(pid, &drm);
	add_lines(&w->text, "DRM files", buf_get(&drm));
	for (size_t i = 0; i < count && !is_full(w); i++) {
		add_thread(w, pid, &threads[i], buf_get(&maps));
		flush(w);
	}
	arena_done(&arena);
}

/* ---- Python ---- */

static bool is_python(pid_t pid)
{
	struct buf maps BUF_SCOPED = { 0 };

	return threads_file(pid, 0, "maps", MAPS_MAX, &maps) == 0 &&
	       span_find(buf_get(&maps), SPAN_LITERAL("python")) != SIZE_MAX;
}

/* Names in it are the job's own: they are made clean like everything else. */
static void add_said(struct stacks_writer *w, struct span said)
{
	struct span first = { said.data, said.len < TRACE_MAX ? said.len : TRACE_MAX };

	add_lines(&w->text, "said", first);
	if (said.len > TRACE_MAX)
		buf_text(&w->text, "    ...\n");
	flush(w);
}

/* One that took too long, said too much or was killed was run, and has said something. */
static bool was_run(int status)
{
	if (status >= 0)
		return status != EXIT_NOT_FOUND;
	return status == -ETIME || status == -EFBIG || status == -EINTR;
}

static const char *trace(struct stacks_writer *w, const char *program, const char *const *words,
			 pid_t pid)
{
	struct buf said BUF_SCOPED = { 0 };
	const char *arguments[TRACER_WORDS + 2] = { program };
	struct program_order order = { arguments, environment, w->until };
	char number[16];
	size_t n = 1;
	int status;

	snprintf(number, sizeof(number), "%d", (int)pid);
	while (n < TRACER_WORDS && words[n]) {
		arguments[n] = words[n];
		n++;
	}
	arguments[n] = number;
	status = program_run(&order, &said);
	add_said(w, buf_get(&said));
	return was_run(status) && status <= 0 ? NULL : "failed";
}

/* NULL, or why there are no stacks: a word of "python" rows in data/nights.tsv. */
static const char *trace_all(struct stacks_writer *w, const char *const *words)
{
	struct buf program BUF_SCOPED = { 0 };
	int found = trust_look_for_program(words[0], &program);
	const char *why = "none";
	size_t asked = 0;

	for (size_t i = 0; i < w->order->count && (asked == 0 || !why); i++) {
		if (!is_python(w->order->pids[i]))
			continue;
		if (found < 0)
			return found == -EPERM ? "untrusted" : "absent";
		if (asked++ == TRACED_MAX || clock_ms() >= w->until) {
			buf_text(&w->text, "\nmore Python processes were not asked\n");
			break;
		}
		buf_addf(&w->text, "\n%s of process %d\n", words[0], (int)w->order->pids[i]);
		flush(w);
		why = trace(w, program.data, words, w->order->pids[i]);
	}
	flush(w);
	return why;
}

/*
 * py-spy reads memory and stops nobody. eu-stack stops the process for a moment;
 * if it is killed the kernel lets it go on. A debugger that is killed may leave
 * its breakpoints in the job: none is used.
 */
static void add_python(struct stacks_writer *w)
{
	static const char *const spy[TRACER_WORDS] = { "py-spy", "dump", "--nonblocking", "--pid" };
	static const char *const other[TRACER_WORDS] = { "eu-stack", "-p", NULL, NULL };
	const char *why;

	w->until = clock_ms() + STACKS_MS;
	why = trace_all(w, spy);
	if (!why)
		return;
	buf_addf(&w->text, "\npython %s\n", why);
	flush(w);
	(void)trace_all(w, other);
}

/* ---- what it waits for ---- */

static void write_class(pid_t job, int to)
{
	struct buf look BUF_SCOPED = { 0 };
	struct arena a = { 0 };
	struct process_class c;

	if (process_look(job, &look) == 0 && process_class_of(buf_get(&look), &a, &c))
		(void)!write(to, c.name.data, c.name.len);
	arena_done(&a);
}

/* A look takes two seconds: another process makes it meanwhile. Where its answer comes, or -1. */
static int begin_look(const struct stacks_order *order)
{
	int ends[2];
	pid_t child;

	if (order->job <= 0 || pipe(ends) < 0)
		return -1;
	child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)close(ends[0]);
		write_class(order->job, ends[1]);
		_exit(0);
	}
	(void)close(ends[1]);
	if (child > 0)
		return ends[0];
	(void)close(ends[0]);
	return -1;
}

static void add_class(struct stacks_writer *w, int from)
{
	struct pollfd answer = { .fd = from, .events = POLLIN };
	char name[64];
	ssize_t n;

	if (from < 0)
		return;
	n = poll(&answer, 1, STACKS_LOOK_MS) > 0 ? read(from, name, sizeof(name)) : 0;
	if (n > 0)
		buf_addf(&w->text, "\nclass %.*s\n", (int)n, name);
	(void)close(from);
	flush(w);
}

void stacks_write(int fd, const struct stacks_order *order)
{
	struct stacks_writer w = { .order = order, .fd = fd };
	struct rlimit most = { STACKS_BYTES, STACKS_BYTES };
	int look = begin_look(order);

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &most);
	buf_span(&w.text, order->head);
	flush(&w);
	add_python(&w);
	w.until = clock_ms() + STACKS_MS;
	buf_text(&w.text,
		 "\nUser stacks are scanned: words on the stack that point into code. The first\n"
		 "entry was called last; some entries are stale.\n");
	for (size_t i = 0; i < order->count && !is_full(&w); i++)
		add_process(&w, order->pids[i]);
	if (is_full(&w))
		buf_text(&w.text, "\nmore threads were not read\n");
	if (order->kernel.len > 0)
		add_lines(&w.text, "kernel log since the start of the job", order->kernel);
	flush(&w);
	add_class(&w, look);
	buf_done(&w.text);
}

void stacks_threads(struct span file, size_t most, struct buf *ret)
{
	struct span line, word;

	while (span_line(&file, &line) && ret->len + line.len < most) {
		if (!span_starts(line, "thread "))
			continue;
		for (int i = 0; i < 5 && span_word(&line, &word); i++) {
			buf_span(ret, word);
			buf_char(ret, i < 4 ? ' ' : '\n');
		}
	}
}
