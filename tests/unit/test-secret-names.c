#include "door/secret-names.h"

#include "base/array.h"
#include "check.h"

static const struct {
	const char *name;
	enum secret_name want;
	bool any; /* what the door withholds */
} cases[] = {
	{ "HF_TOKEN", SECRET_NAME_SURE, true },
	{ "DB_PASS", SECRET_NAME_SURE, true },
	{ "secretKey", SECRET_NAME_SURE, true },
	{ "AccountKey", SECRET_NAME_SURE, true },
	{ "DBPassword", SECRET_NAME_SURE, true },
	{ "wandb-key", SECRET_NAME_SURE, true },
	{ "MYTOKEN", SECRET_NAME_SURE, true },
	{ "API_KEY_2", SECRET_NAME_SURE, true },
	{ "AWS_ACCESS_KEY_ID", SECRET_NAME_SURE, true },
	{ "SECRET_KEY_BASE", SECRET_NAME_SURE, true },
	{ "KEY", SECRET_NAME_WEAK, true },
	{ "auth", SECRET_NAME_WEAK, true },
	{ "EOS_TOKEN", SECRET_NAME_NONE, true },
	{ "primary_key", SECRET_NAME_NONE, true },
	{ "KEY_PADDING_MASK", SECRET_NAME_NONE, true },
	{ "MAX_TOKENS", SECRET_NAME_NONE, false },
	{ "TOKENIZERS_PARALLELISM", SECRET_NAME_NONE, false },
	{ "MONKEY", SECRET_NAME_NONE, false },
	{ "KEYBOARD", SECRET_NAME_NONE, false },
	{ "HSA_OVERRIDE_GFX_VERSION", SECRET_NAME_NONE, false },
	{ "", SECRET_NAME_NONE, false },
	{ "___", SECRET_NAME_NONE, false },
	{ "7", SECRET_NAME_NONE, false },
	{ "_ID", SECRET_NAME_NONE, false },
};

int main(void)
{
	static struct secret_names names;
	char lengthy[2000];

	CHECK(secret_names_load(&names));
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct span name = span_of(cases[i].name);

		check_note(secret_names_judge(&names, name) == cases[i].want, __FILE__, __LINE__,
			   cases[i].name);
		check_note(secret_names_any(&names, name) == cases[i].any, __FILE__, __LINE__,
			   cases[i].name);
	}
	memset(lengthy, 'x', sizeof(lengthy));
	memcpy(lengthy + sizeof(lengthy) - 6, "_TOKEN", 6);
	CHECK(secret_names_judge(&names, (struct span){ lengthy, sizeof(lengthy) }) ==
	      SECRET_NAME_SURE);
	return check_end();
}
