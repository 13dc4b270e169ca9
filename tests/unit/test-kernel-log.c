/* Every line that the table of classes knows must get through the door's own filter. */

#include "survey/kernel-log.h"

#include "check.h"
#include "source-file.h"

int main(void)
{
	struct buf text BUF_SCOPED = tree_file("tests/data/klog-examples.tsv");
	struct span rest = buf_get(&text);
	struct span line, class, mark;
	int seen = 0;

	while (span_line(&rest, &line)) {
		if (!span_cut(&line, '\t', &class) || !span_cut(&line, '\t', &mark) ||
		    !span_is(mark, "+"))
			continue;
		seen++;
		if (!CHECK(kernel_log_concerns(line)))
			printf("  %.*s\n", (int)line.len, line.data);
	}
	CHECK(seen > 200);
	CHECK(!kernel_log_concerns(SPAN_LITERAL("usb 1-1: new high-speed USB device number 2")));
	return check_end();
}
