#pragma once

/*
 * shapes - secrets that are known by their form alone
 *
 * Pure: each function looks at one place of a text and answers how many bytes
 * of it are such a secret, 0 for none. The place must be one where a word may
 * begin (shape_begins).
 */

#include <string.h>

#include "base/span.h"
#include "scrub/secret-rules.h"

/* A byte of the text, a zero behind its end; and whether it is one of these, which a zero never is. */
static inline char shape_byte(struct span text, size_t at)
{
	return at < text.len ? text.data[at] : '\0';
}

static inline bool shape_is_in(char c, const char *set)
{
	return c != '\0' && strchr(set, c);
}

/* A letter or digit of ASCII. Other bytes part words. */
bool shape_is_word(char c);

/*
 * Whether a word may begin here. An escape is no letter: what stands after
 * the blank in "of\x20alice" is a word too.
 */
bool shape_begins(struct span text, size_t at);

/* The bytes of an escape, \x20 or mountinfo's \040, or 0. */
size_t shape_escape(struct span text, size_t at);

/* The run of letters, digits and the characters of `also`. */
size_t shape_run(struct span text, size_t at, const char *also);

/*
 * 8-4-4-4-12 digits, or 32 in one; after "UUID=" and "/by-uuid/" also the
 * short ones of disks: 1a2b3c4d-02, ABCD-1234.
 */
size_t shape_uuid(struct span text, size_t at);

/* 00:11:22:aa:bb:cc, BOOTIF's 01-00-11-22-aa-bb-cc, and the longer ones of InfiniBand. */
size_t shape_mac(struct span text, size_t at);

/*
 * hf_..., ghp_..., AKIA... and other marks, a JSON web token, what follows
 * "Bearer ", a webhook, a private key, or letters mixed as no word is. The
 * secret begins at *ret_start.
 */
size_t shape_token(const struct secret_rules *rules, struct span text, size_t at,
		   size_t *ret_start);

/* sha256=..., sha512-...: what of a checksum looks like a token and is none. */
size_t shape_digest(const struct secret_rules *rules, struct span text, size_t at);

/* A value that nobody would choose as a word. */
bool shape_is_random(struct span value);

/* Stricter: capitals, small letters and digits take turns in so many letters. */
bool shape_is_mixed(struct span value, size_t least);

/* After the two slashes of a URL: "name:password" up to its @. */
size_t shape_login(struct span text, size_t at);

/* ada@lab.example.org, and not user@1000.service. */
size_t shape_mail(struct span text, size_t at);

/*
 * 192.168.1.5 wherever it stands, 10.1.2.3 only where the text calls it an
 * address: it may be a version. fe80::1 and its like, not 0000:03:00.0.
 */
size_t shape_ipv4(struct span text, size_t at);
size_t shape_ipv6(struct span text, size_t at);

/* The four groups of an InfiniBand GUID, 0002:c903:00ab:cdef; not vendor and device of PCI. */
size_t shape_guid(struct span text, size_t at);

/* "serial number: X", "s/n X", "Node GUID: X": the length of X, which begins at *ret_start. */
size_t shape_label(const struct secret_rules *rules, struct span text, size_t at, size_t *ret_start,
		   enum secret_kind *ret_kind);

/*
 * At what parts a name and its value: the '=' of HF_TOKEN=x, the ':' of
 * "password": "x", the blank of --api-key x. The length of the value, which
 * begins at *ret_start.
 */
size_t shape_value(const struct secret_rules *rules, struct span text, size_t at, size_t *ret_start,
		   enum secret_kind *ret_kind);

/* At the letter of an option with its value in one word: curl -uname:password. */
size_t shape_glued(const struct secret_rules *rules, struct span text, size_t at);

/* A row "argument" at a place: the secret some words after it, which begins at *ret_start. */
size_t shape_argument(const struct secret_rules *rules, const struct secret_rule *r,
		      struct span text, size_t at, size_t *ret_start);

/* A row "piped": the last word before the | to the row's program, which reads it. */
size_t shape_piped(const struct secret_rule *r, struct span text, size_t at, size_t *ret_start);

/* A mark that begins with no letter: $6$ of a hash. */
size_t shape_sign(const struct secret_rules *rules, struct span text, size_t at);
