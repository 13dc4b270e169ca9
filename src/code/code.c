#include "code/code.h"

#include <errno.h>
#include <string.h>

#include "base/debug.h"
#include "base/sha256.h"
#include "code/gather.h"
#include "code/kpack.h"
#include "code/sections.h"
#include "parse/ar.h"
#include "parse/bundle.h"
#include "parse/code-object.h"
#include "parse/elf.h"
#include "parse/offload-binary.h"
#include "parse/pe.h"

static void read_code_object(struct gather *g, struct elf *elf)
{
	struct code_object object;

	if (code_object_read(elf, &object) < 0 || !gather_bundle(g, CODE_ELF))
		return;
	if (object.osabi != 64)
		gather_problem(g, "a code object for OS ABI %u: HIP takes 64 (HSA) only",
			       object.osabi);
	else if (object.version == 0)
		gather_problem(g, "a code object of ABI version %u, newer than we know",
			       elf->abi_version);
	gather_target(g, object.target);
	gather_version(g, object.version);
}

static int elf_section_at(void *of, uint32_t number, struct section *ret)
{
	struct elf_section x;
	int r = elf_section(of, number, &x);

	if (r < 0)
		return r;
	*ret = (struct section){ .no_content = x.type == ELF_NOBITS,
				 .offset = x.offset,
				 .size = x.size };
	memcpy(ret->name, x.name, sizeof(x.name));
	return 0;
}

static void read_device_code(struct gather *g, struct elf *elf)
{
	if (elf->machine == ELF_MACHINE_AMDGPU) {
		read_code_object(g, elf);
		return;
	}
	if (elf->type == ELF_CORE)
		return;
	if (elf->shnum > 0 && elf->names_size > 0) {
		sections_read(g, elf->source, elf_section_at, elf);
		return;
	}
	if (elf->shoff > 0)
		gather_problem(g, "the section table cannot be read: the file was searched");
	g->code->scanned = true;
	gather_scan(g, elf->source);
}

/* The names that the loader reads. A source with holes may lack them; that is no fault. */
static void read_names(struct gather *g, struct elf *elf, struct elf_dynamic *d)
{
	struct code *code = g->code;
	int r = elf_dynamic(elf, g->arena, d);

	if (r < 0 && !elf->source->kept)
		gather_problem(g, r == -E2BIG ? "the dynamic section is longer than is read"
					      : "the dynamic section cannot be read");
	code->soname = gather_text(g, d->soname);
	code->rpath = gather_text(g, d->rpath);
	code->runpath = gather_text(g, d->runpath);
	code->defines = gather_text(g, d->defines);
	for (size_t i = 0; i < d->needed_count; i++)
		d->needed[i] = gather_text(g, d->needed[i]);
	code->needed = (const char *const *)d->needed;
	code->needed_count = d->needed_count;
}

static bool has_interpreter(struct elf *elf)
{
	struct elf_segment segment;

	for (uint32_t i = 0; elf_segment(elf, i, &segment) == 0; i++)
		if (segment.type == ELF_INTERPRETER)
			return true;
	return false;
}

static enum code_kind kind_of(struct elf *elf, const struct elf_dynamic *d)
{
	if (elf->machine == ELF_MACHINE_AMDGPU)
		return CODE_OBJECT;
	switch (elf->type) {
	case ELF_RELOCATABLE:
		return CODE_RELOCATABLE;
	case ELF_EXECUTABLE:
		return CODE_EXECUTABLE;
	case ELF_SHARED:
		return d->pie || (!d->soname && has_interpreter(elf)) ? CODE_EXECUTABLE
								      : CODE_SHARED_LIBRARY;
	default:
		return CODE_NOTHING;
	}
}

static bool begins_bundle(struct span head)
{
	return span_starts(head, BUNDLE_MAGIC) || ccob_is(head);
}

static void read_member(struct gather *g, struct source *s)
{
	struct elf elf;
	const char *why;
	int r = elf_open(s, &elf, &why);
	struct span head = { (const char *)elf.head.bytes, elf.head.len };

	if (r == 0)
		read_device_code(g, &elf);
	else if (r == -ENOEXEC && begins_bundle(head))
		gather_bundles(g, s, true);
	else if (r != -ENOEXEC && r != -EPROTONOSUPPORT)
		gather_problem(g, "member at 0x%llx: %s", (unsigned long long)gather_place(s, 0),
			       why);
}

