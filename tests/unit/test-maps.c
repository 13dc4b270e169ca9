#include "parse/maps.h"

#include "check.h"

static const char text[] =
	"55d0c8a00000-55d0c8a01000 r--p 00000000 fe:01 99                         /usr/bin/python3.12\n"
	"7f2c4a000000-7f2c4a021000 rw-p 00000000 00:00 0 \n"
	"7f2c4a100000-7f2c4a121000 r-xp 00003000 fe:01 1234                       /opt/a b/lib/libamdhip64.so.6\n"
	"7f2c4a200000-7f2c4a221000 r-xp 00003000 fe:01 1235                       /tmp/librocblas.so.4 (deleted)\n"
	"7f2c4a300000-7f2c4a321000 rw-s 00000000 00:05 17                         /dev/kfd\n"
	"7ffd2b000000-7ffd2b021000 rw-p 00000000 00:00 0                          [stack]\n"
	"no mapping at all\n";

static void files(void)
{
	static const char *const want[] = { "/usr/bin/python3.12", "/opt/a b/lib/libamdhip64.so.6",
					    "/dev/kfd" };
	struct span rest = SPAN_LITERAL(text), path;

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		CHECK(maps_next_file(&rest, &path));
		CHECK(span_is(path, want[i]));
	}
	CHECK(!maps_next_file(&rest, &path));
}

static void code(void)
{
	struct span rest = SPAN_LITERAL(text);
	struct maps_code m;

	CHECK(maps_next_code(&rest, &m) && m.start == 0x7f2c4a100000 && m.end == 0x7f2c4a121000);
	CHECK(m.offset == 0x3000 && span_is(m.path, "/opt/a b/lib/libamdhip64.so.6"));
	CHECK(maps_next_code(&rest, &m) && span_is(m.path, "/tmp/librocblas.so.4 (deleted)"));
	CHECK(!maps_next_code(&rest, &m));
	rest = span_of("7f-80 r-xp 00000000 00:00 0 \n9-8 r-xp 0 0 0 x\nx-y r-xp 0 0 0\n1-2 r-x");
	CHECK(maps_next_code(&rest, &m) && m.start == 0x7f && m.path.len == 0);
	CHECK(!maps_next_code(&rest, &m));
}

static void libraries(void)
{
	CHECK(maps_is_library(span_of("/opt/a b/lib/libamdhip64.so.6.4.60401"), "amdhip64"));
	CHECK(maps_is_library(span_of("/v/torch/lib/libamdhip64.so"), "amdhip64"));
	CHECK(!maps_is_library(span_of("/lib/libhipblaslt.so.0"), "hipblas"));
	CHECK(!maps_is_library(span_of("/lib/libamdhip64.source"), "amdhip64"));
	CHECK(!maps_is_library(span_of("/lib/amdhip64.so"), "amdhip64"));
	CHECK(!maps_is_library(span_of("/lib/"), "amdhip64"));
	CHECK(!maps_is_library(span_of(""), "amdhip64"));
}

int main(void)
{
	files();
	code();
	libraries();
	return check_end();
}
