#include "parse/dpm.h"

static bool read_index(struct span word, struct dpm_level *level)
{
	uint64_t index;

	if (!span_ends(word, ":"))
		return false;
	word.len--;
	level->asleep = span_is(word, "S");
	if (level->asleep)
		return true;
	if (!span_u64(word, &index) || index > UINT32_MAX)
		return false;
	level->index = (uint32_t)index;
	return true;
}

/* The driver writes "Mhz"; a star may touch it. */
static bool read_clock(struct span word, struct dpm_level *level)
{
	uint64_t mhz;

	if (span_ends(word, "*"))
		word.len--;
	if (!span_ends(word, "Mhz") && !span_ends(word, "MHz"))
		return false;
	word.len -= 3;
	if (!span_u64(word, &mhz) || mhz > UINT32_MAX)
		return false;
	level->mhz = (uint32_t)mhz;
	return true;
}

static bool read_line(struct span line, struct dpm_level *ret)
{
	struct dpm_level level = { .active = span_ends(span_trim(line), "*") };
	struct span word;
	bool has_clock = false;

	if (!span_word(&line, &word) || !read_index(word, &level))
		return false;
	while (span_word(&line, &word))
		has_clock |= read_clock(word, &level);
	if (!has_clock)
		return false;
	*ret = level;
	return true;
}

bool dpm_next(struct span *rest, struct dpm_level *ret)
{
	struct span line;

	while (span_line(rest, &line))
		if (read_line(line, ret))
			return true;
	return false;
}

bool dpm_find_active(struct span text, struct dpm_level *ret)
{
	struct dpm_level level;

	while (dpm_next(&text, &level)) {
		if (!level.active)
			continue;
		*ret = level;
		return true;
	}
	return false;
}
