#include "report/sarif.h"

#include <string.h>

#include "base/sha256.h"

void sarif_begin(struct json *j)
{
	json_open(j, NULL, '{');
	json_string(
		j, "$schema",
		"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json");
	json_string(j, "version", "2.1.0");
	json_open(j, "runs", '[');
	json_open(j, NULL, '{');
}

void sarif_end(struct json *j)
{
	json_close(j, '}');
	json_close(j, ']');
	json_close(j, '}');
}

/* [text](address) in a message is a link: between the two stands a space without width. */
void sarif_message(struct json *j, const char *key, const char *text)
{
	struct buf plain BUF_SCOPED = { 0 };

	for (const char *p = text; *p; p++) {
		buf_char(&plain, *p);
		if (p[0] == ']' && p[1] == '(')
			buf_text(&plain, "\xe2\x80\x8b");
	}
	json_open(j, key, '{');
	json_text(j, "text", buf_get(&plain));
	json_close(j, '}');
}

void sarif_open_rules(struct json *j)
{
	json_open(j, "tool", '{');
	json_open(j, "driver", '{');
	json_string(j, "name", "rocsteady");
	json_string(j, "version", ROCSTEADY_VERSION);
	json_open(j, "rules", '[');
}

void sarif_rule(struct json *j, const char *id, const char *says, const char *more,
		const char *level)
{
	json_open(j, NULL, '{');
	json_string(j, "id", id);
	sarif_message(j, "shortDescription", says);
	sarif_message(j, "fullDescription", more);
	json_open(j, "defaultConfiguration", '{');
	json_string(j, "level", level);
	json_close(j, '}');
	json_close(j, '}');
}

void sarif_close_rules(struct json *j)
{
	json_close(j, ']');
	json_close(j, '}');
	json_close(j, '}');
}

void sarif_invocation(struct json *j, int exit_status)
{
	json_open(j, "invocations", '[');
	json_open(j, NULL, '{');
	json_bool(j, "executionSuccessful", true);
	json_int(j, "exitCode", exit_status);
	json_close(j, '}');
	json_close(j, ']');
}

/* A path as a URI reference: relative ones stay relative, as CI wants them. */
static void add_uri(struct buf *ret, const char *path)
{
	static const char plain[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/+@=,";

	if (path[0] == '/')
		buf_text(ret, "file://");
	for (; *path; path++) {
		if (strchr(plain, *path))
			buf_char(ret, *path);
		else
			buf_addf(ret, "%%%02X", (unsigned char)*path);
	}
}

static void physical(struct json *j, const char *file)
{
	struct buf where BUF_SCOPED = { 0 };

	add_uri(&where, file);
	json_open(j, "physicalLocation", '{');
	json_open(j, "artifactLocation", '{');
	json_string(j, "uri", where.data ? where.data : "");
	json_close(j, '}');
	json_close(j, '}');
}

static void logical(struct json *j, const char *name)
{
	json_open(j, "logicalLocations", '[');
	json_open(j, NULL, '{');
	json_string(j, "fullyQualifiedName", name);
	json_string(j, "kind", "resource");
	json_close(j, '}');
	json_close(j, ']');
}

void sarif_location(struct json *j, const char *file, const char *name)
{
	json_open(j, "locations", '[');
	json_open(j, NULL, '{');
	if (file)
		physical(j, file);
	if (name)
		logical(j, name);
	json_close(j, '}');
	json_close(j, ']');
}

void sarif_print(struct json *j, const char *key, const char *words)
{
	char hex[SHA256_HEX];
	struct sha256 sum;

	sha256_init(&sum);
	sha256_add(&sum, span_of(words));
	sha256_end(&sum, hex);
	json_open(j, "partialFingerprints", '{');
	json_text(j, key, (struct span){ hex, 32 });
	json_close(j, '}');
}
