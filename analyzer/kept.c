// SPDX-License-Identifier: GPL-2.0-only
#include "kept.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "parse/bytes.h"
#include "parse/facts_layout.h"

/* This program: what it finds depends on every line of it. */
static bool hash_self(XXH3_state_t *state)
{
	struct strbuf self = STRBUF_INIT;
	bool good = !strbuf_read_file(&self, "/proc/self/exe", NULL);

	if (good)
		XXH3_128bits_update(state, self.buf, self.len);
	strbuf_release(&self);
	return good;
}

static void hash_text(XXH3_state_t *state, const char *text)
{
	XXH3_128bits_update(state, text, strlen(text) + 1);
}

static void hash_job(XXH3_state_t *state, const struct kept_input *input,
		     const struct parse_job *job)
{
	const bool in = job->config == input->in, parsed = job->facts;

	hash_text(state, job->unit);
	XXH3_128bits_update(state, &in, sizeof(in));
	XXH3_128bits_update(state, &parsed, sizeof(parsed));
	/* what headers say is in no unit's bytes */
	XXH3_128bits_update(state, &job->shared, sizeof(job->shared));
	/* their head has the sum of all the bytes */
	if (parsed)
		XXH3_128bits_update(state, job->facts->bytes,
				    sizeof(struct facts_head));
}

void kept_make_key(struct kept_key *key, const struct kept_input *input)
{
	const uint64_t fixed[] = {
		input->rules->hash, input->kernel->hash, input->njob,
		input->only ? input->only->n : 0,
	};
	XXH3_state_t *state = XXH3_createState();
	XXH128_hash_t hash;

	if (!state)
		die("out of memory");
	XXH3_128bits_reset(state);
	key->valid = hash_self(state);
	XXH3_128bits_update(state, fixed, sizeof(fixed));
	for (size_t i = 0; input->only && i < input->only->n; i++)
		hash_text(state, input->only->name[i]);
	/* a report on a view of a tree is none on the tree */
	for (size_t i = 0; i < input->in->tree->nview; i++) {
		const struct memfile *file = &input->in->tree->view[i];

		hash_text(state, file->path);
		XXH3_128bits_update(state, &file->len, sizeof(file->len));
		XXH3_128bits_update(state, file->text, file->len);
	}
	for (size_t i = 0; i < input->njob; i++)
		hash_job(state, input, &input->job[i]);
	hash = XXH3_128bits_digest(state);
	key->key = hash.low64;
	key->key2 = hash.high64;
	XXH3_freeState(state);
}

/* A text that may be NULL. */
static void put_text(struct strbuf *out, const char *text)
{
	put_number(out, text ? strlen(text) + 1 : 0);
	if (text)
		strbuf_addstr(out, text);
}

static void put_texts(struct strbuf *out, const char *const *text, size_t n)
{
	put_number(out, n);
	for (size_t i = 0; i < n; i++)
		put_text(out, text[i]);
}

static void put_finding(struct strbuf *out, const struct finding *finding)
{
	uint64_t heat;

	put_text(out, finding->id);
	put_text(out, finding->rule);
	put_text(out, finding->subsystem);
	put_text(out, finding->function);
	put_text(out, finding->file);
	put_number(out, finding->line);
	put_number(out, finding->column);
	put_number(out, finding->end_line);
	put_number(out, finding->end_column);
	put_number(out, finding->severity);
	put_number(out, finding->confidence);
	put_texts(out, finding->hot, finding->nhot);
	memcpy(&heat, &finding->heat, sizeof(heat));
	put_number(out, heat);
	put_number(out, finding->residue);
	put_text(out, finding->message);
	put_text(out, finding->state);
	put_number(out, finding->nwhy);
	for (size_t i = 0; i < finding->nwhy; i++) {
		put_text(out, finding->why[i].file);
		put_number(out, finding->why[i].line);
		put_text(out, finding->why[i].text);
	}
	put_texts(out, finding->covers, finding->ncovers);
}

static void put_entry(struct strbuf *out, const struct entry_point *entry)
{
	put_text(out, entry->name);
	put_text(out, entry->declared_file);
	put_text(out, entry->defined_file);
	put_number(out, entry->declared_line);
	put_number(out, entry->defined_line);
	put_text(out, entry->stub);
	put_text(out, entry->kind);
	put_text(out, entry->state);
	put_text(out, entry->off_returns);
	put_number(out, entry->residue);
	put_texts(out, entry->hot, entry->nhot);
}

void kept_put(struct cache *cache, const struct kept_key *key,
	      const struct report *report, const struct skipped *skipped,
	      size_t nskipped)
{
	struct strbuf out = STRBUF_INIT;

	if (!key->valid)
		return;
	put_number(&out, nskipped);
	for (size_t i = 0; i < nskipped; i++) {
		put_text(&out, skipped[i].file);
		put_text(&out, skipped[i].function);
		put_text(&out, skipped[i].why);
	}
	put_number(&out, report->nentry);
	for (size_t i = 0; i < report->nentry; i++)
		put_entry(&out, &report->entry[i]);
	put_number(&out, report->nfinding);
	for (size_t i = 0; i < report->nfinding; i++)
		put_finding(&out, &report->finding[i]);
	/* cache_problem() tells if it could not be written */
	(void)cache_put(cache, "report", key->key, key->key2, out.buf,
			out.len);
	strbuf_release(&out);
}

