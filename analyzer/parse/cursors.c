// SPDX-License-Identifier: GPL-2.0-only
/* What libclang says, in our words. */
#include <stdlib.h>
#include <string.h>

#include "../base/err.h"
#include "../base/strbuf.h"
#include "../tree/tree.h"
#include "extract.h"

static struct cursor_slot *slot_of(const struct clang *clang,
				   const struct cursor_map *map,
				   CXCursor cursor)
{
	size_t i = clang->hashCursor(cursor);

	/* the hash is of pointers: spread it */
	i ^= i >> 7;
	for (;; i++) {
		struct cursor_slot *slot = &map->slot[i & (map->size - 1)];

		if (!slot->value || clang->equalCursors(slot->cursor, cursor))
			return slot;
	}
}

void *cursor_map_get(const struct clang *clang, const struct cursor_map *map,
		     CXCursor cursor)
{
	return map->used ? slot_of(clang, map, cursor)->value : NULL;
}

void cursor_map_put(const struct clang *clang, struct cursor_map *map,
		    CXCursor cursor, const void *value)
{
	struct cursor_slot *slot;

	if (map->used * 2 >= map->size) {
		struct cursor_map old = *map;

		map->size = old.size ? old.size * 2 : 64;
		map->slot = xcalloc(map->size, sizeof(*map->slot));
		for (size_t i = 0; i < old.size; i++)
			if (old.slot[i].value)
				*slot_of(clang, map, old.slot[i].cursor) =
					old.slot[i];
		free(old.slot);
	}
	slot = slot_of(clang, map, cursor);
	if (!slot->value)
		map->used++;
	slot->cursor = cursor;
	slot->value = (void *)value;
}

void cursor_map_clear(struct cursor_map *map)
{
	if (map->used)
		memset(map->slot, 0, map->size * sizeof(*map->slot));
	map->used = 0;
}

void cursor_map_release(struct cursor_map *map)
{
	free(map->slot);
	memset(map, 0, sizeof(*map));
}

void list_add(struct list *list, const void *item)
{
	if (list->n == list->cap) {
		list->cap = list->cap ? list->cap * 2 : 32;
		list->item = xrealloc(list->item,
				      list->cap * sizeof(*list->item));
	}
	list->item[list->n++] = (void *)item;
}

void list_release(struct list *list)
{
	free(list->item);
	memset(list, 0, sizeof(*list));
}

static const char *keep_string(struct extract *ex, CXString string)
{
	const char *text = ex->clang->getCString(string);
	const char *kept = intern(ex->strings, text ? text : "");

	ex->clang->disposeString(string);
	return kept;
}

const char *cursor_name(struct extract *ex, CXCursor cursor)
{
	return keep_string(ex, ex->clang->getCursorSpelling(cursor));
}

const char *type_name(struct extract *ex, CXType type)
{
	return keep_string(ex, ex->clang->getTypeSpelling(type));
}

const char *tree_path(const char *root, const char *path,
		      struct arena *arena)
{
	const char *const from[] = { root, TREE_GENERATED };
	char *clean = arena_strdup(arena, path), *to = clean;

	while (*path) {
		size_t part;

		while (*path == '/')
			path++;
		part = strcspn(path, "/");
		if (part == 2 && !strncmp(path, "..", 2)) {
			while (to > clean && *--to != '/')
				;
		} else if (part && !(part == 1 && *path == '.')) {
			*to++ = '/';
			memmove(to, path, part);
			to += part;
		}
		path += part;
	}
	*to = '\0';
	for (size_t i = 0; i < 2; i++) {
		size_t len = strlen(from[i]);

		if (!strncmp(clean, from[i], len) && clean[len] == '/')
			return clean + len + 1;
	}
	return clean;
}

static struct source_file *file_of(struct extract *ex, CXFile file)
{
	struct source_file *known;
	const char *end;

