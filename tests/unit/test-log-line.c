#include "parse/log-line.h"

#include "check.h"

#define NONE INT64_MIN

static const struct {
	const char *line;
	enum log_line_form form;
	int level;
	int64_t since_boot_us, wall_s;
	const char *tag, *text;
	const char *why;
} cases[] = {
	{ "", LOG_LINE_BARE, -1, NONE, NONE, "", "", "nothing" },
	{ "amdgpu: ring timeout", LOG_LINE_BARE, -1, NONE, NONE, "", "amdgpu: ring timeout",
	  "a line pasted without its time" },
	{ "[drm] VRAM is lost", LOG_LINE_BARE, -1, NONE, NONE, "", "[drm] VRAM is lost",
	  "a bracket that is no time" },
	{ "[  123.456789] text", LOG_LINE_UPTIME, -1, 123456789, NONE, "", "text", "dmesg" },
	{ "[12345.000001] [drm] text", LOG_LINE_UPTIME, -1, 12345000001, NONE, "", "[drm] text",
	  "the second bracket belongs to the text" },
	{ "[    0.000000][    T0] text", LOG_LINE_UPTIME, -1, 0, NONE, "", "text",
	  "CONFIG_PRINTK_CALLER" },
	{ "[  123.456789 <    0.000012>] text", LOG_LINE_UPTIME, -1, 123456789, NONE, "", "text",
	  "dmesg -d" },
	{ "<6>[  12.3] text", LOG_LINE_UPTIME, 6, 12300000, NONE, "", "text", "a raw console" },
	{ "<14>text", LOG_LINE_BARE, 6, NONE, NONE, "", "text", "a facility before the level" },
	{ "kern  :err   : [    5.250000] text", LOG_LINE_UPTIME, 3, 5250000, NONE, "", "text",
	  "dmesg -x" },
	{ "kern  :odd   : text", LOG_LINE_BARE, -1, NONE, NONE, "", "kern  :odd   : text",
	  "a level that does not exist" },
	{ "[Sat Nov 15 10:22:07 2026] text", LOG_LINE_CTIME, -1, NONE, NONE, "", "text",
	  "dmesg -T has no zone, so no wall time" },
	{ "[Nov15 10:22] text", LOG_LINE_DELTA, -1, NONE, NONE, "", "text", "dmesg -e" },
	{ "[  +0.000012] text", LOG_LINE_DELTA, -1, NONE, NONE, "", "text",
	  "dmesg -e, later lines" },
	{ "[  123.456789] box kernel: text", LOG_LINE_UPTIME, -1, 123456789, NONE, "kernel", "text",
	  "journalctl -o short-monotonic" },
	{ "Nov 15 10:22:07 box kernel: [  123.456789] text", LOG_LINE_SYSLOG, -1, 123456789, NONE,
	  "kernel", "text", "kern.log; no year, so no wall time" },
	{ "Nov  5 10:22:07 box kernel: text: more", LOG_LINE_SYSLOG, -1, NONE, NONE, "kernel",
	  "text: more", "journalctl; a day of one digit" },
	{ "Nov 15 10:22:07 box sshd[99]: text", LOG_LINE_SYSLOG, -1, NONE, NONE, "sshd[99]", "text",
	  "another writer" },
	{ "Nov 15 25:22:07 box kernel: text", LOG_LINE_BARE, -1, NONE, NONE, "",
	  "Nov 15 25:22:07 box kernel: text", "no such hour" },
	{ "2026-11-15T10:22:07.123456+00:00 box kernel: text", LOG_LINE_ISO, -1, NONE, 1794738127,
	  "kernel", "text", "rsyslog's own form" },
	{ "2026-11-15T10:22:07.123456+00:00 box kernel: [   12.000000] text", LOG_LINE_ISO, -1,
	  12000000, 1794738127, "kernel", "text", "and with the kernel's time" },
	{ "2026-11-15T15:52:07+0530 box kernel: text", LOG_LINE_ISO, -1, NONE, 1794738127, "kernel",
	  "text", "journalctl -o short-iso, east" },
	{ "2026-11-15T05:22:07-05:00 box kernel: text", LOG_LINE_ISO, -1, NONE, 1794738127,
	  "kernel", "text", "west" },
	{ "2026-11-15T10:22:07Z box kernel: text", LOG_LINE_ISO, -1, NONE, 1794738127, "kernel",
	  "text", "Zulu" },
	{ "2024-02-29T23:59:59+00:00 box kernel: text", LOG_LINE_ISO, -1, NONE, 1709251199,
	  "kernel", "text", "a leap day" },
	{ "2026-11-15T10:22:07,123456+00:00 text here: more", LOG_LINE_ISO, -1, NONE, 1794738127,
	  "", "text here: more", "dmesg --time-format iso names no host" },
	{ "2026-11-15T10:22:07 box kernel: text", LOG_LINE_ISO, -1, NONE, NONE, "kernel", "text",
	  "without a zone there is no wall time" },
	{ "2026-13-15T10:22:07Z box kernel: text", LOG_LINE_BARE, -1, NONE, NONE, "",
	  "2026-13-15T10:22:07Z box kernel: text", "no such month" },
	{ "2026-11-15T10:22:07Z", LOG_LINE_BARE, -1, NONE, NONE, "", "2026-11-15T10:22:07Z",
	  "a time and nothing else is text" },
	{ "[99999999999.000000] text", LOG_LINE_BARE, -1, NONE, NONE, "",
	  "[99999999999.000000] text", "three thousand years of uptime" },
	{ "[  123.456789", LOG_LINE_BARE, -1, NONE, NONE, "", "[  123.456789", "cut off" },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct log_line got;
		bool good;

		log_line_parse(span_of(cases[i].line), &got);
		good = got.form == cases[i].form && got.level == cases[i].level &&
		       got.has_since_boot == (cases[i].since_boot_us != NONE) &&
		       got.has_wall == (cases[i].wall_s != NONE) &&
		       (!got.has_since_boot ||
			(int64_t)got.since_boot_us == cases[i].since_boot_us) &&
		       (!got.has_wall || got.wall_s == cases[i].wall_s) &&
		       span_is(got.tag, cases[i].tag) && span_is(got.text, cases[i].text);
		if (!CHECK(good))
			printf("  %s: form %d level %d boot %llu wall %lld tag \"%.*s\" text \"%.*s\"\n",
			       cases[i].why, (int)got.form, got.level,
			       (unsigned long long)got.since_boot_us, (long long)got.wall_s,
			       (int)got.tag.len, got.tag.data, (int)got.text.len, got.text.data);
	}
	return check_end();
}
