#pragma once

/*
 * left-processes - end what the job of a dead keeper has left
 */

#include "door/descendants.h"

/*
 * These belong to it: the members of the session `job`, those that are known and
 * not another process of the same number, those whose standard output or error is
 * one of the job's pipes (inodes; 0: none), and all below them. What is known is
 * changed on the way.
 * SIGTERM, and SIGKILL a second later. Returns when they are gone, or two seconds
 * after that; answers how many there were.
 */
size_t left_processes_end(pid_t job, struct descendants *known, const uint64_t pipes[static 2]);
