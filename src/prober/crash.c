#include "prober/crash.h"

#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "prober/wire.h"

/*
 * Everything below here runs in the handler, of a process that may have
 * destroyed its heap: no allocation, no stdio, no lock, memory set aside before.
 */

#define STACK_BYTES (64 * 1024)
#define SCAN_BYTES  (64 * 1024)
#define MAPS_MAX    2048
#define FRAMES_MAX  64
#define PATHS_BYTES (128 * 1024)

struct mapping {
	uintptr_t start, end, base; /* base: where the file's first byte would be */
	const char *path;           /* NULL: no file */
	bool executable;
	bool passes; /* of the C or C++ library, which ends processes for others */
};

static char handler_stack[STACK_BYTES];
static struct mapping maps[MAPS_MAX];
static size_t map_count;
static char text[PATHS_BYTES];
static bool can_unwind;

/* The first crash; a second one happens in the unwinder, on a stack that was destroyed. */
static struct {
	int signal; /* 0: none yet */
	uintptr_t address, stack;
} first;

/* Libraries that are named as the place only if nobody called them. */
static const char *const passing[] = { "/libc.so",      "/libc-",       "/ld-linux",   "/ld-2",
				       "/libstdc++.so", "/libgcc_s.so", "/libpthread", "/libm.so" };

static uintptr_t take_hex(const char **at)
{
	uintptr_t value = 0;

	for (;; (*at)++) {
		char c = **at;

		if (c >= '0' && c <= '9')
			value = value * 16 + (uintptr_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value * 16 + (uintptr_t)(c - 'a' + 10);
		else
			return value;
	}
}

/* 7f00-7f80 r-xp 00002000 fe:00 1234    /usr/lib/libfoo.so.1 */
static void add_map(const char *line, const struct mapping *before)
{
	struct mapping *map = &maps[map_count++];
	uintptr_t offset;

	map->start = take_hex(&line);
	line++;
	map->end = take_hex(&line);
	map->executable = line[0] && line[1] && line[2] && line[3] == 'x';
	line += strcspn(line + 1, " ") + 2;
	offset = take_hex(&line);
	map->path = strchr(line, '/');
	map->base = map->start - offset;
	if (!map->path)
		return;
	map->passes = false;
	for (size_t i = 0; i < sizeof(passing) / sizeof(passing[0]) && !map->passes; i++)
		map->passes = strstr(map->path, passing[i]) != NULL;
	/* Offsets in the file and in memory part ways after the first segment. */
	if (before && before->path && strcmp(before->path, map->path) == 0)
		map->base = before->base;
}

static void read_maps(void)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	size_t used = 0;
	ssize_t got = 1;

	while (fd >= 0 && got > 0 && used < sizeof(text) - 1) {
		got = read(fd, text + used, sizeof(text) - 1 - used);
		used += got > 0 ? (size_t)got : 0;
	}
	text[used] = '\0';
	for (char *line = text, *end; *line && map_count < MAPS_MAX; line = end + 1) {
		end = strchr(line, '\n');
		if (!end)
			return;
		*end = '\0';
		add_map(line, map_count ? &maps[map_count - 1] : NULL);
	}
}

static const struct mapping *find_map(uintptr_t address)
{
	for (size_t i = 0; i < map_count; i++)
		if (address >= maps[i].start && address < maps[i].end)
			return &maps[i];
	return NULL;
}

static bool is_place(const struct mapping *map)
{
	return map && map->path && map->executable;
}

/* Old words lie about on a stack; a return address has a call instruction before it. */
static bool follows_call(uintptr_t address, const struct mapping *map)
{
#ifdef __x86_64__
	const unsigned char *code = (const unsigned char *)address;

	if (address - map->start < 8)
		return false;
	if (code[-5] == 0xe8)
		return true;
	for (int length = 2; length <= 7; length++)
		if (code[-length] == 0xff && (code[-length + 1] & 0x38) == 0x10)
			return true;
	return false;
#else
	return address - map->start >= 8;
#endif
}

