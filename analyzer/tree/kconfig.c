// SPDX-License-Identifier: GPL-2.0-only
/* Values of Kconfig symbols. */
#include "kconfig.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/strbuf.h"
#include "tree.h"

static struct kc_symbol *choice_selection(struct kconfig *kc,
					  struct kc_symbol *choice);
static void calculate(struct kconfig *kc, struct kc_symbol *symbol);

static const char *const tri_text[] = { "n", "m", "y" };

static int tri_of(const char *text)
{
	return !strcmp(text, "y") ? 2 : !strcmp(text, "m") ? 1 : 0;
}

static int min(int a, int b)
{
	return a < b ? a : b;
}

static int max(int a, int b)
{
	return a > b ? a : b;
}

bool kc_modules(struct kconfig *kc)
{
	return kc->modules && kc_symbol_tri(kc, kc->modules) == 2;
}

/* What @menu and all that it stands in depend on. */
static int menu_tri(struct kconfig *kc, struct kc_menu *menu)
{
	int v = 2;

	if (!menu)
		return 2;
	if (menu->run == kc->run)
		return menu->value;
	if (!kc_enter(kc))
		return 0;
	if (menu->parent) {
		struct kc_symbol *in = menu->parent->symbol;

		/* the mode of a choice bounds that of its values */
		v = in && in->is_choice && !kc->plain_choices ?
			kc_symbol_tri(kc, in) : menu_tri(kc, menu->parent);
	}
	if (v)
		v = min(v, kc_tri(kc, menu->dep));
	kc_leave(kc);
	menu->run = kc->run;
	menu->value = (uint8_t)v;
	return v;
}

static int prop_tri(struct kconfig *kc, const struct kc_prop *prop)
{
	int v = menu_tri(kc, prop->menu);

	return v ? min(v, kc_tri(kc, prop->cond)) : 0;
}

static bool is_tristate(struct kconfig *kc, const struct kc_symbol *symbol)
{
	return symbol->type == KC_TRISTATE && kc_modules(kc);
}

static int visibility(struct kconfig *kc, struct kc_symbol *symbol)
{
	const struct kc_menu *menu;
	struct kc_prop *prop;
	int v = 0, one;

	for (prop = symbol->prompts.first; prop && v < 2; prop = prop->next) {
		one = prop_tri(kc, prop);
		for (menu = prop->menu->parent; menu && one;
		     menu = menu->parent)
			one = min(one, kc_tri(kc, menu->visible));
		/* a choice that is y has no place for values that are m */
		if (one == 1 && symbol->choice && !kc->plain_choices &&
		    symbol->type == KC_TRISTATE &&
		    kc_symbol_tri(kc, symbol->choice) == 2)
			one = 0;
		v = max(v, one);
	}
	if (v == 1 && !is_tristate(kc, symbol))
		v = 2;
	return v;
}

/* The largest of what selects (or implies) @symbol. */
static int selected(struct kconfig *kc, const struct kc_props *props)
{
	struct kc_prop *prop;
	int v = 0, one;

	for (prop = props->first; prop && v < 2; prop = prop->next) {
		one = kc_symbol_tri(kc, prop->left);
		if (one)
			one = min(one, prop_tri(kc, prop));
		v = max(v, one);
	}
	return v;
}

static int depends(struct kconfig *kc, struct kc_symbol *symbol)
{
	struct kc_menu *menu;
	int v = 0;

	for (menu = symbol->menus; menu && v < 2; menu = menu->next)
		v = max(v, menu_tri(kc, menu));
	return v;
}

static int choice_tri(struct kconfig *kc, struct kc_symbol *choice)
{
	int v = 0, visible = visibility(kc, choice), want = 0;
	size_t i;

	if (!visible)
		return 0;
	for (i = 0; i < choice->nmember; i++)
		if (choice->member[i]->want)
			want = max(want, tri_of(choice->member[i]->want));
	v = min(want, visible);
	if (!choice->optional)
		v = max(v, 1);
	if (v == 1 && !is_tristate(kc, choice))
		v = 2;
	return v;
}

static int tristate_value(struct kconfig *kc, struct kc_symbol *symbol)
{
	int visible = visibility(kc, symbol), v = 0, one;
	struct kc_prop *prop;

	if (symbol->choice && visible == 2) {
		symbol->write = true;
		return choice_selection(kc, symbol->choice) == symbol ? 2 : 0;
	}
	if (visible && symbol->want) {
		v = min(tri_of(symbol->want), visible);
		return max(v, selected(kc, &symbol->selected));
	}
	for (prop = symbol->defaults.first; prop; prop = prop->next) {
		one = prop_tri(kc, prop);
		if (!one)
			continue;
		v = min(kc_tri(kc, prop->value), one);
		break;
	}
	one = selected(kc, &symbol->implied);
	if (one)
		v = min(max(v, one), depends(kc, symbol));
	return max(v, selected(kc, &symbol->selected));
}

