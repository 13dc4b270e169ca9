#pragma once

/*
 * check - the smallest test harness that says what was wrong
 *
 * Every CHECK runs, failures are counted and printed with file and line, and
 * check_end() gives the exit status. A test program without a single CHECK
 * fails: a test that asserts nothing is a defect.
 */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int check_count;
static int check_failed;

static inline bool check_note(bool good, const char *file, int line, const char *what)
{
	check_count++;
	if (!good) {
		check_failed++;
		printf("%s:%d: %s\n", file, line, what);
	}
	return good;
}

#define CHECK(cond) check_note((cond), __FILE__, __LINE__, #cond)

#define CHECK_INT(got, want)                                                           \
	do {                                                                           \
		long long got_ = (long long)(got), want_ = (long long)(want);          \
		if (!check_note(got_ == want_, __FILE__, __LINE__, #got " == " #want)) \
			printf("  got %lld, want %lld\n", got_, want_);                \
	} while (0)

#define CHECK_TEXT(got, want)                                                                  \
	do {                                                                                   \
		const char *got_ = (got), *want_ = (want);                                     \
		if (!check_note(got_ && want_ && strcmp(got_, want_) == 0, __FILE__, __LINE__, \
				#got " == " #want))                                            \
			printf("  got  \"%s\"\n  want \"%s\"\n", got_ ? got_ : "(null)",       \
			       want_ ? want_ : "(null)");                                      \
	} while (0)

static inline int check_end(void)
{
	printf("%d checks, %d failed\n", check_count, check_failed);
	return check_failed > 0 || check_count == 0;
}
