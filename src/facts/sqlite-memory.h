#pragma once

/*
 * sqlite-memory - SQLite without memory is the program without memory
 *
 * SQLite hands a failed allocation to its caller, undoes the transaction, and goes
 * on: a thousand places would have to notice. An allocation of our own ends the
 * program with one line, and so does one of SQLite's. The limits that the guard of
 * the knowledge sets are refused before, and stay errors of their statement.
 */

void sqlite_memory_or_end(void); /* before anything of SQLite is called */
