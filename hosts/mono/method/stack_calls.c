/*
 * stack_calls.c - see stack_calls.h
 */
#include "method/stack_calls.h"

#include <stddef.h>
#include <string.h>

#include <mono/metadata/image.h>
#include <mono/metadata/metadata.h>
#include <mono/metadata/opcodes.h>
#include <mono/metadata/row-indexes.h>
#include <mono/metadata/tokentype.h>

#include "method/il.h"

static const struct {
	const char *klass, *method;
} looks[] = {
	{ "MethodBase", "GetCurrentMethod" },
	{ "Assembly", "GetCallingAssembly" },
	{ "Assembly", "GetExecutingAssembly" },
	{ "Assembly", "Load" }, { "Assembly", "LoadFrom" },
	{ "Assembly", "LoadWithPartialName" },
	{ "Type", "GetType" },
	{ "StackTrace", ".ctor" }, { "StackFrame", ".ctor" },
	{ "Environment", "get_StackTrace" },
};

static const char *string_at(MonoImage *image, int table, uint32_t row,
			     unsigned column)
{
	uint32_t at = mono_metadata_decode_row_col(
		mono_image_get_table_info(image, table), (int)row - 1, column);

	return mono_metadata_string_heap(image, at);
}

/* The image may be damaged. */
static bool has_row(MonoImage *image, int table, uint32_t row)
{
	return row > 0 && row <= (uint32_t)mono_table_info_get_rows(
				  mono_image_get_table_info(image, table));
}

/* ECMA-335, partition II, 24.2.6: MemberRefParent. */
static bool looks_at_stack(MonoImage *image, uint32_t token)
{
	uint32_t row = token & 0xffffff, parent;
	const char *name, *klass;

	if ((token & 0xff000000) != MONO_TOKEN_MEMBER_REF ||
	    !has_row(image, MONO_TABLE_MEMBERREF, row))
		return false;
	parent = mono_metadata_decode_row_col(
		mono_image_get_table_info(image, MONO_TABLE_MEMBERREF),
		(int)row - 1, MONO_MEMBERREF_CLASS);
	if ((parent & MONO_MEMBERREF_PARENT_MASK) !=
		    MONO_MEMBERREF_PARENT_TYPEREF ||
	    !has_row(image, MONO_TABLE_TYPEREF,
		     parent >> MONO_MEMBERREF_PARENT_BITS))
		return false;
	name = string_at(image, MONO_TABLE_MEMBERREF, row,
			 MONO_MEMBERREF_NAME);
	klass = string_at(image, MONO_TABLE_TYPEREF,
			  parent >> MONO_MEMBERREF_PARENT_BITS,
			  MONO_TYPEREF_NAME);
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++)
		if (strcmp(klass, looks[i].klass) == 0 &&
		    strcmp(name, looks[i].method) == 0)
			return true;
	return false;
}

static bool has_call(MonoMethod *method, bool named)
{
	MonoImage *image = mono_class_get_image(mono_method_get_class(method));
	const unsigned char *ip, *end;
	struct cofm_il_op op;
	struct cofm_il il;

	if (!cofm_il_find(method, &il))
		return false;
	ip = il.code;
	end = il.code + il.size;
	while (cofm_il_next(&ip, end, &op))
		if ((op.code == MONO_CEE_CALL || op.code == MONO_CEE_CALLVIRT ||
		     op.code == MONO_CEE_NEWOBJ || op.code == MONO_CEE_CALLI) &&
		    (!named || looks_at_stack(image, op.token)))
			return true;
	return false;
}

bool cofm_stack_calls_any(MonoMethod *method)
{
	return has_call(method, false);
}

bool cofm_stack_calls_named(MonoMethod *method)
{
	return has_call(method, true);
}
