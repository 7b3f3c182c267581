/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers in bytes, and a reader that cannot leave them.
 *
 * Numbers are LEB128, signed ones folded first. A reader that met a bad or
 * missing byte is `bad` from then on and gives zeroes, so that only the end
 * of a read must look at it.
 */
#ifndef NOCHARGE_BYTES_H
#define NOCHARGE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/strbuf.h"

struct reader {
	const unsigned char *at, *end;
	bool bad;
};

static inline void put_number(struct strbuf *out, uint64_t value)
{
	unsigned char byte[10];
	size_t n = 0;

	while (value >= 0x80) {
		byte[n++] = (unsigned char)(value | 0x80);
		value >>= 7;
	}
	byte[n++] = (unsigned char)value;
	strbuf_add(out, byte, n);
}

static inline void put_signed(struct strbuf *out, int64_t value)
{
	put_number(out, ((uint64_t)value << 1) ^ (uint64_t)(value >> 63));
}

static inline unsigned get_byte(struct reader *in)
{
	if (in->at >= in->end) {
		in->bad = true;
		return 0;
	}
	return *in->at++;
}

static inline uint64_t get_number(struct reader *in)
{
	uint64_t value = 0;
	unsigned shift = 0, byte;

	do {
		byte = get_byte(in);
		if (shift > 63 || in->bad) {
			in->bad = true;
			return 0;
		}
		value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

static inline int64_t get_signed(struct reader *in)
{
	uint64_t value = get_number(in);

	return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

static inline uint32_t get_u32(struct reader *in)
{
	uint64_t value = get_number(in);

	if (value > UINT32_MAX)
		in->bad = true;
	return in->bad ? 0 : (uint32_t)value;
}

/* A count of things of which each takes at least @least bytes. */
static inline uint32_t get_count(struct reader *in, size_t least)
{
	uint64_t value = get_number(in);

	if (in->bad || value > UINT32_MAX ||
	    value > (size_t)(in->end - in->at) / least) {
		in->bad = true;
		return 0;
	}
	return (uint32_t)value;
}

/* What stands behind its length. */
static inline struct reader get_bytes(struct reader *in)
{
	uint32_t len = get_count(in, 1);
	struct reader bytes = { .at = in->at, .end = in->at + len };

	in->at += len;
	return bytes;
}

#endif
