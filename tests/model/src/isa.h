/*
 * isa.h - what an instruction is: operands, modifiers and a meaning from one of the tables
 *
 * A meaning is a row with a name, as the disassembler prints it without the suffix of its encoding,
 * and a form: letters for what it writes, `=`, letters for what it reads.
 *
 *   d  32 bits           q  64 bits            w  16 bits
 *   f  a float           g  a double           h  a half
 *   k  a constant of 16 bits, extended by its sign; K by zeroes
 *   m  the bit of the lane in a mask: an SGPR or VCC, two of them where a wave has 64 lanes
 *   c  SCC               x  EXEC               v  as m, of VCC: none of these stands in the text
 *   +  the first that is written, read before: not in the text either
 *
 * So "dm=ddm" is an addition with carry in and out, and "dc=ddc" the same for scalars. A row with
 * a computation is run for each lane whose bit of EXEC is set, or once if its name begins with s_.
 * Any other row is run for the wave as a whole and reads its operands itself.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { MOST_LANES = 64, MOST_OPERANDS = 6, MOST_RESULTS = 3, MOST_SOURCES = 4 };

/* Scalar registers by their numbers in the encoding. */
enum scalar_register { VCC = 106, TTMP = 108, NULL_REGISTER = 124, M0, EXEC, SCALARS = 128 };

enum operand_kind {
	OPERAND_NONE, /* `off`, or a word that only the instruction's own function knows */
	OPERAND_SCALAR,
	OPERAND_VECTOR,
	OPERAND_CONSTANT,
	OPERAND_SCC,
	OPERAND_SHARED_BASE,
	OPERAND_PRIVATE_BASE,
};

struct operand {
	enum operand_kind kind;
	uint8_t index, count; /* the first register, and how many */
	bool negated, absolute, high, is_float;
	uint64_t constant;
};

/* What DPP does with the lanes of the first source. */
enum dpp_kind {
	DPP_NONE,
	DPP_QUAD_PERM,
	DPP_ROW_SHL,
	DPP_ROW_SHR,
	DPP_ROW_ROR,
	DPP_ROW_MIRROR,
	DPP_ROW_HALF_MIRROR,
	DPP_ROW_SHARE,
	DPP_ROW_XMASK,
	DPP_EIGHT,
};

struct dpp {
	enum dpp_kind kind;
	uint8_t argument, row_mask, bank_mask, select[8];
	bool bounded; /* a lane without a source reads zero, instead of leaving the result alone */
	bool takes_inactive;
};

struct wave;
struct instruction;

/* Sources and results of one lane, or of a scalar. */
struct values {
	uint64_t a, b, c, e; /* sources in their order */
	uint64_t out, out2, out3;
	const struct wave *wave;
	unsigned lane;
};

typedef void (*computation)(struct values *v);
typedef void (*execution)(struct wave *w, const struct instruction *i);

struct meaning {
	const char *name, *form;
	computation compute;
	execution execute;
	unsigned argument; /* for the function alone */
};

/* Words behind the operands that change what is done. */
struct modifiers {
	int64_t offset;
	unsigned offset0, offset1;
	bool returns; /* glc of an atomic: the value before comes back */
	bool clamp;
	int scale; /* of the result, as a power of two: mul:2, mul:4, div:2 */
	bool high_result;
	struct dpp dpp;
};

struct instruction {
	uint64_t address;
	uint8_t size;
	const struct meaning *meaning;
	uint8_t count; /* of operands in the text */
	struct operand operands[MOST_OPERANDS];
	struct operand results[MOST_RESULTS], sources[MOST_SOURCES]; /* in the order of the form */
	struct modifiers modifiers;
	char text[120];
	struct instruction *second; /* of a pair `v_dual_x :: v_dual_y` */
};

/* Bytes of a letter of a form: 2, 4 or 8. */
unsigned isa_width(char letter);

/* NULL if no table has the name, which may have a suffix of its encoding. */
const struct meaning *isa_find(const char *name);

/* False if the text is of no known meaning, or has a word that is not understood. */
bool isa_read(const char *text, struct instruction *ret);

/* The tables: each ends with a row without a name. */
extern const struct meaning isa_integers[], isa_floats[], isa_control[], isa_memory[];