static long long number(const char *text, enum kc_type type)
{
	return strtoll(text, NULL, type == KC_HEX ? 16 : 10);
}

static bool valid_number(const char *text, enum kc_type type)
{
	if (type == KC_HEX) {
		if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
			text += 2;
		return *text && !text[strspn(text, "0123456789abcdefABCDEF")];
	}
	text += *text == '-';
	return *text && !text[strspn(text, "0123456789")];
}

static const char *in_range(struct kconfig *kc, struct kc_symbol *symbol,
			    const char *text)
{
	struct kc_prop *prop;
	const char *bound;
	long long value;

	for (prop = symbol->ranges.first; prop; prop = prop->next)
		if (prop_tri(kc, prop))
			break;
	if (!prop)
		return text;
	value = number(text, symbol->type);
	bound = kc_symbol_text(kc, prop->left);
	if (value >= number(bound, symbol->type)) {
		bound = kc_symbol_text(kc, prop->right);
		if (value <= number(bound, symbol->type))
			return text;
	}
	if (symbol->type == KC_INT)
		return arena_printf(kc->arena, "%lld",
				    number(bound, symbol->type));
	return arena_printf(kc->arena, "0x%llx",
			    (unsigned long long)number(bound, symbol->type));
}

static const char *text_value(struct kconfig *kc, struct kc_symbol *symbol)
{
	const char *text = "";
	struct kc_prop *prop;

	if (visibility(kc, symbol)) {
		symbol->write = true;
		if (symbol->want && (symbol->type == KC_STRING ||
				     valid_number(symbol->want, symbol->type))) {
			text = symbol->want;
			goto out;
		}
	}
	for (prop = symbol->defaults.first; prop; prop = prop->next) {
		if (!prop_tri(kc, prop))
			continue;
		/* a default that is an expression has no text */
		if (prop->value->op == KC_SYMBOL) {
			symbol->write = true;
			text = kc_symbol_text(kc, prop->value->left);
		}
		break;
	}
out:
	if (symbol->type == KC_STRING)
		return text;
	return in_range(kc, symbol, text);
}

static void calculate(struct kconfig *kc, struct kc_symbol *symbol)
{
	bool number_type = symbol->type == KC_INT || symbol->type == KC_HEX;
	int v;

	/* whoever asks while this is being answered gets n */
	symbol->run = kc->run;
	symbol->tri = 0;
	symbol->text = symbol->type == KC_BOOL || symbol->type == KC_TRISTATE ?
		       tri_text[0] : "";
	symbol->write = false;
	if (symbol->unset)
		return;
	if (symbol->constant || symbol->type == KC_UNKNOWN) {
		symbol->tri = symbol->constant && symbol->name ?
			(uint8_t)tri_of(symbol->name) : 0;
		symbol->text = symbol->name ? symbol->name : "";
		return;
	}
	if (!kc_enter(kc))
		return;
	if (symbol->is_choice) {
		symbol->tri = (uint8_t)choice_tri(kc, symbol);
	} else if (symbol->type == KC_BOOL || symbol->type == KC_TRISTATE) {
		v = symbol->forced ? tri_of(symbol->forced)
				   : tristate_value(kc, symbol);
		if (v == 1 && !is_tristate(kc, symbol))
			v = 2;
		symbol->tri = (uint8_t)v;
		symbol->text = tri_text[v];
	} else if (symbol->forced) {
		symbol->write = *symbol->forced || !number_type;
		symbol->text = symbol->forced;
	} else {
		symbol->text = text_value(kc, symbol);
	}
	kc_leave(kc);
}

int kc_symbol_tri(struct kconfig *kc, struct kc_symbol *symbol)
{
	if (symbol->run != kc->run)
		calculate(kc, symbol);
	return symbol->tri;
}

const char *kc_symbol_text(struct kconfig *kc, struct kc_symbol *symbol)
{
	if (symbol->run != kc->run)
		calculate(kc, symbol);
	return symbol->text;
}

static bool can_be(struct kconfig *kc, struct kc_symbol *choice,
		   struct kc_symbol *symbol)
{
	return symbol && symbol->choice == choice && visibility(kc, symbol);
}

static struct kc_symbol *choice_selection(struct kconfig *kc,
					  struct kc_symbol *choice)
{
	struct kc_symbol *refused = NULL, *member, *wanted = NULL;
	struct kc_prop *prop;
	size_t i;

