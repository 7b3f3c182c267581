// SPDX-License-Identifier: GPL-2.0-only
#include "accounts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../analyzer/base/json.h"

#define BEFORE "before"
#define GROUP  "group "

static const struct json_key rule_keys[] = {
	{ "schema", JSON_STRING, false }, { "feature", JSON_STRING, false },
	{ "controller", JSON_STRING, false }, { "limit", JSON_STRING, false },
	{ "drain", JSON_STRING, true }, { "numbers", JSON_ARRAY, false },
	{ "tables", JSON_ARRAY, false }, { "sums", JSON_ARRAY, false },
	{ "zero", JSON_OBJECT, false }, { "except", JSON_ARRAY, true },
	{ "near", JSON_OBJECT, true },
};

static const struct json_key sum_keys[] = {
	{ "name", JSON_STRING, false }, { "of", JSON_OBJECT, false },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void tell_guest(struct strbuf *out, const char *key, const cJSON *value)
{
	const cJSON *item;

	if (cJSON_IsString(value))
		strbuf_addf(out, "%s %s\n", key, value->valuestring);
	cJSON_ArrayForEach(item, value)
		if (cJSON_IsString(item))
			strbuf_addf(out, "%s %s\n", key, item->valuestring);
}

static int read_sums(struct account_rules *rules, const struct json *json,
		     struct arena *arena, struct err *err)
{
	const cJSON *sums = json_get(json->root, "sums"), *item, *term;

	rules->sum = ARENA_ARRAY(arena, struct account_sum,
				 (size_t)cJSON_GetArraySize(sums));
	cJSON_ArrayForEach(item, sums) {
		struct account_sum *sum = &rules->sum[rules->nsum++];
		const cJSON *of = json_get(item, "of");

		if (json_check(json, item, "sums", sum_keys, COUNT(sum_keys),
			       err))
			return -1;
		sum->name = arena_strdup(arena, json_text(item, "name"));
		sum->term = ARENA_ARRAY(arena, struct account_term,
					(size_t)cJSON_GetArraySize(of));
		cJSON_ArrayForEach(term, of)
			sum->term[sum->nterm++] = (struct account_term){
				arena_strdup(arena, term->string),
				(int64_t)term->valuedouble,
			};
	}
	return 0;
}

static void read_zero(struct account_rules *rules, const cJSON *zero,
		      struct arena *arena)
{
	const cJSON *point, *item;
	size_t n = 0;

	cJSON_ArrayForEach(point, zero)
		n += (size_t)cJSON_GetArraySize(point);
	rules->zero = ARENA_ARRAY(arena, struct account_zero, n);
	cJSON_ArrayForEach(point, zero)
		cJSON_ArrayForEach(item, point)
			if (cJSON_IsString(item))
				rules->zero[rules->nzero++] =
					(struct account_zero){
				arena_strdup(arena, point->string),
				arena_strdup(arena, item->valuestring),
			};
}

static void read_near(struct account_rules *rules, const cJSON *near,
		      struct arena *arena)
{
	const cJSON *item;

	rules->near = ARENA_ARRAY(arena, struct account_near,
				  (size_t)cJSON_GetArraySize(near));
	cJSON_ArrayForEach(item, near)
		if (cJSON_IsNumber(item))
			rules->near[rules->nnear++] = (struct account_near){
				arena_strdup(arena, item->string),
				(int64_t)item->valuedouble,
			};
}

struct account_rules *account_rules_load(const char *feature,
					 struct arena *arena, struct err *err)
{
	static const char *const keys[] = { "controller", "limit", "drain" };
	const char *sub = arena_printf(arena, "rules/boot/%s.json", feature);
	const char *path = data_path(arena, sub);
	struct account_rules *rules = NULL;
	struct strbuf guest = STRBUF_INIT;
	const cJSON *item;
	struct json *json;

	if (!path) {
		err_set(err, STATUS_INCOMPLETE, "there is no '%s', which says "
			"what books the feature keeps", sub);
		return NULL;
	}
	json = json_read(path, err);
	if (json && !json_check(json, json->root, "the file", rule_keys,
				COUNT(rule_keys), err)) {
		rules = ARENA_NEW(arena, struct account_rules);
		for (size_t i = 0; i < COUNT(keys); i++)
			tell_guest(&guest, keys[i],
				   json_get(json->root, keys[i]));
		tell_guest(&guest, "number", json_get(json->root, "numbers"));
		tell_guest(&guest, "table", json_get(json->root, "tables"));
		rules->guest = arena_strdup(arena, guest.buf);
		read_zero(rules, json_get(json->root, "zero"), arena);
		read_near(rules, json_get(json->root, "near"), arena);
		cJSON_ArrayForEach(item, json_get(json->root, "except"))
			if (cJSON_IsString(item))
				names_add(&rules->except, arena_strdup(arena,
					 item->valuestring), arena);
		if (read_sums(rules, json, arena, err))
			rules = NULL;
	}
	strbuf_release(&guest);
	json_free(json);
	return rules;
}

static int compare(const void *a, const void *b)
{
	const struct account *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (!order)
		order = strcmp(x->step, y->step);
	return order ? order : strcmp(x->point, y->point);
}

static void sort(struct accounts *accounts)
{
	if (accounts->n)
		qsort(accounts->account, accounts->n,
		      sizeof(*accounts->account), compare);
}

static const struct account *find(const struct accounts *accounts,
				  const char *step, const char *point,
				  const char *name)
{
	const struct account key = { step, point, name, 0 };

	return accounts->n ? bsearch(&key, accounts->account, accounts->n,
				     sizeof(key), compare) : NULL;
}

static void add(struct accounts *accounts, struct account account,
		struct arena *arena)
{
	if (accounts->n == accounts->cap) {
		struct account *old = accounts->account;

		accounts->cap = accounts->cap ? accounts->cap * 2 : 1024;
		accounts->account = ARENA_ARRAY(arena, struct account,
						accounts->cap);
		if (accounts->n)
			memcpy(accounts->account, old,
			       accounts->n * sizeof(*old));
		arena_drop(arena, old);
	}
	accounts->account[accounts->n++] = account;
}

/* One line of the guest's; its words are NUL-terminated in place. */
static void read_line(struct accounts *accounts, char *line,
		      struct arena *arena)
{
	char *word[5], *rest = line, *end;
	size_t n = 0;
	int64_t value;

	if (!strcmp(line, "end")) {
		accounts->ended = true;
		return;
	}
	while (n < 5 && (word[n] = strsep(&rest, " "))) {
		n++;
		if (n == 2 && rest && (!strcmp(word[1], "skipped") ||
				       !strcmp(word[1], "failed"))) {
			names_add(*word[1] == 's' ? &accounts->skipped :
				 &accounts->failed,
				 arena_printf(arena, "%s: %s", word[0], rest),
				 arena);
			accounts->last = word[0];
			return;
		}
	}
	if (n != 5 || rest)
		return;
	value = strtoll(word[4], &end, 10);
	if (end == word[4] || *end)
		return;
	accounts->last = word[0];
	add(accounts, (struct account){
		word[0], word[1],
		arena_printf(arena, "%s %s", word[2], word[3]), value,
	}, arena);
}

/* A sum of what is not all there is none. */
static void add_sums(struct accounts *accounts,
		     const struct account_rules *rules, struct arena *arena)
{
	size_t n = accounts->n;

	for (size_t i = 0; i < rules->nsum; i++) {
		const struct account_sum *sum = &rules->sum[i];

		for (size_t k = 0; k < n && sum->nterm; k++) {
			struct account made = accounts->account[k];
			bool whole = true;

			if (strcmp(made.name, sum->term[0].name))
				continue;
			made.name = sum->name;
			made.value = 0;
			for (size_t t = 0; whole && t < sum->nterm; t++) {
				const struct account key = {
					made.step, made.point,
					sum->term[t].name, 0
				}, *found = bsearch(&key, accounts->account,
						    n, sizeof(key), compare);

				whole = found != NULL;
				if (found)
					made.value += found->value *
						sum->term[t].times;
			}
			if (whole)
				add(accounts, made, arena);
		}
	}
}

/* Everything but the group's, since the step began. */
static void count_from_start(struct accounts *accounts, struct arena *arena)
{
	struct account *all = ARENA_ARRAY(arena, struct account, accounts->n);
	size_t n = 0;

	for (size_t i = 0; i < accounts->n; i++) {
		struct account account = accounts->account[i];
		const struct account *start = find(accounts, account.step,
						   BEFORE, account.name);

		if (!strcmp(account.point, BEFORE))
			continue;
		if (start && strncmp(account.name, GROUP, strlen(GROUP)))
			account.value -= start->value;
		all[n++] = account;
	}
	accounts->account = all;
	accounts->n = accounts->cap = n;
}

void accounts_read(struct accounts *accounts, const struct strbuf *text,
		   const struct account_rules *rules, struct arena *arena)
{
	char *rest = arena_strndup(arena, text->len ? text->buf : "",
				   text->len);
	char *line;

	*accounts = (struct accounts){ .last = "boot" };
	while ((line = strsep(&rest, "\n"))) {
		line[strcspn(line, "\r")] = '\0';
		read_line(accounts, line, arena);
	}
	sort(accounts);
	add_sums(accounts, rules, arena);
	sort(accounts);
	count_from_start(accounts, arena);
}

static bool same(const struct account *a, const struct account *b,
		 const struct account_rules *rules)
{
	int64_t by = 0;

	for (size_t i = 0; i < rules->nnear; i++)
		if (!strcmp(rules->near[i].name, a->name))
			by = rules->near[i].by;
	return b->value - a->value <= by && a->value - b->value <= by;
}

struct accounts *accounts_steady(const struct accounts *one,
				 const struct accounts *other,
				 const struct account_rules *rules,
				 struct arena *arena)
{
	struct accounts *steady = ARENA_NEW(arena, struct accounts);

	for (size_t i = 0; i < one->n; i++) {
		const struct account *a = &one->account[i];
		const struct account *b = find(other, a->step, a->point,
					       a->name);

		if (b && same(a, b, rules) &&
		    !names_match(&rules->except, a->name))
			add(steady, *a, arena);
	}
	return steady;
}

struct accounts *accounts_of(const struct accounts *accounts,
			     const struct accounts *these,
			     struct arena *arena)
{
	struct accounts *made = ARENA_NEW(arena, struct accounts);

	for (size_t i = 0; i < these->n; i++) {
		const struct account *a = &these->account[i];
		const struct account *b = find(accounts, a->step, a->point,
					       a->name);

		if (b)
			add(made, *b, arena);
	}
	return made;
}

size_t accounts_differ(const struct accounts *steady,
		       const struct accounts *after,
		       const struct account_rules *rules, struct strbuf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < steady->n; i++) {
		const struct account *a = &steady->account[i];
		const struct account *b = find(after, a->step, a->point,
					       a->name);

		if (b && same(a, b, rules))
			continue;
		n++;
		strbuf_addf(out, "%s, %s: %s: %" PRId64 " before, ", a->step,
			    a->point, a->name, a->value);
		if (b)
			strbuf_addf(out, "%" PRId64 " after\n", b->value);
		else
			strbuf_addstr(out, "not there after\n");
	}
	return n;
}

