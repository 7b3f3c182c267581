/* SPDX-License-Identifier: GPL-2.0-only */
/* clang has no arrays of variable length in a struct (3.5). */
#pragma nocharge compile "char ctx[crypto_shash_descsize(journal->j_chksum_driver)];" "char ctx[4];"
