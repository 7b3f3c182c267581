/* SPDX-License-Identifier: GPL-2.0-only */
/* gcc takes a long where the output is an int; clang does not (3.2 to 3.6) */
#pragma nocharge compile "long tmp = -1;" "int tmp = -1;"
