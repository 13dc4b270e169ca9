#include "diagnose/environments.h"

#include "facts/column.h"
#include "facts/select.h"
#include "kb/materialize.h"

static const char ranked[] =
	"SELECT environment, framework, version, why, device, used, libraries, served,"
	" min(CASE verdict WHEN 'runs' THEN 0 WHEN 'partly' THEN 1 WHEN 'unknown' THEN 2 ELSE 3 END) AS rank"
	" FROM environment_fit WHERE meant = 1 AND framework IN ('torch', 'tensorflow', 'jax', 'vllm',"
	" 'onnxruntime', 'ollama', 'llama.cpp', 'koboldcpp')"
	" GROUP BY environment, framework ORDER BY rank >= 2, used DESC, rank, environment, framework";

void environments_rank(sqlite3 *db, struct arena *a, struct environments *ret)
{
	struct environments found = { 0 };
	/* Without one it has no rows, and to prepare it is a seventh of a check. */
	sqlite3_stmt *stmt = materialize_has_frameworks(db) ? select_from(db, ranked) : NULL;

	while (select_next(stmt)) {
		struct environment e = {
			.prefix = column_copy(stmt, 0, a),
			.framework = column_copy(stmt, 1, a),
			.version = column_copy(stmt, 2, a),
			.why = column_copy(stmt, 3, a),
			.device = column_copy(stmt, 4, a),
			.used = sqlite3_column_int(stmt, 5) != 0,
			.libraries = sqlite3_column_int64(stmt, 6),
			.served = sqlite3_column_int64(stmt, 7),
			.verdict = (enum environment_verdict)sqlite3_column_int(stmt, 8),
		};

		found.list = arena_grow(a, found.list, found.count, sizeof(*found.list));
		found.list[found.count++] = e;
		found.working += e.verdict <= ENVIRONMENT_PARTLY;
	}
	sqlite3_finalize(stmt);
	*ret = found;
}

const char *environment_verdict_name(enum environment_verdict verdict)
{
	static const char *const names[] = { "runs", "partly", "unknown", "not" };

	return (size_t)verdict < sizeof(names) / sizeof(names[0]) ? names[verdict] : "?";
}
