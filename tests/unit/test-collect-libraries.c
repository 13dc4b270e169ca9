#include "check-facts.h"

#define NONE "ask libraries /usr/lib/x86_64-linux-gnu !ENOENT\nask libraries /usr/lib64 !ENOENT\n"
#define OPT                                                             \
	"dir /opt\n\trocm@\n\trocm-6.4.1/\nlink /opt/rocm rocm-6.4.1\n" \
	"file /opt/rocm-6.4.1/.info/version\n\t6.4.1-83\n"
#define BLAS "/opt/rocm-6.4.1/lib/librocblas.so.4.4.60401"
#define LIBS                                                                                 \
	"ask libraries /opt/rocm-6.4.1/lib\n\tdir /opt/rocm-6.4.1/lib\n\tversion 6.4.1-83\n" \
	"\tlibrary librocblas.so.4.4.60401 1000\n\tlibrary librocsparse.so.1.0.60401 2000\n" \
	"\tkernels /opt/rocm-6.4.1/lib/rocblas/library\n"
#define CODE(path, lines) "ask code " path "\n" lines
#define TARGETS           "\ttarget 65 gfx1100\n\ttarget 64 gfx90a:xnack-\n"
#define TWO                                                                             \
	CODE(BLAS, "\tsize 1000\n\tkind shared-library\n\tsoname librocblas.so.4\n"     \
		   "\tfound index\n\tbundles 65\n\tform ccob3 65\n\tcov 4 6\n" TARGETS) \
	CODE("/opt/rocm-6.4.1/lib/librocsparse.so.1.0.60401",                           \
	     "\tsize 2000\n\tkind shared-library\n\tfound index\n\tbundles 65\n\tform plain 65\n" TARGETS)
#define KERNELS                                                                         \
	"ask kernels /opt/rocm-6.4.1/lib/rocblas/library\n\tkind rocblas\n\tfiles 80\n" \
	"\tindex yes\n\tarch gfx1151 1 20 55 2\n\tarch gfx1201 1 0 55 1\n"
#define VENV                                                                    \
	"ask environments\n\tenv venv /v 3.12\n\tprogram /usr/bin/python3.12\n" \
	"\tapp llama.cpp /usr/bin/llama-server\n\tlibrary /usr/lib/libggml-hip.so\n\tstats 9\n"

