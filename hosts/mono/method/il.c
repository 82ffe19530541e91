/*
 * il.c - ECMA-335, partition II, 25.4: method bodies
 *
 * Partition III has the instructions. mono_opcode_value() knows their encoding,
 * mono_opcodes[] their operands.
 */
#include "method/il.h"

#include <string.h>

#include <mono/metadata/attrdefs.h>
#include <mono/metadata/image.h>
#include <mono/metadata/loader.h>
#include <mono/metadata/metadata.h>
#include <mono/metadata/opcodes.h>
#include <mono/metadata/row-indexes.h>
#include <mono/metadata/tokentype.h>

#include "vm/method_flags.h"

#define FORMAT        3u
#define TINY          2u
#define FAT           3u
#define MORE_SECTIONS 8u
#define FAT_BYTES     12u	/* of a header */
#define FAT_SIZE      4u	/* where in it the size of the code is */

static const unsigned char *body_of(MonoMethod *method)
{
	uint32_t impl, flags = mono_method_get_flags(method, &impl);
	uint32_t token = mono_method_get_token(method), rva;
	MonoImage *image = mono_class_get_image(mono_method_get_class(method));

	if ((flags & (MONO_METHOD_ATTR_ABSTRACT |
		      MONO_METHOD_ATTR_PINVOKE_IMPL)) ||
	    (impl & (MONO_METHOD_IMPL_ATTR_INTERNAL_CALL |
		     MONO_METHOD_IMPL_ATTR_RUNTIME)) ||
	    cofm_method_is_wrapper(method) || cofm_method_is_dynamic(method) ||
	    mono_image_is_dynamic(image) ||
	    (token & 0xff000000) != MONO_TOKEN_METHOD_DEF)
		return NULL;
	rva = mono_metadata_decode_row_col(
		mono_image_get_table_info(image, MONO_TABLE_METHOD),
		(int)(token & 0xffffff) - 1, MONO_METHOD_RVA);
	return rva ? (const unsigned char *)mono_image_rva_map(image, rva) :
		     NULL;
}

bool cofm_il_find(MonoMethod *method, struct cofm_il *out)
{
	const unsigned char *body = body_of(method);

	if (!body)
		return false;
	if ((body[0] & FORMAT) == TINY) {
		*out = (struct cofm_il){ body + 1, body[0] >> 2, false };
		return true;
	}
	if ((body[0] & FORMAT) != FAT)
		return false;
	out->code = body + FAT_BYTES;
	memcpy(&out->size, body + FAT_SIZE, sizeof(out->size));
	out->has_clauses = (body[0] & MORE_SECTIONS) != 0;
	return true;
}

static uint32_t word_at(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Bytes of the operand. The first word of a switch says how many words
 * follow. */
static size_t operand_bytes(const MonoOpcode *op, const unsigned char *ip,
			    const unsigned char *end)
{
	switch (op->argument) {
	case MonoInlineNone:
		return 0;
	case MonoShortInlineVar:
	case MonoShortInlineI:
	case MonoShortInlineBrTarget:
		return 1;
	case MonoInlineVar:
		return 2;
	case MonoInlineI8:
	case MonoInlineR:
		return 8;
	case MonoInlineSwitch:
		return end - ip < 4 ? 4 : 4 + (size_t)word_at(ip) * 4;
	default:
		return 4;
	}
}

bool cofm_il_next(const unsigned char **ip, const unsigned char *end,
		  struct cofm_il_op *out)
{
	size_t bytes;

	if (*ip >= end)
		return false;
	out->code = mono_opcode_value(ip, end);	/* to its last byte */
	if (out->code < 0)
		return false;
	++*ip;
	bytes = operand_bytes(&mono_opcodes[out->code], *ip, end);
	if (bytes > (size_t)(end - *ip))
		return false;
	out->token = bytes == 4 ? word_at(*ip) : 0;
	*ip += bytes;
	return true;
}
