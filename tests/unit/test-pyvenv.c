#include "parse/pyvenv.h"

#include "check-span.h"

static const struct {
	const char *text;
	const char *home; /* NULL: no environment */
	const char *version;
	const char *uv;
	bool system_site;
	const char *why;
} rows[] = {
	{ "home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11.2\n"
	  "executable = /usr/bin/python3.11\ncommand = /usr/bin/python3 -m venv /tmp/v\n",
	  "/usr/bin", "3.11.2", "", false, "venv of Python 3.11" },
	{ "home = /usr/bin\nimplementation = CPython\nuv = 0.4.18\nversion_info = 3.12.3\n"
	  "include-system-site-packages = true\n",
	  "/usr/bin", "3.12.3", "0.4.18", true, "uv" },
	{ "home = /opt/py/bin\nversion_info = 3.10.12.final.0\nvirtualenv = 20.24.5\n",
	  "/opt/py/bin", "3.10.12", "", false, "virtualenv" },
	{ "HOME=/a\nhome=/b\nInclude-System-Site-Packages=TRUE\ninclude-system-site-packages=false\n",
	  "/a", "", "", true, "any case, no blanks, the first one counts" },
	{ "version = 3.11\n", NULL, "", "", false, "no home" },
	{ "home = /usr/bin\nversion = unknown\n", "/usr/bin", "", "", false, "no version" },
	{ "home = /usr/bin\nversion = 3.13.0rc2\n", "/usr/bin", "3.13.0", "", false,
	  "a candidate" },
	{ "home\n= x\n", NULL, "", "", false, "no equals sign, no key" },
	{ "", NULL, "", "", false, "empty" },
};

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct pyvenv v;
		bool good = pyvenv_parse(span_of(rows[i].text), &v);

		ROW_CHECK(good == (rows[i].home != NULL), rows[i].why);
		if (!good || !rows[i].home)
			continue;
		ROW_SPAN(v.home, rows[i].home, rows[i].why);
		ROW_SPAN(v.version, rows[i].version, rows[i].why);
		ROW_SPAN(v.uv, rows[i].uv, rows[i].why);
		ROW_CHECK(v.system_site == rows[i].system_site, rows[i].why);
	}
	return check_end();
}
