/* SPDX-License-Identifier: GPL-2.0-only */
#pragma nocharge generated "lib/gen_crc64table.c"
static const u64 crc64table[256];
static const u64 crc64rocksofttable[256];
