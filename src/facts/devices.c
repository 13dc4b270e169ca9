#include "facts/devices.h"

#include <string.h>

#include "facts/column.h"
#include "facts/select.h"

bool devices_any(sqlite3 *db)
{
	sqlite3_stmt *stmt = select_from(db, "SELECT 1 FROM agent");
	bool any = select_next(stmt);

	sqlite3_finalize(stmt);
	return any;
}

sqlite3_stmt *devices_list(sqlite3 *db)
{
	return select_from(db, "SELECT address, gfx FROM gpu ORDER BY address");
}

size_t devices_meant(sqlite3 *db, struct arena *a, struct meant_device **ret)
{
	sqlite3_stmt *stmt =
		select_from(db, "SELECT DISTINCT effective, gfx, override FROM device WHERE meant");
	struct meant_device *devices = NULL;
	size_t count = 0;

	while (select_next(stmt)) {
		struct meant_device d = { .target = column_copy_or_null(stmt, 0, a),
					  .gfx = column_copy_or_null(stmt, 1, a),
					  .override = column_copy_or_null(stmt, 2, a) };

		if (!d.target || !d.gfx || strncmp(d.target, d.gfx, strlen(d.gfx)) == 0)
			d.override = NULL;
		devices = arena_grow(a, devices, count, sizeof(*devices));
		devices[count++] = d;
	}
	sqlite3_finalize(stmt);
	*ret = devices;
	return count;
}