	if (!file)
		return NULL;
	if (ex->last_file && ex->last_file->file == file)
		return ex->last_file;
	for (size_t i = 0; i < ex->files.n; i++) {
		known = ex->files.item[i];
		if (known->file == file)
			return ex->last_file = known;
	}
	known = ARENA_NEW(ex->arena, struct source_file);
	known->file = file;
	{
		CXString name = ex->clang->getFileName(file);
		const char *text = ex->clang->getCString(name);

		known->path = intern(ex->strings,
				     tree_path(ex->options->root,
					       text ? text : "", ex->arena));
		ex->clang->disposeString(name);
	}
	end = strrchr(known->path, '.');
	known->main = !strcmp(known->path, ex->options->unit) ||
		      (end && !strcmp(end, ".c"));
	list_add(&ex->files, known);
	return ex->last_file = known;
}

static int compare_memfile(const void *key, const void *item)
{
	return strcmp(key, ((const struct memfile *)item)->path);
}

/*
 * libclang finds a file of a precompiled header by reading all that the
 * header holds. NULL if only libclang knows what the name means: a file in
 * memory can go by more than one.
 */
static const char *read_text(struct extract *ex, struct source_file *file)
{
	const struct extract_options *o = ex->options;
	CXString name = ex->clang->getFileName(file->file);
	const char *path = ex->clang->getCString(name);
	const struct memfile *memfile = NULL;
	struct strbuf text = STRBUF_INIT;

	if (!path || *path != '/' || strstr(path, "/.") || strstr(path, "//"))
		goto out;
	memfile = bsearch(path, o->file, o->nfile, sizeof(*o->file),
			  compare_memfile);
	if (memfile)
		strbuf_add(&text, memfile->text, memfile->len);
	else
		strbuf_read_file(&text, path, NULL);
out:
	ex->clang->disposeString(name);
	file->len = text.len;
	path = text.len ? arena_strndup(ex->arena, text.buf, text.len) : NULL;
	strbuf_release(&text);
	return path;
}

const char *file_text(struct extract *ex, struct source_file *file)
{
	if (!file->loaded) {
		file->loaded = true;
		file->text = file->main ? NULL : read_text(ex, file);
		if (!file->text)
			file->text = ex->clang->getFileContents(ex->tu,
							file->file,
							&file->len);
	}
	return file->text;
}

static uint32_t keep_hash(const char *text)
{
	uint32_t four;

	memcpy(&four, text, sizeof(four));
	return four * 0x9e3779b1u >> 20;
}

static const struct keep_index *keep_index(struct extract *ex)
{
	const struct extract_options *o = ex->options;
	struct keep_index *keep = ex->keep;

	if (keep)
		return keep;
	keep = ex->keep = ARENA_NEW(ex->arena, struct keep_index);
	keep->next = ARENA_ARRAY(ex->arena, uint16_t, o->nkeep);
	for (size_t i = 0; i < o->nkeep && i < UINT16_MAX; i++) {
		uint16_t *head;

		if (strlen(o->keep[i]) < sizeof(uint32_t))
			continue;
		head = &keep->head[keep_hash(o->keep[i])];
		keep->next[i] = *head;
		*head = (uint16_t)(i + 1);
	}
	return keep;
}

/* Is a word that is kept somewhere in the text? Parts of words count. */
static bool has_kept(struct extract *ex, const char *text, size_t len)
{
	const struct extract_options *o = ex->options;
	const struct keep_index *keep = keep_index(ex);

	for (size_t at = 0; at + sizeof(uint32_t) <= len; at++)
		for (uint16_t i = keep->head[keep_hash(text + at)]; i;
		     i = keep->next[i - 1]) {
			size_t n = strlen(o->keep[i - 1]);

			if (n <= len - at &&
			    !memcmp(text + at, o->keep[i - 1], n))
				return true;
		}
	/* what the index does not have */
	for (size_t i = 0; i < o->nkeep; i++) {
		size_t n = strlen(o->keep[i]);

		if ((n < sizeof(uint32_t) || i >= UINT16_MAX) &&
		    memmem(text, len, o->keep[i], n))
			return true;
	}
	return false;
}

