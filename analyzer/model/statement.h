/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A statement as text without lines, columns and what locals and labels are
 * called: equal for equal code, whatever stands around it.
 */
#ifndef NOCHARGE_STATEMENT_H
#define NOCHARGE_STATEMENT_H

#include "../base/strbuf.h"
#include "../parse/facts.h"

void statement_text(const struct node *node, struct strbuf *out);

#endif
