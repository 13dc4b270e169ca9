#include "cli/version.h"

#define PCRE2_CODE_UNIT_WIDTH 8

#include <pcre2.h>
#include <sqlite3.h>
#include <stdio.h>
#include <time.h>
#include <zlib.h>
#include <zstd.h>

#include "archive/archive.h"
#include "base/json-write.h"
#include "built.h"
#include "cli/open.h"
#include "cli/program.h"
#include "cli/say.h"
#include "kb/signature.h"

bool version_age(const char *day, int64_t *ret)
{
	struct tm tm = { 0 };

	if (sscanf(day, "%4d-%2d-%2d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday) != 3)
		return false;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	*ret = (time(NULL) - timegm(&tm)) / 86400;
	return true;
}

static void knowledge_part(struct json *j, const struct kb_info *info)
{
	int64_t days;

	json_open(j, "kb", '{');
	json_string(j, "version", info->version);
	json_string(j, "digest", info->digest);
	if (version_age(info->version, &days))
		json_int(j, "age_days", days);
	else
		json_null(j, "age_days");
	json_int(j, "format", info->format);
	json_string(j, "needs", info->needs);
	json_close(j, '}');
}

static void program_part(struct json *j)
{
	char pcre2[64] = "";

	pcre2_config_8(PCRE2_CONFIG_VERSION, pcre2);
	json_string(j, "version", ROCSTEADY_VERSION);
	json_string(j, "commit", BUILT_COMMIT[0] ? BUILT_COMMIT : NULL);
	json_int(j, "kb_format", KB_FORMAT);
	json_open(j, "features", '{');
	json_bool(j, "archives", BUILT_ARCHIVES);
	json_bool(j, "static", BUILT_STATIC);
	json_bool(j, "updates", BUILT_UPDATES);
	json_close(j, '}');
	json_open(j, "libraries", '{');
	json_string(j, "sqlite", sqlite3_libversion());
	json_string(j, "pcre2", pcre2);
	json_string(j, "zlib", zlibVersion());
	json_string(j, "zstd", ZSTD_versionString());
	json_string(j, "libarchive", archive_library());
	json_string(j, "libsodium", signature_library());
	json_close(j, '}');
}

static int answer_json(void)
{
	struct buf text BUF_SCOPED = { 0 };
	struct json j = json_on(&text);
	struct options none = { 0 };
	struct context context;
	int status = open_bare(&none, &context);

	if (status != 0)
		return status;
	json_open(&j, NULL, '{');
	program_part(&j);
	knowledge_part(&j, &context.knowledge.info);
	json_close(&j, '}');
	buf_char(&text, '\n');
	context_close(&context);
	return say_answer(NULL, buf_get(&text));
}

int version_answer(bool json)
{
	struct buf text BUF_SCOPED = { 0 };

	if (json)
		return answer_json();
	buf_addf(&text, "%s " ROCSTEADY_VERSION "\n", program.word);
	return say_answer(NULL, buf_get(&text));
}
