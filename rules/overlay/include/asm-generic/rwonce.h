/* SPDX-License-Identifier: GPL-2.0-only */
#undef READ_ONCE
#define READ_ONCE(x) (x)
#undef WRITE_ONCE
#define WRITE_ONCE(x, v) ((x) = (v))
