#include "report/gpu-cards.h"

#include <string.h>

#include "facts/column.h"
#include "facts/select.h"
#include "report/rows.h"

static const char cards_sql[] =
	"SELECT g.address, coalesce(g.product, 'AMD GPU ' || g.device_id, 'AMD GPU'), coalesce(g.gfx, ''),"
	" coalesce(g.compute_partition || coalesce(', ' || g.memory_partition, ''), ''),"
	" coalesce((SELECT 'PCIe ' || format('%g', min(p.speed_gts)) || ' GT/s \xc3\x97' || min(p.width) FROM pcie p"
	"  WHERE p.gpu = g.address AND p.slot = 1 AND p.speed_gts > 0 AND p.width > 0), ''),"
	" coalesce(g.vram_total_bytes, -1), coalesce(g.vram_used_bytes, -1),"
	" coalesce(v.kfd_bytes, 0), coalesce(v.outside_bytes, 0), coalesce(v.drm_bytes, 0), coalesce(v.rest_bytes, 0),"
	" coalesce(g.numa_node, -1), (SELECT count(*) FROM agent a WHERE a.address = g.address),"
	" coalesce((SELECT min(compute_units) FROM agent a WHERE a.address = g.address), 0),"
	" coalesce(g.integrated, 0),"
	" coalesce((SELECT n.numbers FROM gpu_name n WHERE n.subject = g.address), '')"
	" FROM gpu g LEFT JOIN vram v ON v.address = g.address"
	" ORDER BY coalesce(g.integrated, 0), coalesce(g.numa_node, -1), g.address";

static struct gpu_card card_of(sqlite3_stmt *stmt, const struct diagnosis *d, struct arena *a)
{
	struct gpu_card card = {
		.address = column_copy(stmt, 0, a),
		.product = column_copy(stmt, 1, a),
		.gfx = column_copy(stmt, 2, a),
		.partition = column_copy(stmt, 3, a),
		.bus = column_copy(stmt, 4, a),
		.total = sqlite3_column_int64(stmt, 5),
		.used = sqlite3_column_int64(stmt, 6),
		.numa = sqlite3_column_int64(stmt, 11),
		.agents = sqlite3_column_int64(stmt, 12),
		.units = sqlite3_column_int64(stmt, 13),
		.integrated = sqlite3_column_int(stmt, 14) != 0,
		.numbers = column_copy(stmt, 15, a),
	};

	for (int i = 0; i < GPU_SHARES; i++)
		card.shares[i] = sqlite3_column_int64(stmt, 7 + i);
	card.ill = diagnose_device_severity(d, card.address);
	return card;
}

size_t gpu_cards(struct facts *f, const struct diagnosis *d, struct arena *a, struct gpu_card **ret)
{
	sqlite3_stmt *stmt = rows_ask(f, cards_sql);
	struct gpu_card *cards = NULL;
	size_t count = 0;

	while (select_next(stmt)) {
		cards = arena_grow(a, cards, count, sizeof(*cards));
		cards[count++] = card_of(stmt, d, a);
	}
	sqlite3_finalize(stmt);
	*ret = cards;
	return count;
}

const char *gpu_share_name(int share)
{
	static const char *const names[] = { "compute processes here",
					     "compute processes outside this container", "graphics",
					     "owner unknown" };

	return names[share];
}

static size_t find(const struct gpu_card *cards, size_t count, const char *address)
{
	size_t i = 0;

	while (i < count && strcmp(cards[i].address, address) != 0)
		i++;
	return i;
}

size_t gpu_links(struct facts *f, const struct gpu_card *cards, size_t count, struct arena *a,
		 struct gpu_link **ret)
{
	static const char sql[] =
		"SELECT min(one, other), max(one, other), max(kind) FROM ("
		"SELECT a.address AS one, b.address AS other, l.kind = 'xgmi' AS kind"
		" FROM agent_link l"
		" JOIN agent a ON a.node = l.node_from JOIN agent b ON b.node = l.node_to"
		" WHERE a.address <> b.address AND (l.kind = 'xgmi' OR l.peer)"
		" UNION ALL SELECT a.address, b.address, 2 FROM agent a"
		" JOIN agent b ON b.hive_id = a.hive_id AND b.address <> a.address AND b.partition = 0"
		" WHERE a.partition = 0 AND a.hive_id <> ''"
		" AND a.node IN (SELECT node_from FROM agent_link WHERE kind = 'xgmi')"
		" AND b.node NOT IN (SELECT node_to FROM agent_link"
		"  WHERE kind = 'xgmi' AND node_from = a.node))"
		" GROUP BY 1, 2";
	sqlite3_stmt *stmt = rows_ask(f, sql);
	struct gpu_link *links = NULL;
	size_t n = 0;

	while (select_next(stmt)) {
		size_t from = find(cards, count, column_text(stmt, 0));
		size_t to = find(cards, count, column_text(stmt, 1));

		if (from == count || to == count)
			continue;
		links = arena_grow(a, links, n, sizeof(*links));
		links[n++] = (struct gpu_link){ from, to,
						(enum gpu_link_kind)sqlite3_column_int(stmt, 2) };
	}
	sqlite3_finalize(stmt);
	*ret = links;
	return n;
}
