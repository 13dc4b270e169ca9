#include "base/stem.h"

#include <string.h>

#include "base/buf.h"
#include "check.h"

int main(void)
{
	static const struct {
		const char *text, *stems;
	} rows[] = {
		{ "ROCm crashed, gfx1100 hangs", "rocm crash gfx1100 hang " },
		{ "HIP_VISIBLE_DEVICES=0", "hip visible devic " },
		{ "torch==2.10.0+rocm7.1", "torch rocm7 " },
		{ "7900XTX", "xtx " },
		{ "is as fans classes", "is as fans class " }, /* four letters are left, or all */
		{ "boxes freezes pass", "boxe freez pass " },
		{ "a I x", "" },
		{ "abcdefghijklmnopqrstuvwx abcdefghijklmnopqrstuvwxy",
		  "abcdefghijklmnopqrstuvwx " },
		{ "\xc3\xa9tat \xff\x01gpu", "tat gpu " },
		{ "   ", "" },
		{ "", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf got BUF_SCOPED = { 0 };
		struct span rest = span_of(rows[i].text);
		struct stem stem;

		buf_text(&got, "");
		while (stem_next(&rest, &stem)) {
			CHECK(stem.word.len >= strlen(stem.text));
			buf_addf(&got, "%s ", stem.text);
		}
		CHECK_TEXT(got.len ? got.data : "", rows[i].stems);
		CHECK_INT(rest.len, 0);
	}
	return check_end();
}
