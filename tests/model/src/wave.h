/*
 * wave.h - the registers of a wave, and what its instructions do to them
 */
#pragma once

#include "isa.h"

/* LDS and private memory among the addresses, as the ioctl get-apertures states them (kfd.c). */
#define SHARED_BASE  (1ull << 48)
#define PRIVATE_BASE (2ull << 48)

/* What the waves of a group share. */
struct group {
	uint8_t *shared; /* LDS */
	uint32_t shared_size;
};

enum wave_state { WAVE_RUNS, WAVE_WAITS, WAVE_ENDED, WAVE_FAILED };

/* Why a wave failed: what the process is told of it. */
enum wave_failure { FAILURE_INSTRUCTION, FAILURE_MEMORY };

struct wave {
	uint32_t s[SCALARS + 2];
	uint32_t v[256][MOST_LANES];
	uint64_t pc;
	unsigned lanes;
	bool scc;
	bool sleeps;                   /* it waits for somebody else: its turn is over */
	bool flushes_f32, flushes_f64; /* denormals are zero */
	enum wave_state state;
	enum wave_failure failure;
	uint64_t fault; /* the address of FAILURE_MEMORY */
	struct group *group;
	uint8_t *private;      /* lanes after one another */
	uint32_t private_size; /* of one lane */
};

/* Masks are EXEC and VCC, or any SGPR where the instruction names one. */
uint64_t wave_mask(const struct wave *w, unsigned index);
void wave_set_mask(struct wave *w, unsigned index, uint64_t mask);
uint64_t wave_exec(const struct wave *w);

/* A scalar of up to 64 bits; the value is as wide as the operand. */
uint64_t wave_scalar(const struct wave *w, const struct operand *o, unsigned width);
void wave_set_scalar(struct wave *w, const struct operand *o, unsigned width, uint64_t value);

/* 32 bits of a lane: register `nth` of the operand. */
uint32_t wave_lane(const struct wave *w, const struct operand *o, unsigned nth, unsigned lane);

/* One instruction, whose address is the program counter. */
void wave_execute(struct wave *w, const struct instruction *i);

void wave_fail(struct wave *w, enum wave_failure failure, uint64_t address);

/* access.c: what it knows of the process's memory may be another since. */
void access_forget(void);
