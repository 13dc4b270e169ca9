#include "check-facts.h"

#define WALK "ask probe\n\twalk 2 1763190000 torch@/home/a\\x20b/venv\n"
#define INIT "\thip.init - all answered 31\n\t file /opt/a\\x20b/libamdhip64.so.6\n"
#define ASYNC                                                           \
	"\tmemory.async 0000:03:00.0 all refused 22 2\n"                \
	"\t file /opt/libamdhip64.so.6\n\t call hipMallocAsync\n"       \
	"\t value free 1073741824\n\t value note two words\n\t value\n" \
	"\t said first\n\t said \x1b[31mlast\n"
#define AGAIN "\tmemory.async 0000:03:00.0 all answered 2\n"
#define HANDLE                                                \
	"\trocblas.handle 0000:43:00.0 alone crashed 40 11\n" \
	"\t call rocblas_create_handle\n\t place /opt/librocblas.so.4+0x12\n"
#define PEER "\tpeer.copy 0000:03:00.0>0000:43:00.0 all stuck 3000\n"
#define BLAS                                                                     \
	"\thipblas.handle 0000:03:00.0 all refused 3 2\n\t call hipblasCreate\n" \
	"\thipblaslt.handle 0000:03:00.0 all refused 3 99\n\t call hipblasLtCreate\n"

#define QUEUE                                             \
	"\tmemory.async 0000:03:00.0 all crashed 22 11\n" \
	"\t said queue\n\t said other\n\t said queue\n\t said queue\n"
#define ENDS(question, subject)                          \
	"\t" question " " subject " all refused 1 2\n"   \
	"\t" question " " subject " all wrong 1\n"       \
	"\t" question " " subject " all missing 1\n"     \
	"\t" question " " subject " all crashed 1 11\n"  \
	"\t" question " " subject " all crashed 1 9\n"   \
	"\t" question " " subject " all exited 1 1\n"    \
	"\t" question " " subject " all timeout 20000\n" \
	"\t" question " " subject " all slow 20000\n"    \
	"\t" question " " subject " all stuck 1\n"       \
	"\t" question " " subject " all skipped 0\n"
#define INFO(free)                                     \
	"\tmemory.info 0000:03:00.0 all answered 14\n" \
	"\t value free " free "\n\t value total 21474836480\n"
#define STANDINGS \
	"SELECT group_concat(standing, ' ') FROM (SELECT standing FROM probe_failure ORDER BY position)"

#define GAPS \
	"SELECT DISTINCT standing, detail FROM gap WHERE topic IN ('walk', 'probe', 'probe_value')"

static const struct facts_case cases[] = {
	{ "nobody walked, and nobody misses it", "", GAPS, "unasked|NOT WALKED" },
	{ "a walk", WALK INIT, "SELECT level, wall_s, \"like\", origin FROM walk",
	  "2|1763190000|torch@/home/a b/venv|probed" },
	{ "then nothing is missing", WALK INIT, GAPS, "" },
	{ "a walk of another form", "ask probe\n\tstroll\n", GAPS, "broken|EBADMSG" },
	{ "a walk that could not be recorded", "ask probe !EIO\n", GAPS, "broken|EIO" },
	{ "an answer of the machine", WALK INIT,
	  "SELECT position, layer, question, subject, ending, number, file, ms, source FROM probe",
	  "0|hip|hip.init||answered|-|/opt/a b/libamdhip64.so.6|31|rocsteady probe --layer hip --like 'torch@/home/a b/venv'" },
	{ "a refusal has a name, and what was said has no escapes", WALK INIT ASYNC,
	  "SELECT subject, ending, number, name, call, said, source FROM probe WHERE position = 1",
	  "0000:03:00.0|refused|2|hipErrorOutOfMemory|hipMallocAsync|first / \\x1b[31mlast|"
	  "rocsteady probe --layer memory --device 0000:03:00.0 --like 'torch@/home/a b/venv'" },
	{ "values; one without a name is none", WALK ASYNC,
	  "SELECT name, value, number FROM probe_value",
	  "free|1073741824|1073741824\nnote|two words|-" },
	{ "a signal is no status of the library", WALK HANDLE,
	  "SELECT number, name, place FROM probe", "11|-|/opt/librocblas.so.4+0x12" },
	{ "a pair is no device to name", WALK PEER, "SELECT subject, source FROM probe",
	  "0000:03:00.0>0000:43:00.0|rocsteady probe --layer peer --like 'torch@/home/a b/venv'" },
	{ "the longest name of a call tells whose status it is", WALK BLAS,
	  "SELECT number, name FROM probe", "2|HIPBLAS_STATUS_ALLOC_FAILED\n99|-" },
	{ "a line that is printed again is counted", WALK QUEUE, "SELECT said FROM probe",
	  "queue (3 times) / other" },
	{ "what each ending proves", WALK INFO("20474836480") ENDS("kernel.run", "0000:03:00.0"),
	  STANDINGS, "fault fault no-library fault killed fault fault starved fault" },
	{ "without a runtime nothing is tested", WALK ENDS("hsa.init", "-"), STANDINGS,
	  "fault fault no-runtime fault killed fault fault starved fault" },
	{ "beside a job that fills the VRAM",
	  WALK INFO("1000000000") ENDS("kernel.run", "0000:03:00.0"), STANDINGS,
	  "vram-full fault no-library vram-full killed vram-full vram-full starved fault" },
	{ "of one of two", WALK INFO("1000000000") ENDS("peer.copy", "0000:43:00.0>0000:03:00.0"),
	  STANDINGS,
	  "vram-full fault no-library vram-full killed vram-full vram-full starved fault" },
	{ "of another", WALK INFO("1000000000") ENDS("kernel.run", "0000:43:00.0"), STANDINGS,
	  "fault fault no-library fault killed fault fault starved fault" },
	{ "the first break of each", WALK INIT ASYNC HANDLE PEER BLAS,
	  "SELECT subject, question, ending FROM probe_break ORDER BY 1",
	  "0000:03:00.0|memory.async|refused\n0000:03:00.0>0000:43:00.0|peer.copy|stuck\n"
	  "0000:43:00.0|rocblas.handle|crashed" },
	{ "a question that was put again: the break is the row that broke",
	  WALK AGAIN ASYNC AGAIN ASYNC, "SELECT subject, question, position FROM probe_break",
	  "0000:03:00.0|memory.async|1" },
};

int main(void)
{
	check_facts(cases, sizeof(cases) / sizeof(cases[0]));
	return check_end();
}