static void read_members(struct gather *g, struct source *s)
{
	uint64_t place = AR_HEAD;
	struct ar_member member;
	int r = 0;

	for (size_t i = 0; i < GATHER_MEMBERS_MAX; i++) {
		struct source part;

		r = ar_next(s, &place, &member);
		if (r <= 0)
			break;
		part = source_part(s, member.at, member.size);
		read_member(g, &part);
	}
	if (r < 0)
		gather_problem(g, "the archive is broken at 0x%llx", (unsigned long long)place);
	else if (r > 0)
		gather_problem(g, "more than %u members: the others were not read",
			       GATHER_MEMBERS_MAX);
}

static int pe_section_at(void *of, uint32_t number, struct section *ret)
{
	struct pe_section x;
	int r = pe_section(of, number, &x);

	if (r < 0)
		return r;
	*ret = (struct section){ .no_content = x.size == 0, .offset = x.offset, .size = x.size };
	memcpy(ret->name, x.name, sizeof(x.name));
	return 0;
}

static void read_pe(struct gather *g, struct source *s)
{
	const char *why;
	struct pe pe;
	int r = pe_open(s, &pe, &why);

	if (r == -ENOEXEC)
		return;
	if (r < 0) {
		gather_problem(g, "%s", why);
		return;
	}
	g->code->kind = pe.library ? CODE_SHARED_LIBRARY : CODE_EXECUTABLE;
	sections_read(g, s, pe_section_at, &pe);
}

/* A file that is not ELF. */
static void read_other(struct gather *g, struct source *s, struct span head)
{
	if (begins_bundle(head)) {
		g->code->kind = CODE_BUNDLE;
		gather_bundles(g, s, true);
	} else if (offload_binary_is(head)) {
		g->code->kind = CODE_BUNDLE;
		gather_offloaded(g, s);
	} else if (ar_is(head)) {
		g->code->kind = CODE_STATIC_ARCHIVE;
		read_members(g, s);
	} else if (ar_is_thin(head)) {
		g->code->kind = CODE_STATIC_ARCHIVE;
		gather_problem(g, "a thin archive: its members are elsewhere");
	} else if (span_starts(head, "MZ"))
		read_pe(g, s);
}

void code_read(struct source *s, const struct code_opener *opener, struct arena *arena,
	       struct code *ret)
{
	struct gather g = { .opener = opener, .arena = arena, .code = ret };
	uint64_t began = DEBUG_NOW(DEBUG_CODE);
	struct elf_dynamic d = { 0 };
	struct elf elf;
	const char *why;
	struct span head;
	int r;

	*ret = (struct code){ .size = s->size };
	r = elf_open(s, &elf, &why);
	head = (struct span){ (const char *)elf.head.bytes, elf.head.len };
	if (r == 0) {
		if (elf.machine != ELF_MACHINE_AMDGPU)
			read_names(&g, &elf, &d);
		ret->kind = kind_of(&elf, &d);
		read_device_code(&g, &elf);
	} else if (r == -ENOEXEC)
		read_other(&g, s, head);
	else if (r != -EPROTONOSUPPORT) /* another processor's: that it holds none is known */
		gather_problem(&g, "%s", why);
	gather_end(&g);
	if (span_starts(head, "KPAK"))
		code_kpack_archive(s, arena, ret);
	else if (g.kpack.data)
		code_kpack(g.kpack, opener, arena, ret);
	DEBUG(DEBUG_CODE, began, "%s of %llu bytes: %u bundles, %zu targets, %zu problems%s",
	      code_kind_name(ret->kind), (unsigned long long)ret->size, ret->bundles,
	      ret->target_count, ret->problem_count, ret->scanned ? ", searched" : "");
}

void code_digest(struct source *s, struct code *ret)
{
	char bytes[4096], hex[SHA256_HEX];
	int64_t got = source_some(s, 0, bytes, sizeof(bytes));
	struct sha256 hash;

	if (got < 0)
		return;
	sha256_init(&hash);
	sha256_add(&hash, (struct span){ bytes, (size_t)got });
	sha256_end(&hash, hex);
	memcpy(ret->head, hex, sizeof(ret->head) - 1);
}

unsigned int code_holds(const struct code *code, struct span id)
{
	for (size_t i = 0; i < code->target_count; i++)
		if (span_is(id, code->targets[i].id))
			return code->targets[i].in;
	return 0;
}

const char *code_opener_error(int error)
{
	return error == -EXDEV ? "lies outside of what is opened" : strerror(-error);
}
