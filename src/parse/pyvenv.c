#include "parse/pyvenv.h"

#include <string.h>
#include <strings.h>

static bool is_key(struct span key, const char *name)
{
	return key.len == strlen(name) && strncasecmp(key.data, name, key.len) == 0;
}

/* "3.11.2.final.0" -> "3.11.2" */
static struct span plain_version(struct span value)
{
	size_t n = 0;

	while (n < value.len &&
	       ((value.data[n] >= '0' && value.data[n] <= '9') || (value.data[n] == '.' && n > 0)))
		n++;
	while (n > 0 && value.data[n - 1] == '.')
		n--;
	return (struct span){ value.data, n };
}

bool pyvenv_parse(struct span text, struct pyvenv *ret)
{
	struct pyvenv v = { { text.data, 0 }, { text.data, 0 }, { text.data, 0 }, false };
	bool site_said = false;
	struct span line, key;

	while (span_line(&text, &line)) {
		struct span value = line;

		if (!memchr(line.data, '=', line.len) || !span_cut(&value, '=', &key))
			continue;
		key = span_trim(key);
		value = span_trim(value);
		if (is_key(key, "home") && v.home.len == 0)
			v.home = value;
		else if (is_key(key, "uv") && v.uv.len == 0)
			v.uv = value;
		else if ((is_key(key, "version") || is_key(key, "version_info")) &&
			 v.version.len == 0)
			v.version = plain_version(value);
		else if (is_key(key, "include-system-site-packages") && !site_said) {
			v.system_site = is_key(value, "true");
			site_said = true;
		}
	}
	if (v.home.len == 0)
		return false;
	*ret = v;
	return true;
}
