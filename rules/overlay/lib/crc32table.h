/* SPDX-License-Identifier: GPL-2.0-only */
#pragma nocharge generated "lib/gen_crc32table.c"
static const u32 crc32table_le[8][256];
static const u32 crc32table_be[8][256];
static const u32 crc32ctable_le[8][256];