static const struct facts_case cases[] = {
	{ "an install in /opt, once, though a link leads to it", OPT LIBS NONE,
	  "SELECT prefix, version, kind FROM rocm_install", "/opt/rocm-6.4.1|6.4.1-83|opt" },
	{ "since 7.13 it stands in core-X.Y",
	  "dir /opt\n\trocm/\ndir /opt/rocm\n\tcore@\n\tcore-7.13/\nlink /opt/rocm/core core-7.13\n"
	  "file /opt/rocm/.info/version !ENOENT\nfile /opt/rocm/core-7.13/.info/version\n\t7.13.0\n" NONE,
	  "SELECT prefix, version FROM rocm_install", "/opt/rocm/core-7.13|7.13.0" },
	{ "the distribution's says its line by the name of the runtime",
	  "dir /opt\nask libraries /usr/lib64\n\tdir /usr/lib64\n\tlibrary libamdhip64.so.6.4.43484 1\n",
	  "SELECT prefix, version, kind, source FROM rocm_install",
	  "/usr|6.4|distribution|/usr/lib64/libamdhip64.so.6.4.43484" },
	{ "libraries that are no runtime make no install",
	  "dir /opt\nask libraries /usr/lib64\n\tdir /usr/lib64\n\tlibrary libhsakmt.so.1.0.6 1\n",
	  "SELECT count(*) FROM rocm_install", "0" },

	{ "what the reader said of a library", OPT LIBS NONE TWO,
	  "SELECT name, soname, version, size_bytes, install, bundles, ccob, code_object_version FROM library",
	  "rocblas|librocblas.so.4|4.4.60401|1000|/opt/rocm-6.4.1|65|3|6\n"
	  "rocsparse|-|1.0.60401|2000|/opt/rocm-6.4.1|65|-|-" },
	{ "the same targets are one set", OPT LIBS NONE TWO,
	  "SELECT (SELECT group_concat(target_set) FROM library), set_id, target, bundles, of_bundles FROM target_set",
	  "1,1|1|gfx1100|65|65\n1,1|1|gfx90a:xnack-|64|65" },
	{ "a library that cannot be read is a gap", OPT LIBS NONE CODE(BLAS " !EACCES", ""),
	  "SELECT standing, subject FROM gap WHERE topic = 'library' AND standing = 'denied'",
	  "denied|" BLAS },
	{ "one that nobody asked about is no library without code", OPT LIBS NONE,
	  "SELECT count(*), (SELECT count(*) FROM library) FROM gap WHERE topic = 'library' AND standing = 'unasked' AND subject <> ''",
	  "2|0" },
	{ "a text of the linker under the name of a library",
	  OPT LIBS NONE CODE(BLAS, "\tsize 40\n\tkind nothing\n"), "SELECT count(*) FROM library",
	  "0" },
	{ "what could not be read of it is kept beside it",
	  OPT LIBS NONE CODE(
		  BLAS,
		  "\tsize 9\n\tkind shared-library\n\tbundles 1\n\tproblem bundle 1 ends early\n"),
	  "SELECT detail FROM gap WHERE topic = 'library.target_set'", "bundle 1 ends early" },
	{ "archives of kernels that are missing or empty are counted",
	  OPT LIBS NONE CODE(
		  BLAS,
		  "\tsize 9\n\tkind shared-library\n\tkpack lib/librocblas.so.5\n"
		  "\tarchive 120 ../.kpack/blas_lib_gfx942.kpack\n\tarchive 0 ../.kpack/blas_lib_gfx950.kpack\n"
		  "\tarchive missing ../.kpack/blas_lib_gfx1201.kpack\n\ttarget 1 gfx942\n"),
	  "SELECT kpack_missing, target_set FROM library", "2|1" },
	{ "the major number alone is no version; a node of the runtime is one",
	  "dir /opt\nask libraries /usr/lib64\n\tdir /usr/lib64\n\tlibrary libamdhip64.so.7 1\n" CODE(
		  "/usr/lib64/libamdhip64.so.7",
		  "\tsize 1\n\tkind shared-library\n\tdefines hip_7.2\n"),
	  "SELECT version FROM library", "7.2" },

	{ "kernels for each target", OPT LIBS NONE TWO KERNELS,
	  "SELECT kind, install, gfx, indexed, tuned, fallback, helper FROM kernel_dir",
	  "rocblas|/opt/rocm-6.4.1|gfx1151|1|20|55|2\nrocblas|/opt/rocm-6.4.1|gfx1201|1|0|55|1" },
	{ "a directory with nothing in it is a row too",
	  OPT LIBS NONE
	  "ask kernels /opt/rocm-6.4.1/lib/rocblas/library\n\tkind rocblas\n\tfiles 0\n\tindex no\n",
	  "SELECT kind, gfx FROM kernel_dir", "rocblas|-" },

	{ "parts of an index that are not there are counted",
	  OPT LIBS NONE "ask kernels /opt/rocm-6.4.1/lib/rocblas/library\n\tkind rocblas\n"
			"\tarch gfx1100 1 71 54 1 3\n\tarch gfx1101 1 71 54 1\n",
	  "SELECT gfx, missing, whole FROM kernel_dir", "gfx1100|3|1\ngfx1101|0|1" },
	{ "an index that could not be read is not taken for none",
	  OPT LIBS NONE "ask kernels /opt/rocm-6.4.1/lib/rocblas/library\n\tkind rocblas\n"
			"\tarch gfx1100 ? 71 54 1\n\tproblem x.dat Permission denied\n",
	  "SELECT gfx, indexed, (SELECT detail FROM gap WHERE topic = 'kernel_dir' AND subject <> '') FROM kernel_dir",
	  "gfx1100|-|x.dat Permission denied" },
	{ "a directory of which a part was left out may hold more than was found",
	  OPT LIBS NONE "ask kernels /opt/rocm-6.4.1/lib/rocblas/library\n\tkind rocblas\n"
			"\tarch gfx1100 1 71 54 1\n\tleft denied /opt/x\n\tleft many /opt/y\n",
	  "SELECT k.whole, g.standing, g.detail FROM kernel_dir k JOIN gap g ON g.topic = 'kernel_dir' AND g.subject <> ''",
	  "0|denied|/opt/x\n0|unasked|/opt/y" },

	{ "what the loader finds for an application, and what not",
	  VENV "ask loads /usr/lib/libggml-hip.so /usr/bin/llama-server\n"
	       "\tload cache librocblas.so.5 /usr/lib/librocblas.so.5.2 < /usr/lib/libggml-hip.so\n"
	       "\tload missing libamdhip64.so.5 - < /usr/lib/libggml-hip.so\n"
	       "\telsewhere libamdhip64.so.5 /opt/rocm-5.7.1/lib/libamdhip64.so.5\n"
	       "\tload missing libhipblas.so.0 - < /usr/lib/libggml-hip.so\n"
	       "\tother libhipblas.so.0 /opt/rocm/lib/libhipblas.so.3\n\tobjects 9\n",
	  "SELECT framework, wanted, path, how, elsewhere, other_major FROM load",
	  "llama.cpp|librocblas.so.5|/usr/lib/librocblas.so.5.2|cache|-|-\n"
	  "llama.cpp|libamdhip64.so.5|-|missing|/opt/rocm-5.7.1/lib/libamdhip64.so.5|-\n"
	  "llama.cpp|libhipblas.so.0|-|missing|-|/opt/rocm/lib/libhipblas.so.3" },
	{ "an application beside an install, whose libraries are nobody's", OPT LIBS NONE VENV TWO,
	  "SELECT name, build FROM framework", "llama.cpp|rocm" },
	{ "what it finds somewhere is looked into",
	  VENV
	  "ask loads /usr/lib/libggml-hip.so /usr/bin/llama-server\n"
	  "\tload cache librocblas.so.5 /own/librocblas.so.5.2 < /usr/lib/libggml-hip.so\n" CODE(
		  "/own/librocblas.so.5.2", "\tsize 7\n\tkind shared-library\n"),
	  "SELECT path, environment FROM library", "/own/librocblas.so.5.2|-" },
	{ "a directory that hangs costs its libraries, and that is said",
	  VENV
	  "ask loads /usr/lib/libggml-hip.so /usr/bin/llama-server\n\tleft stuck /mnt/models\n",
	  "SELECT subject, standing, detail FROM gap WHERE topic = 'load'",
	  "/usr/lib/libggml-hip.so|stuck|stuck /mnt/models" },
	{ "a walk that met a limit is not known whole",
	  VENV
	  "ask loads /usr/lib/libggml-hip.so /usr/bin/llama-server\n\tobjects 1024\n\tproblem more than 1024 libraries\n",
	  "SELECT subject, standing, detail FROM gap WHERE topic = 'load'",
	  "/usr/lib/libggml-hip.so|unasked|more than 1024 libraries" },
	{ "nor is a directory with too many libraries",
	  "dir /opt\nask libraries /usr/lib64\n\tdir /usr/lib64\n\tproblem more than 400 libraries\n",
	  "SELECT subject, standing, detail FROM gap WHERE topic = 'library' AND source = 'libraries'",
	  "/usr|unasked|more than 400 libraries" },
	{ "ollama sets the path itself: the plain rule is not asked",
	  "ask environments\n\tapp ollama /usr/bin/ollama\n\tlibrary /usr/lib/ollama/rocm/libggml-hip.so\n",
	  "SELECT count(*) FROM gap WHERE topic = 'load'", "0" },
	{ "a search that was never made: nothing is known of all these tables", "dir /opt\n" NONE,
	  "SELECT group_concat(topic) FROM (SELECT topic FROM gap WHERE source = 'environments' AND standing = 'unasked' ORDER BY topic)",
	  "environment,framework,kernel_dir,library,load,package,target_set" },
	{ "what the search left out is a gap",
	  "ask environments\n\tleft network /home/ann\n\tleft stuck /mnt\\x20x\n",
	  "SELECT subject, standing, detail FROM gap WHERE topic = 'environment'",
	  "/home/ann|unasked|network\n/mnt x|stuck|stuck" },
	{ "of all tables that may lack what is there",
	  "ask environments\n\tleft denied /srv/private\n",
	  "SELECT topic, standing FROM gap WHERE subject = '/srv/private'",
	  "environment|denied\nframework|denied\npackage|denied\nlibrary|denied" },
	{ "lines that nobody can read are passed over",
	  "ask environments\n\tenv\n\tapp\n\tsite\n\tlibrary\n\tkernels\n\tleft\n\tactive\n\tservice x\n\tprogram\n\t\n\tnew thing\n",
	  "SELECT count(*) FROM environment", "0" },
};

