#include "gate/site-files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fd.h"
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

static bool take(const char *path, struct arena *a, struct node_verdict *v, struct gate_conf *ret,
		 struct buf *why)
{
	struct buf text BUF_SCOPED = { 0 };
	const struct gate_enforced *unknown;
	struct gate_mistake mistake;
	int r = read_conf(path, &text, why);

	*ret = (struct gate_conf){ .scontrol = "" };
	if (r == -ENOENT || r == -ENOTDIR)
		return true;
	if (r < 0)
		return false;
	if (!gate_conf_parse(a, buf_get(&text), ret, &mistake)) {
		buf_addf(why, "%s:%zu: %s", path, mistake.line, mistake.why);
		return false;
	}
	unknown = gate_conf_unknown(ret, v);
	if (unknown)
		buf_addf(why, "%s:%zu: the gate does not judge %s", path, unknown->line,
			 unknown->cause);
	return !unknown;
}

void site_conf_apply(const char *conf, struct arena *a, struct node_verdict *v)
{
	struct buf why BUF_SCOPED = { 0 };
	struct gate_conf c;

	v->ignored = "";
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
