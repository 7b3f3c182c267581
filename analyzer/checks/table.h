/* SPDX-License-Identifier: GPL-2.0-only */
/* The rules' functions, for the table in checks.c. */
#ifndef NOCHARGE_CHECKS_TABLE_H
#define NOCHARGE_CHECKS_TABLE_H

#include <stddef.h>

#include "checks.h"

void check_missing_guard(struct model *model, struct sink *sink);
void check_late_guard(struct model *model, struct sink *sink);
void check_outline_guard(struct model *model, struct sink *sink);
void check_redundant_guard(struct model *model, struct sink *sink);
void check_null_when_disabled(struct model *model, struct sink *sink);
void check_dynamic_guard(struct model *model, struct sink *sink);
void check_charge_after_flag(struct model *model, struct sink *sink);
void check_batch_break(struct model *model, struct sink *sink);
void check_split_accounting(struct model *model, struct sink *sink);
void check_root_work(struct model *model, struct sink *sink);
void check_default_on(struct model *model, struct sink *sink);

#endif
