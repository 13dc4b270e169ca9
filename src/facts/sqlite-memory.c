#include "facts/sqlite-memory.h"

#include <sqlite3.h>

#include "base/memory.h"

static sqlite3_mem_methods usual;

static void *take(int size)
{
	void *bytes = usual.xMalloc(size);

	if (!bytes)
		memory_out();
	return bytes;
}

static void *take_more(void *old, int size)
{
	void *bytes = usual.xRealloc(old, size);

	if (!bytes)
		memory_out();
	return bytes;
}

void sqlite_memory_or_end(void)
{
	sqlite3_mem_methods ours;

	if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual) != SQLITE_OK)
		return;
	ours = usual;
	ours.xMalloc = take;
	ours.xRealloc = take_more;
	(void)sqlite3_config(SQLITE_CONFIG_MALLOC, &ours);
}
