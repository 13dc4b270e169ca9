#include "scan/pattern-steps.h"

#include <stdlib.h>

#include "base/memory.h"

struct pattern_steps {
	pcre2_code *code;
	pcre2_match_data *match;
	pcre2_match_context *context;
	uint64_t count, most;
	PCRE2_SIZE at;
	bool is_compiled;
};

/* Called before every item of the pattern. */
static int count_step(pcre2_callout_block *block, void *user)
{
	struct pattern_steps *s = user;

	s->count++;
	if (block->current_position > s->at)
		s->count += block->current_position - s->at;
	s->at = block->current_position;
	return s->count >= s->most ? PCRE2_ERROR_CALLOUT : 0;
}

struct pattern_steps *pattern_steps_new(const char *pattern)
{
	struct pattern_steps *s = memory_new(1, sizeof(*s));
	PCRE2_SIZE at;
	int error;

	s->code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
				PCRE2_NEVER_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY |
					PCRE2_AUTO_CALLOUT,
				&error, &at, NULL);
	s->match = pcre2_match_data_create(1, NULL);
	s->context = pcre2_match_context_create(NULL);
	if (!s->code || !s->match || !s->context)
		return pattern_steps_free(s);
	pcre2_set_callout(s->context, count_step, s);
	return s;
}

struct pattern_steps *pattern_steps_free(struct pattern_steps *s)
{
	if (!s)
		return NULL;
	pcre2_code_free(s->code);
	pcre2_match_data_free(s->match);
	pcre2_match_context_free(s->context);
	free(s);
	return NULL;
}

void pattern_steps_compile(struct pattern_steps *s)
{
	if (!s->is_compiled)
		pcre2_jit_compile(s->code, PCRE2_JIT_COMPLETE);
	s->is_compiled = true;
}

int pattern_steps_match(struct pattern_steps *s, struct span text, uint64_t most,
			pcre2_match_data *match, uint64_t *ret_steps)
{
	int r;

	s->count = 0;
	s->at = 0;
	s->most = most;
	r = pcre2_match(s->code, (PCRE2_SPTR)text.data, text.len, 0, 0, match, s->context);
	*ret_steps = s->count < most ? s->count : most;
	return r;
}

uint64_t pattern_steps_count(struct pattern_steps *s, struct span text, uint64_t most)
{
	uint64_t steps;

	(void)pattern_steps_match(s, text, most, s->match, &steps);
	return steps;
}
