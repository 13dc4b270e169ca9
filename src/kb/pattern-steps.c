#include "kb/pattern-steps.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

struct pattern_steps {
	pcre2_code *code;
	pcre2_match_data *match;
	pcre2_match_context *context;
	uint64_t count, most;
	PCRE2_SIZE at;
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
	struct pattern_steps *s = calloc(1, sizeof(*s));
	PCRE2_SIZE at;
	int error;

	if (!s)
		return NULL;
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

uint64_t pattern_steps_count(struct pattern_steps *s, struct span text, uint64_t most)
{
	s->count = 0;
	s->at = 0;
	s->most = most;
	(void)pcre2_match(s->code, (PCRE2_SPTR)text.data, text.len, 0, 0, s->match, s->context);
	return s->count < most ? s->count : most;
}