/* 70 environments, the last with a site; one with 40 sites. */
static void check_many(void)
{
	struct buf records = { 0 };
	struct facts *facts;

	buf_text(&records, "ask environments\n");
	for (int i = 0; i < 70; i++)
		buf_addf(&records, "\tenv venv /v%d 3.12\n", i);
	buf_text(&records, "\tsite /v69/lib/python3.12/site-packages\n");
	facts = facts_of(records.data);
	CHECK_TEXT(answer_of(facts, "SELECT count(*), min(subject), max(subject) FROM gap WHERE "
				    "topic = 'framework' AND detail LIKE 'too many%'"),
		   "6|/v64|/v69");
	facts_free(facts);
	buf_clear(&records);
	buf_text(&records, "ask environments\n\tenv venv /v 3.12\n");
	for (int i = 0; i < 40; i++)
		buf_addf(&records, "\tsite /v/lib/python3.%d/site-packages\n", i);
	facts = facts_of(records.data);
	CHECK_TEXT(answer_of(facts, "SELECT count(*) FROM gap WHERE topic = 'package' AND "
				    "detail LIKE 'too many%'"),
		   "8");
	facts_free(facts);
	answer_of(NULL, NULL);
	buf_done(&records);
}

int main(void)
{
	check_many();
	check_facts(cases, sizeof(cases) / sizeof(cases[0]));
	return check_end();
}
