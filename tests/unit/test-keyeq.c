#include "parse/keyeq.h"

#include "check-span.h"

static const char noble[] = "PRETTY_NAME=\"Ubuntu 24.04.1 LTS\"\n"
			    "VERSION_ID=\"24.04\"\n"
			    "ID=ubuntu\n"
			    "ID_LIKE=debian\n";

static const char uevent[] = "DRIVER=amdgpu\n"
			     "PCI_CLASS=30000\n"
			     "PCI_ID=1002:744C\n"
			     "PCI_SLOT_NAME=0000:03:00.0\n"
			     "MODALIAS=pci:v00001002d0000744Csv00001EAEsd00007901bc03sc00i00\n";

static const struct {
	const char *text;
	const char *key;
	const char *value; /* NULL: not found */
	const char *why;
} rows[] = {
	{ noble, "PRETTY_NAME", "Ubuntu 24.04.1 LTS", "quotes dropped, blanks kept" },
	{ noble, "ID", "ubuntu", "not quoted, and not the end of VERSION_ID" },
	{ noble, "VERSION", NULL, "a prefix is no key" },
	{ uevent, "PCI_ID", "1002:744C", "from a PCI function" },
	{ uevent, "MODALIAS", "pci:v00001002d0000744Csv00001EAEsd00007901bc03sc00i00", "last" },
	{ "ID='rhel'\n", "ID", "rhel", "single quotes are allowed in os-release" },
	{ "ID=a\nID=b\n", "ID", "b", "the last one counts, as in a shell" },
	{ "# ID=a\n", "ID", NULL, "a comment" },
	{ "  ID = a  \n", "ID", "a", "blanks around" },
	{ "ID=\n", "ID", "", "an empty value is a value" },
	{ "ID=\"\"\n", "ID", "", "so is an empty pair of quotes" },
	{ "ID=\"a\n", "ID", "\"a", "never closed: as written" },
	{ "ID=a=b\n", "ID", "a=b", "the first '=' divides" },
	{ "ID\n", "ID", NULL, "no '='" },
	{ "=a\n", "", NULL, "no key" },
	{ "ID=a\r\n", "ID", "a", "edited on another system" },
	{ "", "ID", NULL, "empty" },
};

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct span value = SPAN_LITERAL("untouched");
		bool found = keyeq_find(span_of(rows[i].text), rows[i].key, &value);

		ROW_CHECK(found == (rows[i].value != NULL), rows[i].why);
		ROW_SPAN(value, found && rows[i].value ? rows[i].value : "untouched", rows[i].why);
	}
	return check_end();
}
