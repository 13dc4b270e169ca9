/*
 * decoder - tells the model what the bytes of an instruction mean to LLVM
 *
 * usage: decoder SOCKET
 *        decoder --check     whether there is an LLVM to ask
 *
 * A process of its own, outside the root: AMD's runtime brings another LLVM, and two do not go into
 * one process. LLVM is loaded when somebody asks for the first time; whoever asks gets a child.
 */
#include "decoder.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Tried in this order: the table of the model follows the words of 19. */
static const char *const libraries[] = { "libLLVM.so.19.1", "libLLVM-19.so.1", "libLLVM.so.20.1",
					 "libLLVM.so.21.1", "libLLVM-18.so.1" };

/* llvm-c/Disassembler.h, whose functions have not changed since LLVM 3. */
typedef void *(*create_function)(const char *triple, const char *cpu, const char *features, void *,
				 int, void *, void *);
typedef size_t (*decode_function)(void *, uint8_t *bytes, uint64_t count, uint64_t pc, char *text,
				  size_t);
typedef void (*dispose_function)(void *);
typedef void (*any_function)(void);

static struct {
	create_function create;
	decode_function decode;
	dispose_function dispose;
} llvm;

static any_function function(void *library, const char *name)
{
	any_function f;

	*(void **)&f = dlsym(library, name); /* as dlsym(3) says it */
	return f;
}

static bool load(void)
{
	static const char *const begin[] = { "LLVMInitializeAMDGPUTargetInfo",
					     "LLVMInitializeAMDGPUTargetMC",
					     "LLVMInitializeAMDGPUDisassembler" };
	void *library = NULL;

	for (unsigned i = 0; !library && i < sizeof(libraries) / sizeof(*libraries); i++)
		library = dlopen(libraries[i], RTLD_NOW);
	for (unsigned i = 0; library && i < sizeof(begin) / sizeof(*begin); i++) {
		any_function f = function(library, begin[i]);

		if (!f)
			return false;
		f();
	}
	if (!library)
		return false;
	llvm.create = (create_function)function(library, "LLVMCreateDisasmCPUFeatures");
	llvm.decode = (decode_function)function(library, "LLVMDisasmInstruction");
	llvm.dispose = (dispose_function)function(library, "LLVMDisasmDispose");
	return llvm.create && llvm.decode && llvm.dispose;
}

/* The disassembler of a target and a number of lanes, kept until another is asked for. */
static void *context_of(const struct decoder_request *r)
{
	static struct decoder_request last;
	static void *context;
	const char *features = r->lanes == 32 ? "+wavefrontsize32,-wavefrontsize64"
					      : "-wavefrontsize32,+wavefrontsize64";

	if (context && last.lanes == r->lanes && !strcmp(last.target, r->target))
		return context;
	if (context)
		llvm.dispose(context);
	last = *r;
	context = llvm.create("amdgcn-amd-amdhsa", r->target, features, NULL, 0, NULL, NULL);
	return context;
}

static void answer(struct decoder_request *r, struct decoder_answer *ret)
{
	void *context;

	r->target[sizeof(r->target) - 1] = '\0';
	if (r->count > DECODER_BYTES)
		r->count = DECODER_BYTES;
	context = context_of(r);
	if (context)
		ret->size = (uint8_t)llvm.decode(context, r->bytes, r->count, 0, ret->text,
						 sizeof(ret->text));
}

static void serve(int fd)
{
	struct decoder_request r;

	while (recv(fd, &r, sizeof(r), 0) == (ssize_t)sizeof(r)) {
		struct decoder_answer a = { 0 };

		answer(&r, &a);
		if (send(fd, &a, sizeof(a), MSG_NOSIGNAL) != (ssize_t)sizeof(a))
			return;
	}
}

/* Any user of the root may ask. */
static int listen_at(const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (fd < 0 || strlen(path) >= sizeof(a.sun_path))
		return -1;
	strcpy(a.sun_path, path);
	if (bind(fd, (struct sockaddr *)&a, sizeof(a)) != 0 || chmod(path, 0666) != 0 ||
	    listen(fd, 64) != 0)
		return -1;
	return fd;
}

static int check(void)
{
	bool is_there = load();

	if (!is_there)
		fprintf(stderr, "no %s to decode with\n", libraries[0]);
	return is_there ? 0 : 1;
}

int main(int argc, char **argv)
{
	bool is_loaded = false;
	int fd, client;

	if (argc == 2 && !strcmp(argv[1], "--check"))
		return check();
	fd = argc == 2 ? listen_at(argv[1]) : -1;
	if (fd < 0) {
		perror(argc == 2 ? argv[1] : "usage: decoder SOCKET");
		return 1;
	}
	signal(SIGCHLD, SIG_IGN);
	while ((client = accept(fd, NULL, NULL)) >= 0) {
		is_loaded = is_loaded || load();
		if (is_loaded && fork() == 0) {
			serve(client);
			return 0;
		}
		close(client);
	}
	return 0;
}
