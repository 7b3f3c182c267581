/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libclang, loaded when it is needed and only in the process that needs it.
 *
 * The functions stand in one table, so that a missing library is a message
 * and not an error of the loader, and so that the process that holds all
 * facts never maps a hundred megabytes of compiler.
 */
#ifndef NOCHARGE_CLANG_H
#define NOCHARGE_CLANG_H

#include <clang-c/Index.h>

#include "../base/err.h"

/* Without their prefix "clang_". */
#define CLANG_FUNCTIONS(X) \
	X(createIndex) X(disposeIndex) X(CXIndex_setGlobalOptions) \
	X(toggleCrashRecovery) X(getClangVersion) \
	X(getCString) X(disposeString) \
	X(parseTranslationUnit2) X(disposeTranslationUnit) \
	X(saveTranslationUnit) X(defaultSaveOptions) \
	X(getTranslationUnitCursor) X(visitChildren) \
	X(getNumDiagnostics) X(getDiagnostic) X(disposeDiagnostic) \
	X(getDiagnosticSeverity) X(getDiagnosticLocation) \
	X(getDiagnosticSpelling) X(getInclusions) \
	X(getFileName) X(getFile) X(getFileContents) X(File_isEqual) \
	X(getCursorLocation) X(getCursorExtent) X(getRangeStart) \
	X(getRangeEnd) X(getExpansionLocation) X(getSpellingLocation) \
	X(equalLocations) \
	X(getCursorSpelling) X(getCursorType) X(getCursorResultType) \
	X(getCursorReferenced) X(getCursorDefinition) \
	X(getCanonicalCursor) X(isCursorDefinition) \
	X(getCursorSemanticParent) X(Cursor_isNull) X(equalCursors) \
	X(hashCursor) X(isExpression) X(isStatement) X(isAttribute) X(Cursor_hasAttrs) \
	X(getCursorBinaryOperatorKind) X(getCursorUnaryOperatorKind) \
	X(Cursor_getStorageClass) X(Cursor_isFunctionInlined) \
	X(Cursor_isAnonymousRecordDecl) X(Cursor_getNumArguments) \
	X(Cursor_getArgument) X(Cursor_isVariadic) \
	X(Cursor_getVarDeclInitializer) X(Cursor_Evaluate) \
	X(EvalResult_getKind) X(EvalResult_getAsLongLong) \
	X(EvalResult_dispose) X(getEnumConstantDeclValue) \
	X(getFieldDeclBitWidth) X(Cursor_isBitField) X(Type_visitFields) \
	X(Cursor_getOffsetOfField) X(Type_getOffsetOf) X(Type_getSizeOf) \
	X(getCanonicalType) X(getPointeeType) X(getArrayElementType) \
	X(getTypeDeclaration) X(getTypeSpelling) X(equalTypes) \
	X(isConstQualifiedType) X(getCursorPrintingPolicy) \
	X(PrintingPolicy_setProperty) X(PrintingPolicy_dispose) \
	X(getCursorPrettyPrinted)

struct clang {
#define X(name) __typeof__(&clang_##name) name;
	CLANG_FUNCTIONS(X)
#undef X
};

/* Where the library and its headers are; the strings are the caller's. */
struct clang_place {
	char *library;
	char *resource_dir;
};

/*
 * Find the library and the resource directory without loading anything.
 * Returns 0, or -1 with @err set and @place empty.
 */
int clang_find(struct clang_place *place, struct err *err);
void clang_place_release(struct clang_place *place);

/*
 * Load the library at @path. Returns NULL with @err set if it cannot be
 * loaded or lacks a function, which is what an older one does. The table is
 * malloc'd and lives as long as the process.
 */
struct clang *clang_load(const char *path, struct err *err);

#endif
