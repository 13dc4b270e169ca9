#include "survey/python-packages.h"

#include <string.h>

#include "base/names.h"

extern const char data_python_packages[];

static const char *const roles[] = {
	[PYTHON_FRAMEWORK] = "framework",
	[PYTHON_PART] = "part",
	[PYTHON_COMPANION] = "companion",
	[PYTHON_RUNTIME] = "runtime",
};

struct span python_packages(void)
{
	return span_of(data_python_packages);
}

static bool role_of(struct span word, enum python_package_role *ret)
{
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (span_is(word, roles[i])) {
			*ret = (enum python_package_role)i;
			return true;
		}
	return false;
}

bool python_packages_next(struct span *rest, struct python_package *ret)
{
	struct span words, role;

	while (names_next(rest, &ret->pattern, &words))
		if (span_word(&words, &role) && role_of(role, &ret->role) &&
		    span_word(&words, &ret->framework)) {
			ret->traits = words;
			return true;
		}
	return false;
}

bool python_packages_find(struct span name, struct python_package *ret)
{
	struct span rest = python_packages();
	struct python_package p;

	while (python_packages_next(&rest, &p))
		if (span_fits(name, p.pattern)) {
			*ret = p;
			return true;
		}
	return false;
}

bool python_package_trait(struct span *rest, const char *trait, struct span *ret_value)
{
	size_t n = strlen(trait);
	struct span word;

	while (span_word(rest, &word))
		if (word.len > n && word.data[n] == '=' && memcmp(word.data, trait, n) == 0) {
			*ret_value = (struct span){ word.data + n + 1, word.len - n - 1 };
			return true;
		}
	return false;
}

bool python_package_fits(struct span pattern, struct span name)
{
	const char *at = memchr(pattern.data, '@', pattern.len);
	struct span head, tail;

	if (!at)
		return span_fits(name, pattern);
	head = (struct span){ pattern.data, (size_t)(at - pattern.data) };
	tail = (struct span){ at + 1, pattern.len - head.len - 1 };
	if (name.len <= head.len + tail.len || memcmp(name.data, head.data, head.len) != 0 ||
	    memcmp(name.data + name.len - tail.len, tail.data, tail.len) != 0)
		return false;
	for (size_t i = head.len; i < name.len - tail.len; i++)
		if (name.data[i] < '0' || name.data[i] > '9')
			return false;
	return true;
}

bool python_package_has(const struct python_package *p, const char *trait, struct span name)
{
	struct span rest = p->traits, pattern;

	while (python_package_trait(&rest, trait, &pattern))
		if (python_package_fits(pattern, name))
			return true;
	return false;
}
