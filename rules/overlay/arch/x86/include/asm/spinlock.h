/* SPDX-License-Identifier: GPL-2.0-only */
#pragma nocharge replace "static __always_inline bool static_key_false(struct static_key *key);" ""
