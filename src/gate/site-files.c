#include "gate/site-files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/did-you-mean.h"
#include "base/fd.h"
#include "base/sha256.h"
#include "door/trust.h"
#include "gate/gate-conf.h"

/* -errno with the reason. */
static int read_conf(const char *path, struct buf *ret, struct buf *why)
{
	int fd = trust_open(path, why);
	int r = fd < 0 ? fd : fd_all(fd, GATE_CONF_MAX, ret);

	if (r < 0 && why->len == 0)
		buf_addf(why, "%s: %s", path, strerror(-r));
	return r;
}

static bool parse_conf(const char *path, struct arena *a, const struct buf *text,
		       struct gate_conf *ret, struct buf *why)
{
	struct gate_mistake mistake;

	if (gate_conf_parse(a, buf_get(text), ret, &mistake))
		return true;
	buf_addf(why, "%s:%zu: %s", path, mistake.line, mistake.why);
	return false;
}

bool site_conf_is_good(const char *conf, struct buf *why)
{
	struct buf text BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct gate_conf c;
	bool good = read_conf(conf, &text, why) == 0 && parse_conf(conf, &arena, &text, &c, why);

	arena_done(&arena);
	return good;
}

static const char *digest_of(struct arena *a, struct span text)
{
	struct sha256 digest;
	char hex[SHA256_HEX];

	sha256_init(&digest);
	sha256_add(&digest, text);
	sha256_end(&digest, hex);
	return arena_format(a, "%.*s", NODE_VERDICT_DIGEST, hex);
}

static void add_unknown(const char *path, const struct gate_enforced *unknown,
			const struct node_verdict *v, struct buf *why)
{
	struct did_you_mean n = did_you_mean(unknown->cause);

	for (size_t i = 0; i < v->judged_count; i++)
		did_you_mean_try(&n, span_of(v->judged[i]));
	buf_addf(why, "%s:%zu: the gate does not judge %s", path, unknown->line, unknown->cause);
	if (n.best[0])
		buf_addf(why, "; did you mean %s?", n.best);
}

static bool take(const char *path, struct arena *a, struct node_verdict *v, struct gate_conf *ret,
		 struct buf *why)
{
	struct buf text BUF_SCOPED = { 0 };
	const struct gate_enforced *unknown;
	int r = read_conf(path, &text, why);

	*ret = (struct gate_conf){ .scontrol = "" };
	if (r == -ENOENT || r == -ENOTDIR)
		return true;
	if (r < 0)
		return false;
	v->conf = digest_of(a, buf_get(&text));
	if (!parse_conf(path, a, &text, ret, why))
		return false;
	unknown = gate_conf_unknown(ret, v);
	if (unknown)
		add_unknown(path, unknown, v, why);
	return !unknown;
}

void site_conf_apply(const char *conf, struct arena *a, struct node_verdict *v)
{
	struct buf why BUF_SCOPED = { 0 };
	struct gate_conf c;

	v->ignored = v->conf = "";
	if (!take(conf, a, v, &c, &why)) {
		v->ignored = arena_text(a, buf_get(&why));
		c = (struct gate_conf){ .scontrol = "" };
	}
	gate_conf_apply(&c, v);
}

/* Where it cannot be told whether it is there, everything passes. */
const char *site_off(const char *conf, struct arena *a)
{
	const char *slash = strrchr(conf, '/');
	const char *path = arena_format(a, "%.*s/gate.off", slash ? (int)(slash - conf) : 0, conf);
	struct stat st;

	return lstat(path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR) ? NULL : path;
}