bool file_kept(struct extract *ex, struct source_file *file)
{
	const char *text;

	if (file->kept_known)
		return file->kept;
	file->kept_known = true;
	text = file_text(ex, file);
	file->kept = text && has_kept(ex, text, file->len);
	return file->kept;
}

struct place cursor_place(struct extract *ex, CXCursor cursor)
{
	struct place place;
	CXFile file;

	ex->clang->getExpansionLocation(ex->clang->getCursorLocation(cursor),
					&file, &place.line, &place.column,
					&place.offset);
	place.file = file_of(ex, file);
	return place;
}

struct place spelling_place(struct extract *ex, CXCursor cursor)
{
	struct place place;
	CXFile file;

	ex->clang->getSpellingLocation(ex->clang->getCursorLocation(cursor),
				       &file, &place.line, &place.column,
				       &place.offset);
	place.file = file_of(ex, file);
	return place;
}

bool text_at_place(struct extract *ex, const struct place *place,
		   const char *text)
{
	size_t len = strlen(text);
	const char *all;

	if (!place->file)
		return false;
	all = file_text(ex, place->file);
	return all && place->offset < place->file->len &&
	       place->file->len - place->offset >= len &&
	       !memcmp(all + place->offset, text, len);
}

static enum CXChildVisitResult push(CXCursor cursor, CXCursor parent,
				    CXClientData data)
{
	struct extract *ex = data;

	(void)parent;
	if (ex->nstack == ex->stack_size) {
		ex->stack_size = ex->stack_size ? ex->stack_size * 2 : 256;
		ex->stack = xrealloc(ex->stack,
				     ex->stack_size * sizeof(*ex->stack));
	}
	ex->stack[ex->nstack++] = cursor;
	return CXChildVisit_Continue;
}

size_t children_push(struct extract *ex, CXCursor cursor)
{
	size_t base = ex->nstack;

	ex->clang->visitChildren(cursor, push, ex);
	return base;
}

static enum CXVisitorResult push_field(CXCursor cursor, CXClientData data)
{
	push(cursor, cursor, data);
	return CXVisit_Continue;
}

size_t fields_push(struct extract *ex, CXCursor record)
{
	size_t base = ex->nstack;

	ex->clang->Type_visitFields(ex->clang->getCursorType(record),
				    push_field, ex);
	return base;
}

CXCursor anonymous_record(struct extract *ex, CXCursor field)
{
	const struct clang *clang = ex->clang;

	return clang->getTypeDeclaration(clang->getCanonicalType(
			clang->getCursorType(field)));
}

bool cursor_value(struct extract *ex, CXCursor cursor, int64_t *value)
{
	CXEvalResult result;
	bool known;

	/* libclang crashes on an initialiser list of an array */
	if (cursor.kind == CXCursor_InitListExpr)
		return false;
	result = ex->clang->Cursor_Evaluate(cursor);
	if (!result)
		return false;
	known = ex->clang->EvalResult_getKind(result) == CXEval_Int;
	if (known)
		*value = ex->clang->EvalResult_getAsLongLong(result);
	ex->clang->EvalResult_dispose(result);
	return known;
}

bool type_unsigned(CXType type)
{
	switch (type.kind) {
	case CXType_Bool: case CXType_Char_U: case CXType_UChar:
	case CXType_UShort: case CXType_UInt: case CXType_ULong:
	case CXType_ULongLong: case CXType_UInt128: case CXType_Pointer:
		return true;
	default:
		return false;
	}
}

bool type_integer(CXType type)
{
	switch (type.kind) {
	case CXType_Char_S: case CXType_SChar: case CXType_Short:
	case CXType_Int: case CXType_Long: case CXType_LongLong:
	case CXType_Int128: case CXType_Enum: case CXType_WChar:
		return true;
	default:
		return type_unsigned(type) && type.kind != CXType_Pointer;
	}
}

bool is_record(CXCursor cursor)
{
	return cursor.kind == CXCursor_StructDecl ||
	       cursor.kind == CXCursor_UnionDecl;
}
