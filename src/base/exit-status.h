#pragma once

/*
 * exit-status - how the program ends
 *
 * Up to 3 the status is the answer to what was asked, and the manual page of
 * the command says of what. From 64 on there is no answer, with the numbers of
 * sysexits.h and one rule for all commands:
 *
 *	64  the command line is wrong, or names what is not known
 *	66  what was given to read is missing, closed, damaged or something else
 *	70  our own fault: out of memory, a broken installation, an answer that
 *	    could not be written
 *
 * `run` ends as its job does, which may use any of these. So its own are those
 * of env(1) and timeout(1): 125 stands for all three.
 */
enum exit_status {
	EXIT_FINE = 0,
	EXIT_DEGRADED = 1, /* check: it works, but not as it should */
	EXIT_DECLINED = 1, /* fix, snapshot --proof: the user who was asked answered no */
	EXIT_CHANGED = 1,  /* kb try: other findings */
	EXIT_PROBLEM = 2,  /* not ready, a cause, to fix, not covered, breaks, none known */
	EXIT_UNDECIDED = 3,
	EXIT_USAGE = 64,
	EXIT_NO_INPUT = 66,
	EXIT_OWN_FAULT = 70,
	EXIT_BUSY = 75, /* fix: another one is at work; the same works later */
	EXIT_NOT_RUN = 125,
	EXIT_NOT_EXECUTABLE = 126,
	EXIT_NOT_FOUND = 127,
	EXIT_SIGNAL = 128, /* and its number, as shells have it */
};
