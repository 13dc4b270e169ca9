/*
 * decoder.h - what the model asks its decoder: the text of one instruction
 *
 * A request and an answer are a packet each, over a socket of type SOCK_SEQPACKET.
 */
#pragma once

#include <stdint.h>

enum { DECODER_BYTES = 20, DECODER_TEXT = 247 };

struct decoder_request {
	char target[16]; /* "gfx1100" */
	uint8_t lanes;   /* 32 or 64 */
	uint8_t count;   /* of bytes */
	uint8_t bytes[DECODER_BYTES];
};

struct decoder_answer {
	uint8_t size; /* of the instruction in bytes; 0: it is none */
	char text[DECODER_TEXT];
};