struct taker {
	struct reader in;
	struct arena *arena;
	struct strtab *strings;
};

static const char *get_text(struct taker *t)
{
	uint64_t len = get_number(&t->in);
	const char *text = (const char *)t->in.at;

	if (!len)
		return NULL;
	if (len - 1 > (size_t)(t->in.end - t->in.at)) {
		t->in.bad = true;
		return NULL;
	}
	t->in.at += len - 1;
	return intern_n(t->strings, text, len - 1);
}

/* A text that is never NULL. */
static const char *get_name(struct taker *t)
{
	const char *text = get_text(t);

	if (!text)
		t->in.bad = true;
	return text ? text : "";
}

static const char **get_names(struct taker *t, size_t *n)
{
	const char **name;

	*n = get_count(&t->in, 1);
	name = ARENA_ARRAY(t->arena, const char *, *n);
	for (size_t i = 0; i < *n; i++)
		name[i] = get_name(t);
	return name;
}

static enum level get_level(struct taker *t)
{
	uint32_t level = get_u32(&t->in);

	if (level > LEVEL_HIGH)
		t->in.bad = true;
	return t->in.bad ? LEVEL_LOW : (enum level)level;
}

static void get_finding(struct taker *t, struct finding *finding)
{
	uint64_t heat;

	finding->id = get_name(t);
	finding->rule = get_name(t);
	finding->subsystem = get_text(t);
	finding->function = get_name(t);
	finding->file = get_name(t);
	finding->line = get_u32(&t->in);
	finding->column = get_u32(&t->in);
	finding->end_line = get_u32(&t->in);
	finding->end_column = get_u32(&t->in);
	finding->severity = get_level(t);
	finding->confidence = get_level(t);
	finding->hot = get_names(t, &finding->nhot);
	heat = get_number(&t->in);
	memcpy(&finding->heat, &heat, sizeof(heat));
	finding->residue = get_u32(&t->in);
	finding->message = get_name(t);
	finding->state = get_text(t);
	finding->nwhy = get_count(&t->in, 3);
	finding->why = ARENA_ARRAY(t->arena, struct why, finding->nwhy);
	for (size_t i = 0; i < finding->nwhy; i++) {
		finding->why[i].file = get_text(t);
		finding->why[i].line = get_u32(&t->in);
		finding->why[i].text = get_name(t);
	}
	finding->covers = get_names(t, &finding->ncovers);
}

static void get_entry(struct taker *t, struct entry_point *entry)
{
	entry->name = get_name(t);
	entry->declared_file = get_text(t);
	entry->defined_file = get_text(t);
	entry->declared_line = get_u32(&t->in);
	entry->defined_line = get_u32(&t->in);
	entry->stub = get_text(t);
	entry->kind = get_name(t);
	entry->state = get_name(t);
	entry->off_returns = get_name(t);
	entry->residue = get_u32(&t->in);
	entry->hot = get_names(t, &entry->nhot);
}

static bool get_all(struct taker *t, struct report *report,
		    struct skipped **skipped, size_t *nskipped)
{
	*nskipped = get_count(&t->in, 3);
	*skipped = ARENA_ARRAY(t->arena, struct skipped, *nskipped);
	for (size_t i = 0; i < *nskipped; i++) {
		(*skipped)[i].file = get_name(t);
		(*skipped)[i].function = get_name(t);
		(*skipped)[i].why = get_name(t);
	}
	report->nentry = get_count(&t->in, 11);
	report->entry = ARENA_ARRAY(t->arena, struct entry_point,
				    report->nentry);
	for (size_t i = 0; i < report->nentry && !t->in.bad; i++)
		get_entry(t, &report->entry[i]);
	report->nfinding = get_count(&t->in, 18);
	report->finding = ARENA_ARRAY(t->arena, struct finding,
				      report->nfinding);
	for (size_t i = 0; i < report->nfinding && !t->in.bad; i++)
		get_finding(t, &report->finding[i]);
	return !t->in.bad && t->in.at == t->in.end;
}

bool kept_take(struct cache *cache, const struct kept_key *key,
	       struct report *report, struct skipped **skipped,
	       size_t *nskipped, struct arena *arena, struct strtab *strings)
{
	struct taker t = { .arena = arena, .strings = strings };
	struct report taken = *report;
	size_t len = 0;
	void *data;
	bool good;

	if (!key->valid)
		return false;
	data = cache_get(cache, "report", key->key, key->key2, &len);
	if (!data)
		return false;
	t.in.at = data;
	t.in.end = (const unsigned char *)data + len;
	good = get_all(&t, &taken, skipped, nskipped);
	free(data);
	if (good)
		*report = taken;
	return good;
}