/*
 * A library, and neither C's nor C++'s. Our own frames lie below those of any
 * library, so a word on the stack that points to us is old.
 */
static bool is_to_blame(uintptr_t address)
{
	const struct mapping *map = find_map(address), *own = find_map((uintptr_t)is_to_blame);

	return is_place(map) && !map->passes && map->base != own->base;
}

/* By the tables of the compiler: 0 if they lead nowhere. */
static uintptr_t unwind_caller(void)
{
	void *frames[FRAMES_MAX];
	int count = backtrace(frames, FRAMES_MAX);

	for (int i = 0; i < count; i++)
		if (is_to_blame((uintptr_t)frames[i]))
			return (uintptr_t)frames[i];
	return 0;
}

/* By what lies on the stack, and may be old: 0 if nothing fits. */
static uintptr_t scan_caller(uintptr_t stack)
{
	const struct mapping *map = find_map(stack);
	uintptr_t end = map ? map->end : 0;

	if (end > stack + SCAN_BYTES)
		end = stack + SCAN_BYTES;
	for (stack &= ~(uintptr_t)7; stack + 8 <= end; stack += 8) {
		uintptr_t word = *(const uintptr_t *)stack;

		if (is_to_blame(word) && follows_call(word, find_map(word)))
			return word;
	}
	return 0;
}

static void append(char *line, size_t size, const char *words)
{
	size_t used = strlen(line), more = strlen(words);

	if (used + more < size)
		memcpy(line + used, words, more + 1);
}

static void append_number(char *line, size_t size, uintptr_t number, unsigned base)
{
	char digits[32] = "", *at = digits + sizeof(digits) - 1;

	do
		*--at = "0123456789abcdef"[number % base];
	while ((number /= base) != 0);
	append(line, size, at);
}

static void say(int signal_number, uintptr_t address)
{
	const struct mapping *map = find_map(address);
	char line[1024] = "crashed ";

	append_number(line, sizeof(line), (uintptr_t)signal_number, 10);
	if (map && map->path) {
		append(line, sizeof(line), " ");
		append(line, sizeof(line) - 32, map->path);
		append(line, sizeof(line), "+0x");
		append_number(line, sizeof(line), address - map->base, 16);
	}
	append(line, sizeof(line), "\n");
	wire_raw(line, strlen(line));
}

static uintptr_t find_place(bool may_unwind)
{
	const struct mapping *map = find_map(first.address);
	uintptr_t caller = 0;

	if (is_place(map) && !map->passes)
		return first.address;
	if (may_unwind)
		caller = unwind_caller();
	if (!caller)
		caller = scan_caller(first.stack);
	return caller ? caller : first.address;
}

static void handle(int signal_number, siginfo_t *info, void *context)
{
	const ucontext_t *machine = context;
	bool again = first.signal != 0;

	(void)info;
	if (!again) {
		first.signal = signal_number;
#if defined(__x86_64__)
		first.address = (uintptr_t)machine->uc_mcontext.gregs[REG_RIP];
		first.stack = (uintptr_t)machine->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
		first.address = machine->uc_mcontext.pc;
		first.stack = machine->uc_mcontext.sp;
#endif
		read_maps();
	}
	say(first.signal, find_place(can_unwind && !again));
	signal(first.signal, SIG_DFL);
	raise(first.signal);
}

void crash_catch_signals(void)
{
	static const int deadly[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS };
	const stack_t stack = { .ss_sp = handler_stack, .ss_size = sizeof(handler_stack) };
	struct sigaction action = { .sa_sigaction = handle,
				    .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };

	sigemptyset(&action.sa_mask);
	sigaltstack(&stack, NULL);
	for (size_t i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++)
		sigaction(deadly[i], &action, NULL);
}

void crash_loaded(void)
{
	void *frame;

	can_unwind = backtrace(&frame, 1) > 0;
}