	if (choice->choice_run == kc->run)
		return choice->selection;
	choice->choice_run = kc->run;
	choice->selection = NULL;
	/* of several wishes the last in the choice wins, as in a .config */
	for (i = 0; i < choice->nmember; i++) {
		member = choice->member[i];
		if (member->want && tri_of(member->want) == 2 &&
		    can_be(kc, choice, member))
			wanted = member;
	}
	if (wanted)
		return choice->selection = wanted;
	for (prop = choice->defaults.first; prop; prop = prop->next) {
		if (!prop_tri(kc, prop) || prop->value->op != KC_SYMBOL)
			continue;
		member = prop->value->left;
		if (!can_be(kc, choice, member))
			continue;
		if (kc->plain_choices && member->want &&
		    !tri_of(member->want))
			break;
		return choice->selection = member;
	}
	for (i = 0; i < choice->nmember; i++) {
		member = choice->member[i];
		if (!can_be(kc, choice, member))
			continue;
		if (!member->want || tri_of(member->want))
			return choice->selection = member;
		refused = refused ? refused : member;
	}
	return choice->selection = refused;
}

static int compare_options(const void *a, const void *b)
{
	return strcmp(((const struct option *)a)->name,
		      ((const struct option *)b)->name);
}

/* How a .config would say it. */
static const char *option_value(struct arena *arena, struct kc_symbol *symbol)
{
	struct strbuf out = STRBUF_INIT;
	const char *p, *value;

	if (symbol->type == KC_INT)
		return arena_strdup(arena, symbol->text);
	if (symbol->type == KC_HEX)
		return arena_printf(arena, "%s%s", symbol->text[0] == '0' &&
				    (symbol->text[1] == 'x' ||
				     symbol->text[1] == 'X') ? "" : "0x",
				    symbol->text);
	strbuf_addch(&out, '"');
	for (p = symbol->text; *p; p++) {
		if (*p == '"' || *p == '\\')
			strbuf_addch(&out, '\\');
		strbuf_addch(&out, *p);
	}
	strbuf_addch(&out, '"');
	value = arena_strndup(arena, out.buf, out.len);
	strbuf_release(&out);
	return value;
}

/*
 * A snapshot of a tree may lack a Kconfig file. Code cannot do without the
 * numbers that it would have defined, so those that are wished for are
 * taken; whether there are the features that it would have offered is not.
 */
static size_t adopt(struct kconfig *kc, const struct kc_wish *wish,
		    size_t nwish, struct option *option, size_t n)
{
	struct kc_symbol *symbol;
	const char *name;
	size_t i;

	for (i = 0; i < nwish && kc->missing; i++) {
		if (!wish[i].value || !isdigit((unsigned char)*wish[i].value))
			continue;
		name = intern(kc->strings, wish[i].name);
		HASH_FIND_PTR(kc->symbols, &name, symbol);
		if (symbol && symbol->type != KC_UNKNOWN)
			continue;
		option[n].name = name;
		option[n++].value = wish[i].value;
	}
	return n;
}

struct option *kconfig_evaluate(struct kconfig *kc, const struct kc_wish *wish,
				size_t nwish, struct arena *arena, size_t *n)
{
	struct kc_symbol *symbol;
	struct option *option;
	size_t i;

	kc->run++;
	kc->depth = 0;
	for (i = 0; i < kc->nall; i++) {
		kc->all[i]->want = kc->all[i]->forced = NULL;
		kc->all[i]->unset = false;
	}
	for (i = 0; i < nwish; i++) {
		const char *name = interned(kc->strings, wish[i].name);

		HASH_FIND_PTR(kc->symbols, &name, symbol);
		if (!name || !symbol)
			continue;
		symbol->forced = wish[i].forced ? wish[i].value : NULL;
		symbol->unset = wish[i].forced && !wish[i].value;
		symbol->want = wish[i].value;
	}
	*n = 0;
	option = ARENA_ARRAY(arena, struct option, kc->nall + nwish);
	for (i = 0; i < kc->nall; i++) {
		symbol = kc->all[i];
		if (!symbol->name || symbol->environment)
			continue;
		if (symbol->run != kc->run)
			calculate(kc, symbol);
		if (symbol->type == KC_UNKNOWN)
			continue;
		if (symbol->type == KC_BOOL || symbol->type == KC_TRISTATE) {
			if (!symbol->tri)
				continue;
			option[*n].value = tri_text[symbol->tri];
		} else {
			if (!symbol->write || (symbol->type != KC_STRING &&
					       !*symbol->text))
				continue;
			option[*n].value = option_value(arena, symbol);
		}
		option[(*n)++].name = symbol->name;
	}
	*n = adopt(kc, wish, nwish, option, *n);
	qsort(option, *n, sizeof(*option), compare_options);
	if (kc->too_deep) {
		kc->too_deep = false;
		kc_skip(kc, "Kconfig", 0, "dependencies are nested too deep");
	}
	return option;
}
