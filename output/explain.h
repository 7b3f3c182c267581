/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One function in the off state, line by line.
 */
#ifndef NOCHARGE_EXPLAIN_H
#define NOCHARGE_EXPLAIN_H

#include <stddef.h>

#include "../analyzer/model/model.h"
#include "out.h"
#include "profile.h"

/*
 * @source: the text of explanation->file, or NULL if it cannot be read. @share:
 * what the function has of a profile; NULL: there is none.
 */
void explain_text(struct out *out, const struct explanation *explanation,
		  const struct share *share, const char *source, size_t len);

void explain_json(struct out *out, const struct explanation *explanation,
		  const struct share *share);

#endif
