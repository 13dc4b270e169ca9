#pragma once

/*
 * wall - what a process that works for a stranger may still reach (Landlock)
 *
 * The first wall is that nothing is opened outside of the directories of --allow
 * (door/below.h). Should one open() forget it, the kernel refuses. Nothing can be
 * written or removed, no TCP connection made, no process outside signalled.
 *
 * A process behind it cannot look into others (/proc/PID/fdinfo, maps), as whoever
 * asks for the holders of VRAM must: so what looks at this machine stands outside.
 */

#include <stdbool.h>
#include <stddef.h>

/*
 * From here on, also in the program that is started next, only these directories can be
 * read, and what this program needs itself. False: this kernel has no such wall.
 */
bool wall_raise(const int *directories, size_t count);
