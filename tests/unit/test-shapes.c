#include "scrub/shapes.h"

#include "check-span.h"

enum shape { UUID, MAC, TOKEN, LOGIN, NAMED };

static const struct {
	const char *why;
	enum shape shape;
	const char *text; /* the place is behind the first '|', or the beginning */
	const char *want; /* what is taken, or NULL */
} cases[] = {
	{ "a boot id", UUID, "6b1f3a5c-1234-4abc-9def-0123456789ab",
	  "6b1f3a5c-1234-4abc-9def-0123456789ab" },
	{ "a machine id", UUID, "6b1f3a5c12344abc9def0123456789ab x",
	  "6b1f3a5c12344abc9def0123456789ab" },
	{ "33 digits are something else", UUID, "6b1f3a5c12344abc9def0123456789abc", NULL },
	{ "64 digits are a container or a checksum", UUID,
	  "6b1f3a5c12344abc9def0123456789ab6b1f3a5c12344abc9def0123456789ab", NULL },
	{ "a word goes on behind it", UUID, "6b1f3a5c-1234-4abc-9def-0123456789abz", NULL },
	{ "cut short", UUID, "6b1f3a5c-1234-4abc-9def-0123", NULL },
	{ "a FAT has a short one", UUID, "root=UUID=|ABCD-1234 ro", "ABCD-1234" },
	{ "a disk without GPT", UUID, "PARTUUID=|1a2b3c4d-02", "1a2b3c4d-02" },
	{ "the link that udev makes", UUID, "/dev/disk/by-uuid/|ABCD-1234", "ABCD-1234" },
	{ "elsewhere short ones are words", UUID, "dead-beef1", NULL },
	{ "srcversion", UUID, "533BB7E5866E52F63B9ACCB", NULL },

	{ "colons", MAC, "00:11:22:aa:bb:cc,", "00:11:22:aa:bb:cc" },
	{ "the form of PXE", MAC, "BOOTIF=|01-00-11-22-aa-bb-cc", "01-00-11-22-aa-bb-cc" },
	{ "InfiniBand has twenty", MAC,
	  "80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:ab:cd:ef",
	  "80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:ab:cd:ef" },
	{ "a time", MAC, "12:34:56", NULL },
	{ "an address of PCI", MAC, "0000:03:00.0", NULL },
	{ "colons and dashes mixed", MAC, "00:11-22:aa-bb:cc", NULL },
	{ "a word goes on", MAC, "00:11:22:aa:bb:ccd", NULL },
	{ "five pairs", MAC, "00:11:22:aa:bb", NULL },

	{ "Hugging Face", TOKEN, "hf_abcdefghijklmnopqrstuvwxyz0123",
	  "hf_abcdefghijklmnopqrstuvwxyz0123" },
	{ "GitHub", TOKEN, "ghp_A1b2C3d4E5f6G7h8I9j0)", "ghp_A1b2C3d4E5f6G7h8I9j0" },
	{ "OpenAI", TOKEN, "sk-proj-1234567890abcdef", "sk-proj-1234567890abcdef" },
	{ "AWS", TOKEN, "AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE" },
	{ "AWS, the secret half", TOKEN, "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
	  "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" },
	{ "a JSON web token", TOKEN, "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_D-1",
	  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_D-1" },
	{ "mixed as no word is", TOKEN, "Zx8Kp2Qm9Lw4Rt7Yv3Nb6Hd1", "Zx8Kp2Qm9Lw4Rt7Yv3Nb6Hd1" },
	{ "base64 with its padding", TOKEN, "Zx8Kp2Qm9Lw4Rt7Yv3Nb6Hd1Qw==;",
	  "Zx8Kp2Qm9Lw4Rt7Yv3Nb6Hd1Qw==" },
	{ "a mark with a word behind it", TOKEN, "hf_transformers_cache", NULL },
	{ "small letters alone", TOKEN, "hf_abcdefghijklmnopqrstuvwxyzabcdefgh",
	  "hf_abcdefghijklmnopqrstuvwxyzabcdefgh" },
	{ "small letters alone, of OpenAI", TOKEN, "sk-abcdefghijklmnopqrstuvwx",
	  "sk-abcdefghijklmnopqrstuvwx" },
	{ "words behind a mark", TOKEN, "sk-learn-contrib-lightning", NULL },
	{ "age", TOKEN, "AGE-SECRET-KEY-1QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
	  "AGE-SECRET-KEY-1QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L" },
	{ "a webhook", TOKEN, "hooks.slack.com/services/T0/B0/abc x", "T0/B0/abc" },
	{ "Bearer", TOKEN, "Bearer abc123def x", "abc123def" },
	{ "Basic", TOKEN, "Basic dXNlcjpwYXNz", "dXNlcjpwYXNz" },
	{ "a word behind Basic", TOKEN, "Basic authentication", NULL },
	{ "a symbol of C++", TOKEN, "_ZN2at6native12GLOBAL3Foo4barEPKc7Baz1", NULL },
	{ "a directory with capitals", TOKEN, "Data/StableDiffusion/XL10/CheckpointsV2/LoRA/Extra",
	  NULL },
	{ "too short", TOKEN, "hf_a1", NULL },
	{ "a model", TOKEN, "Meta-Llama-3-70B-Instruct-AWQ", NULL },
	{ "an installer's label", TOKEN, "Fedora-Workstation-Live-x86_64-42-1", NULL },
	{ "words without blanks", TOKEN, "ROCmBuildForGfx1100Targets", NULL },
	{ "a variable", TOKEN, "PYTORCH_HIP_ALLOC_CONF", NULL },
	{ "a hexadecimal digest is no secret", TOKEN, "da39a3ee5e6b4b0d3255bfef95601890afd80709",
	  NULL },
	{ "a kernel", TOKEN, "6.8.0-45-generic", NULL },
	{ "srcversion", TOKEN, "533BB7E5866E52F63B9ACCB", NULL },

	{ "name and password", LOGIN, "https://|me:pa55!w@rd@host/x", "me:pa55!w@rd" },
	{ "a token alone", LOGIN, "https://|abc@host", "abc" },
	{ "an @ in the path", LOGIN, "https://|host/a@b", NULL },
	{ "no URL", LOGIN, "a//|me:x@host", NULL },

	{ "the value of a variable", NAMED, "HF_TOKEN=abc def", "abc" },
	{ "with quotes inside", NAMED, "MY_PASSWORD=\"a b\" c", "a b" },
	{ "with quotes around", NAMED, "\"|HF_TOKEN=a b\" c", "a b" },
	{ "an option", NAMED, "--|api-key abc d", "abc" },
	{ "an option with =", NAMED, "--|api-key=abc d", "abc" },
	{ "JSON", NAMED, "\"|password\": \"a b\", 1", "a b" },
	{ "a line of YAML", NAMED, "client_secret: abc", "abc" },
	{ "small letters", NAMED, "rd.password=abc;x", "abc" },
	{ "capitals part a name", NAMED, "--|secretKey abc d", "abc" },
	{ "words in one", NAMED, "accountkey=abc", NULL },
	{ "two words in capitals", NAMED, "AccountKey=abc;EndpointSuffix=x", "abc" },
	{ "a short word as the last part", NAMED, "DB_PASS=abc d", "abc" },
	{ "numbers behind it", NAMED, "API_KEY_2=abc", "abc" },
	{ "blanks around the sign", NAMED, "password = hunter2", "hunter2" },
	{ "TOML", NAMED, "token = \"a b\" # c", "a b" },
	{ "a working directory", NAMED, "PWD=/work/x", NULL },
	{ "a password of that name", NAMED, "pwd=hunter2", "hunter2" },
	{ "a header", NAMED, "Authorization: Bearer abc", "Bearer abc" },
	{ "a header within quotes", NAMED, "-H 'Authorization: Basic abc' x", "Basic abc" },
	{ "a header within an escaped word", NAMED, "-H Authorization:\\x20Bearer\\x20abc x",
	  "Bearer\\x20abc" },
	{ "curl's option", NAMED, "curl -s -u ada:abc x", "ada:abc" },
	{ "the user of a container", NAMED, "docker run -u ada:render x", NULL },
	{ "netrc", NAMED, "machine x login ada password abc", "abc" },
	{ "netrc on lines of its own", NAMED, "machine x\n\tlogin ada\n\tpassword abc\n", "abc" },
	{ "a sentence", NAMED, "the password was wrong", NULL },
	{ "csh", NAMED, "setenv HF_TOKEN abc", "abc" },
	{ "a list of arguments", NAMED, "['--api-key', 'abc', '-x']", "abc" },
	{ "XML", NAMED, "<password>abc</password>", "abc" },
	{ "JSON in JSON", NAMED, "{\\\"password\\\": \\\"a b\\\"}", "a b" },
	{ "an encoded URL", NAMED, "password%3Dabc&x", "abc" },
	{ "key alone with a word", NAMED, "key=name", NULL },
	{ "key alone with a secret", NAMED, "key=Zx8Kp2Qm9Lw4", "Zx8Kp2Qm9Lw4" },
	{ "a key of a state dict", NAMED, "missing_key: layer1", NULL },
	{ "the end of a sentence to a model", NAMED, "eos_token=</s>", NULL },
	{ "a line of a traceback", NAMED, "token = self.decode(ids)", NULL },
	{ "an argument handed on", NAMED, "api_key=api_key,", NULL },
	{ "a variable of a shell", NAMED, "HF_TOKEN=$HF_TOKEN", NULL },
	{ "what we wrote", NAMED, "HF_TOKEN=token-1f0c93aa", NULL },
	{ "withheld", NAMED, "HF_TOKEN=(withheld)", NULL },
	{ "a comparison", NAMED, "if token == abc", NULL },
	{ "a scope", NAMED, "key::abcd1234EFGH", NULL },
	{ "more than one", NAMED, "AWS_CREDENTIALS=abc", "abc" },
	{ "a number of tokens", NAMED, "VLLM_MAX_TOKEN=4096", NULL },
	{ "tokens are counted, not kept", NAMED, "MAX_TOKENS=abc", NULL },
	{ "no token", NAMED, "TOKENIZERS_PARALLELISM=on", NULL },
	{ "a switch", NAMED, "USE_TOKEN=true", NULL },
	{ "nothing behind it", NAMED, "HF_TOKEN=", NULL },
	{ "no name", NAMED, "HIP_VISIBLE_DEVICES=0", NULL },
};

static struct secret_rules rules;

/* The first value that a name tells to be a secret. */
static size_t named(struct span text, size_t at, size_t *start)
{
	enum secret_kind kind;
	size_t n = 0;

	for (; n == 0 && at < text.len; at++)
		if (at > 0 && strchr("=: ,>%\\\t", text.data[at]))
			n = shape_value(&rules, text, at, start, &kind);
	return n;
}

static size_t take(enum shape shape, struct span text, size_t at, size_t *start)
{
	*start = at;
	switch (shape) {
	case UUID:
		return shape_uuid(text, at);
	case MAC:
		return shape_mac(text, at);
	case TOKEN:
		return shape_token(&rules, text, at, start);
	case LOGIN:
		return shape_login(text, at);
	default:
		return named(text, at, start);
	}
}

static void check_shapes(void)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char text[256];
		const char *bar = strchr(cases[i].text, '|');
		size_t at = bar ? (size_t)(bar - cases[i].text) : 0;
		size_t start;
		size_t n;

		snprintf(text, sizeof(text), "%.*s%s", (int)at, cases[i].text,
			 cases[i].text + at + (bar != NULL));
		n = take(cases[i].shape, span_of(text), at, &start);
		ROW_SPAN(((struct span){ text + start, n }), cases[i].want ? cases[i].want : "",
			 cases[i].why);
	}
}

static void check_beginnings(void)
{
	CHECK(shape_begins(span_of("ab"), 0));
	CHECK(!shape_begins(span_of("ab"), 1));
	CHECK(shape_begins(span_of("-b"), 1));
	CHECK(!shape_begins(span_of("a b"), 1));
	CHECK(shape_begins(span_of("of\\x20alice"), 6));
	CHECK(shape_begins(span_of("of\\040alice"), 6));
	CHECK(!shape_begins(span_of("ofax20alice"), 6));
	CHECK(shape_begins(span_of("a\xc3\xa4"), 1));
}

int main(void)
{
	CHECK(secret_rules_load(&rules));
	check_shapes();
	check_beginnings();
	secret_rules_done(&rules);
	return check_end();
}