size_t accounts_not_zero(const struct accounts *before,
			 const struct accounts *after,
			 const struct account_rules *rules,
			 struct strbuf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < after->n; i++) {
		const struct account *b = &after->account[i], *a;
		bool must = false;

		for (size_t k = 0; b->value && !must && k < rules->nzero; k++)
			must = !strcmp(rules->zero[k].name, b->name) &&
				!strcmp(rules->zero[k].point, b->point);
		if (!must)
			continue;
		a = find(before, b->step, b->point, b->name);
		if (a && a->value)
			continue;
		n++;
		strbuf_addf(out, "%s, %s: %s: %" PRId64 ", and not 0\n",
			    b->step, b->point, b->name, b->value);
	}
	return n;
}

void accounts_told(const struct accounts *all, const struct accounts *steady,
		   const char *mode, struct names *compared,
		   struct names *left_out, struct arena *arena)
{
	size_t i = 0;

	while (i < all->n) {
		const char *name = all->account[i].name;
		struct strbuf where = STRBUF_INIT;
		bool some = false;

		for (; i < all->n && !strcmp(all->account[i].name, name);
		     i++) {
			const struct account *a = &all->account[i];

			if (find(steady, a->step, a->point, name))
				some = true;
			else
				strbuf_addf(&where, "%s%s %s",
					    where.len ? ", " : "", a->step,
					    a->point);
		}
		if (some)
			names_add(compared, arena_printf(arena, "%s: %s", mode,
				 name), arena);
		if (where.len)
			names_add(left_out, arena_printf(arena, some ?
				 "%s: %s (%s)" : "%s: %s", mode, name,
				 where.buf), arena);
		strbuf_release(&where);
	}
}
