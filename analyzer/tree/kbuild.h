/* SPDX-License-Identifier: GPL-2.0-only */
/* What kbuild would build and with which flags, from Makefiles as text. */
#ifndef NOCHARGE_KBUILD_H
#define NOCHARGE_KBUILD_H

struct makefiles;

void makefiles_free(struct makefiles *makefiles);

#endif
