#include "parse/acl.h"

#include "base/endian.h"

#define VERSION     2
#define HEADER_SIZE 4
#define ENTRY_SIZE  8

/* A tag with an id is another tag than the same word without. */
static const struct word {
	const char *name;
	unsigned int plain;
	unsigned int with_id; /* 0: takes none */
} words[] = {
	{ "user", ACL_TAG_USER_OBJ, ACL_TAG_USER },
	{ "group", ACL_TAG_GROUP_OBJ, ACL_TAG_GROUP },
	{ "mask", ACL_TAG_MASK, 0 },
	{ "other", ACL_TAG_OTHER, 0 },
};

#define WORD_COUNT (sizeof(words) / sizeof(words[0]))

static const struct word *word_of_tag(unsigned int tag)
{
	for (size_t i = 0; i < WORD_COUNT; i++)
		if (tag == words[i].plain || (tag != 0 && tag == words[i].with_id))
			return &words[i];
	return NULL;
}

bool acl_parse(struct span attribute, struct span *ret_entries)
{
	if (attribute.len < HEADER_SIZE || (attribute.len - HEADER_SIZE) % ENTRY_SIZE != 0 ||
	    endian_u32(attribute.data) != VERSION)
		return false;
	*ret_entries = (struct span){ attribute.data + HEADER_SIZE, attribute.len - HEADER_SIZE };
	return true;
}

bool acl_next(struct span *entries, struct acl_entry *ret)
{
	const struct word *word;
	unsigned int tag, perm;

	if (entries->len < ENTRY_SIZE)
		return false;
	tag = endian_u16(entries->data);
	perm = endian_u16(entries->data + 2);
	word = word_of_tag(tag);
	if (!word || perm > 7)
		return false;
	*ret = (struct acl_entry){
		(enum acl_tag)tag,
		perm,
		tag == word->with_id ? endian_u32(entries->data + 4) : ACL_NO_ID,
	};
	entries->data += ENTRY_SIZE;
	entries->len -= ENTRY_SIZE;
	return true;
}

void acl_text_write(struct buf *out, const struct acl_entry *entry)
{
	const struct word *word = word_of_tag(entry->tag);

	if (!word)
		return;
	buf_addf(out, "%s:", word->name);
	if (entry->tag == word->with_id)
		buf_addf(out, "%u", entry->id);
	buf_addf(out, ":%c%c%c\n", entry->perm & ACL_PERM_READ ? 'r' : '-',
		 entry->perm & ACL_PERM_WRITE ? 'w' : '-', entry->perm & ACL_PERM_EXEC ? 'x' : '-');
}

static bool read_perm(struct span text, unsigned int *ret)
{
	unsigned int perm = 0;

	if (text.len != 3)
		return false;
	for (size_t i = 0; i < 3; i++) {
		if (text.data[i] != "rwx"[i] && text.data[i] != '-')
			return false;
		perm = perm << 1 | (text.data[i] != '-');
	}
	*ret = perm;
	return true;
}

static bool read_text(struct span line, struct acl_entry *ret)
{
	struct acl_entry entry = { .id = ACL_NO_ID };
	struct span name, id;
	uint64_t number;
	size_t i = 0;

	if (!span_cut(&line, ':', &name) || !span_cut(&line, ':', &id) ||
	    !read_perm(line, &entry.perm))
		return false;
	while (i < WORD_COUNT && !span_is(name, words[i].name))
		i++;
	if (i == WORD_COUNT)
		return false;
	entry.tag = (enum acl_tag)words[i].plain;
	if (id.len > 0) {
		if (words[i].with_id == 0 || !span_u64(id, &number) || number > UINT32_MAX)
			return false;
		entry.tag = (enum acl_tag)words[i].with_id;
		entry.id = (uint32_t)number;
	}
	*ret = entry;
	return true;
}

bool acl_text_next(struct span *rest, struct acl_entry *ret)
{
	struct span line;

	while (span_line(rest, &line))
		if (read_text(span_trim(line), ret))
			return true;
	return false;
}
