/*
 * plan.h - what a fake vendor library is to do, as the file `plan` beside it says
 *
 *   device ADDRESS GFX TOTAL [USED]     a GPU, with bytes of memory; USED by somebody unseen
 *   workspace CALL BYTES                how rocBLAS gets the memory of a handle
 *   NAME [on ADDRESS] [many|alone] [over BYTES] [nth N] ACTION [NUMBER]
 *
 * NAME is a vendor call, or `load:librocblas` for the moment when that library is loaded.
 * The first line that fits a call counts: on this device, with several or with
 * one device visible, for more than so many bytes, the N-th time in this process.
 * ACTION:
 *   ok            as if there were no line
 *   refuse N      return that status
 *   wrong         do it, wrongly
 *   abort segv exit N sleep deaf exhaust corrupt      the call does not return
 *   fork          leave a child behind that stays, then go on
 *   flood N       N MiB to standard output and error, then go on
 *   escapes       terminal sequences and bad UTF-8 to all streams, then go on
 *   pause N       go on after N milliseconds
 *   busy N        a child called clang works for N milliseconds, then go on
 * Without a plan there is no device. Compiled into every fake, each with its own state.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FAKE_DEVICES 256
#define FAKE_WRONG   (-1)
#define FAKE_PUBLIC  __attribute__((visibility("default")))

/* For the lists of prober/abi-*.h; with the vendor's headers a second declaration, which must agree. */
#define FAKE_DECLARE(type, name, arguments) FAKE_PUBLIC type name arguments;

struct fake_device {
	char address[32], gfx[32];
	size_t total, used;
};

/* The devices that the plan names, in its order. */
const struct fake_device *fake_devices(int *ret_count);

/* Those that the variable (HIP_..., ROCR_VISIBLE_DEVICES) leaves of `count` indices, in place. */
int fake_visible(const char *variable, int *indices, int count);

/* Acts as the plan says: 0 to go on, FAKE_WRONG, or the status to return. */
int fake_call(const char *name, const char *address, int visible, size_t bytes);

/* PATH is NAME in the plan's directory. */
void fake_beside(const char *name, char *ret_path, size_t size);

/* How rocBLAS gets its workspace: by which call, and how much. */
const char *fake_workspace(size_t *ret_bytes);

#ifdef __cplusplus
}
#endif
