#include "parse/elf.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check-span.h"

/*
 * libelf reads the same shared libraries of this host as we do: the same
 * sections, the same names for the loader, the same newest version.
 */

#if !__has_include(<gelf.h>)
int main(void)
{
	puts("skipped: libelf's header is not installed");
	return 77;
}
#else
#include <gelf.h>

#define DIRECTORY "/usr/lib/x86_64-linux-gnu"
#define FILES_MAX 1000

static bool same(bool good, const char *path, const char *what)
{
	return check_note(good, path, 0, what);
}

static void compare_sections(struct elf *ours, Elf *theirs, const char *path)
{
	size_t count = 0, names = 0;

	elf_getshdrnum(theirs, &count);
	elf_getshdrstrndx(theirs, &names);
	same(ours->shnum == count, path, "number of sections");
	for (uint32_t i = 0; i < count; i++) {
		Elf_Scn *scn = elf_getscn(theirs, i);
		struct elf_section x;
		GElf_Shdr h;

		if (!gelf_getshdr(scn, &h) || elf_section(ours, i, &x) != 0) {
			same(false, path, "a section cannot be read");
			return;
		}
		same(x.type == h.sh_type && x.offset == h.sh_offset && x.size == h.sh_size, path,
		     "a section's place");
		same(strcmp(x.name, elf_strptr(theirs, names, h.sh_name)) == 0, path,
		     "a section's name");
	}
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : !a && !b;
}

static void compare_dynamic(const struct elf_dynamic *ours, Elf *theirs, Elf_Scn *scn,
			    const GElf_Shdr *h, const char *path)
{
	const char *soname = NULL, *rpath = NULL, *runpath = NULL;
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t needed = 0;
	GElf_Dyn d;

	for (int i = 0; gelf_getdyn(data, i, &d) && d.d_tag != DT_NULL; i++) {
		const char *text = elf_strptr(theirs, h->sh_link, d.d_un.d_val);

		if (d.d_tag == DT_SONAME)
			soname = text;
		else if (d.d_tag == DT_RPATH)
			rpath = text;
		else if (d.d_tag == DT_RUNPATH)
			runpath = text;
		else if (d.d_tag == DT_NEEDED) {
			same(needed < ours->needed_count && same_text(ours->needed[needed], text),
			     path, "a needed library");
			needed++;
		}
	}
	same(needed == ours->needed_count, path, "number of needed libraries");
	same(same_text(soname, ours->soname), path, "soname");
	same(same_text(rpath, ours->rpath), path, "rpath");
	same(same_text(runpath, ours->runpath), path, "runpath");
}

static void compare_versions(const struct elf_dynamic *ours, Elf *theirs, Elf_Scn *scn,
			     const GElf_Shdr *h, const char *path)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	const char *best = NULL;
	int at = 0;
	GElf_Verdef def;

	while (gelf_getverdef(data, at, &def)) {
		GElf_Verdaux aux;
		const char *name, *digit;

		gelf_getverdaux(data, at + (int)def.vd_aux, &aux);
		name = elf_strptr(theirs, h->sh_link, aux.vda_name);
		digit = strrchr(name, '_');
		if (!(def.vd_flags & VER_FLG_BASE) && digit && digit[1] >= '0' && digit[1] <= '9' &&
		    (!best || strverscmp(name, best) > 0))
			best = name;
		if (def.vd_next == 0)
			break;
		at += (int)def.vd_next;
	}
	same(same_text(best, ours->defines), path, "highest version");
}

static void compare_file(const char *path, int fd, uint64_t size)
{
	struct source s = source_file(fd, size);
	struct arena arena = { 0 };
	struct elf_dynamic d;
	Elf *theirs = elf_begin(fd, ELF_C_READ, NULL);
	Elf_Scn *scn = NULL;
	const char *why;
	struct elf ours;
	GElf_Ehdr head;

	if (elf_kind(theirs) != ELF_K_ELF || !gelf_getehdr(theirs, &head) ||
	    gelf_getclass(theirs) != ELFCLASS64) {
		same(elf_open(&s, &ours, &why) != 0, path, "libelf refuses it, we do not");
		elf_end(theirs);
		return;
	}
	same(elf_open(&s, &ours, &why) == 0, path, "libelf takes it, we do not");
	same(ours.type == head.e_type && ours.machine == head.e_machine, path, "header");
	compare_sections(&ours, theirs, path);
	same(elf_dynamic(&ours, &arena, &d) == 0, path, "dynamic segment");
	while ((scn = elf_nextscn(theirs, scn))) {
		GElf_Shdr h;

		gelf_getshdr(scn, &h);
		if (h.sh_type == SHT_DYNAMIC)
			compare_dynamic(&d, theirs, scn, &h, path);
		else if (h.sh_type == SHT_GNU_verdef)
			compare_versions(&d, theirs, scn, &h, path);
	}
	arena_done(&arena);
	elf_end(theirs);
}

int main(void)
{
	DIR *dir = opendir(DIRECTORY);
	struct dirent *entry;
	int files = 0;

	elf_version(EV_CURRENT);
	if (!dir) {
		puts("skipped: no " DIRECTORY);
		return 77;
	}
	while ((entry = readdir(dir)) && files < FILES_MAX) {
		int fd = openat(dirfd(dir), entry->d_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
		struct stat st;

		if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		    strstr(entry->d_name, ".so")) {
			compare_file(entry->d_name, fd, (uint64_t)st.st_size);
			files++;
		}
		if (fd >= 0)
			close(fd);
	}
	closedir(dir);
	printf("%d files\n", files);
	CHECK(files > 10);
	return check_end();
}
#endif
