/*
 * The recording child and the parent that does not wait for it: a child that
 * crashes, one that hangs, one that ends between two questions, a second that
 * goes on. The questions are real ones, to a tree of three files; the harm is
 * done by the callback, between what the door begins and ends.
 */

#include "root/root.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check-scratch.h"
#include "check-span.h"
#include "door/standing.h"
#include "root/root-internal.h"

#define SICK "/sys/devices/pci0000:00/0000:03:00.0/mem_info_vram_used"

static int harm; /* what happens in the question about SICK */

enum { NONE, CRASH, HANG, EXIT };

/* A question as the door begins it, and what a sick GPU makes of it. */
static void ask_sick(struct root *root)
{
	if (store_find(&root->store, RECORD_FILE, SPAN_LITERAL(SICK)))
		return; /* answered for us by the parent */
	beacon_begin(root->door.beacon, RECORD_FILE, SICK);
	if (harm == CRASH) {
		signal(SIGSEGV, SIG_DFL); /* not the sanitizer's */
		raise(SIGSEGV);
	}
	while (harm == HANG)
		pause();
	beacon_end(root->door.beacon);
}

static void collect(struct root *root)
{
	struct span text;

	(void)root_read(root, "/proc/cmdline", &text);
	ask_sick(root);
	if (harm == EXIT)
		raise(SIGKILL);
	(void)root_read(root, "/proc/meminfo", &text);
}

static int total_ms; /* 0: the default */

static struct root *recorded(int what, int patience_ms, int *ret_error)
{
	struct door_options options = { .patience_ms = patience_ms, .total_ms = total_ms };
	struct root *root = NULL;

	harm = what;
	if (!CHECK(root_new_dir(DOOR_TREE, scratch_top, &options, &root) == 0))
		exit(1);
	*ret_error = root_record(root, collect);
	return root;
}

static bool answers(struct root *root, const char *path)
{
	struct span text;

	return root_read(root, path, &text) == 0 && span_is(text, "1\n");
}

static bool has_no_child(void)
{
	return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD;
}

static int standing_of_sick(struct root *root)
{
	const struct record *r = store_find(&root->store, RECORD_FILE, SPAN_LITERAL(SICK));

	return r ? r->error : 0;
}

static void check_healthy(void)
{
	int error;
	struct root *root = recorded(NONE, 0, &error);

	CHECK(error == 0 && answers(root, "/proc/cmdline") && answers(root, "/proc/meminfo"));
	CHECK(root->stuck_count == 0 && root->beacon_count == 1 && has_no_child());
	root_free(root);
}

/* The question that killed the child is named; all others are answered. */
static void check_crash(void)
{
	int error;
	struct root *root = recorded(CRASH, 0, &error);

	CHECK(error == 0 && answers(root, "/proc/cmdline") && answers(root, "/proc/meminfo"));
	CHECK_INT(standing_of_sick(root), -EFAULT);
	CHECK(root->stuck_count == 1 && root->beacon_count == 2 && has_no_child());
	CHECK_SPAN(root->stuck[0], "0000:03:00.0"); /* the whole device is left alone */
	root_free(root);
}

static void check_hang(void)
{
	uint64_t start = beacon_now_ms();
	uint64_t took;
	int error;
	struct root *root = recorded(HANG, 150, &error);

	took = beacon_now_ms() - start;
	CHECK(error == 0 && answers(root, "/proc/cmdline") && answers(root, "/proc/meminfo"));
	CHECK_INT(standing_of_sick(root), DOOR_STUCK);
	CHECK(took >= 150 && took < 2000);
	CHECK(root->stuck_count == 1 && has_no_child());
	root_free(root);
}

/* All the time is gone while a question is young: it was not asked, and is not called silent. */
static void check_no_time(void)
{
	uint64_t start = beacon_now_ms();
	struct root *root;
	int error;

	total_ms = 200;
	root = recorded(HANG, 60000, &error);
	total_ms = 0;
	CHECK(error == 0 && answers(root, "/proc/cmdline") && !answers(root, "/proc/meminfo"));
	CHECK_INT(standing_of_sick(root), 0);
	CHECK(root->stuck_count == 0 && root->beacon_count == 1 && has_no_child());
	CHECK(beacon_now_ms() - start < 20000); /* the hang lasts 60 s */
	root_free(root);
}

/* Every next child would end in the same place: there is no second one. */
static void check_end_between_questions(void)
{
	int error;
	struct root *root = recorded(EXIT, 0, &error);

	CHECK(error == 0 && answers(root, "/proc/cmdline"));
	CHECK(!answers(root, "/proc/meminfo"));
	CHECK(root->stuck_count == 0 && root->beacon_count == 1 && has_no_child());
	CHECK_INT(standing_of_sick(root), 0); /* a question that was answered stays so */
	root_free(root);
}

/* As an ordinary user: for root there is no limit. */
static void check_no_child(void)
{
	struct rlimit none = { 0, 0 };
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		int error = -EAGAIN;

		if (geteuid() == 0 && (setgid(65534) < 0 || setuid(65534) < 0))
			_exit(77);
		if (setrlimit(RLIMIT_NPROC, &none) < 0)
			_exit(77);
		root_free(recorded(NONE, 0, &error));
		_exit(error == -EAGAIN ? 0 : 1);
	}
	CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
	CHECK(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77);
}

/* Ctrl-C goes to the whole group; a parent that is killed alone takes its child along. */
static void check_interrupt(int signal_number, bool group)
{
	int ends[2];
	char byte;
	pid_t child;

	if (!CHECK(pipe(ends) == 0))
		return;
	child = fork();
	if (child == 0) {
		int error;

		setpgid(0, 0);
		close(ends[0]);
		recorded(HANG, 60000, &error); /* both processes hold the writing end */
		_exit(0);
	}
	close(ends[1]);
	usleep(200000);
	CHECK(kill(group ? -child : child, signal_number) == 0);
	CHECK(waitpid(child, NULL, 0) == child);
	CHECK_INT(read(ends[0], &byte, 1), 0); /* the end, once nobody is left */
	close(ends[0]);
}

/* A list of some of the names would say of the others that they are not there. */
static void check_many_names(void)
{
	static const struct door_options none;
	struct buf names BUF_SCOPED = { 0 };
	char path[512];
	struct door d;

	snprintf(path, sizeof(path), "%s/many", scratch_top);
	CHECK(mkdir(path, 0755) == 0 && door_init(&d, DOOR_TREE, scratch_top, &none) == 0);
	d.beacon = beacon_new();
	for (int i = 0; i <= 65536; i++) {
		if (i == 65536) {
			CHECK_INT(door_list(&d, "/many", &names), 0);
			CHECK(span_find(buf_get(&names), SPAN_LITERAL("65535\n")) != SIZE_MAX);
			buf_clear(&names);
		}
		snprintf(path, sizeof(path), "%s/many/%d", scratch_top, i);
		close(open(path, O_CREAT | O_WRONLY, 0644));
	}
	CHECK_INT(door_list(&d, "/many", &names), -EFBIG);
	CHECK_INT((long)names.len, 0);
	beacon_free(d.beacon);
	door_done(&d);
}

int main(void)
{
	if (!scratch_begin())
		return check_end();
	chmod(scratch_top, 0755);
	scratch_put("/proc/cmdline", "1\n");
	scratch_put("/proc/meminfo", "1\n");
	alarm(60);
	check_many_names();
	check_healthy();
	check_crash();
	check_hang();
	check_no_time();
	check_end_between_questions();
	check_no_child();
	check_interrupt(SIGINT, true);
	check_interrupt(SIGKILL, false);
	scratch_end();
	return check_end();
}
