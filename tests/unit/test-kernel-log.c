/* Every line that the table of classes knows must get through the door's own filter. */

#include "root/kernel-log.h"

#include <stdio.h>
#include <stdlib.h>

#include "check.h"

int main(void)
{
	const char *source = getenv("ROCSTEADY_SOURCE");
	char path[512];
	char line[2048];
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/data/klog-examples.tsv", source ? source : ".");
	file = fopen(path, "r");
	CHECK(file != NULL);
	while (file && fgets(line, sizeof(line), file)) {
		struct span rest = span_trim(span_of(line));
		struct span class, mark;

		if (!span_cut(&rest, '\t', &class) || !span_cut(&rest, '\t', &mark) ||
		    !span_is(mark, "+"))
			continue;
		if (!CHECK(kernel_log_concerns(rest)))
			printf("  %.*s\n", (int)rest.len, rest.data);
	}
	if (file)
		fclose(file);
	CHECK(!kernel_log_concerns(SPAN_LITERAL("usb 1-1: new high-speed USB device number 2")));
	return check_end();
}
