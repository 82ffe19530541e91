/*
 * compression.c - what LLVM calls of zlib and zstd
 *
 * LLVM's archives would need both libraries. Bitcode and objects of libcof have
 * no compressed sections, so there is nothing to compress: each call fails,
 * which LLVM reports. The checksum is what zlib's is.
 */
#include <stddef.h>
#include <stdint.h>

#define Z_MEM_ERROR (-4)

/* -- zlib ------------------------------------------------------------------ */

unsigned long crc32(unsigned long crc, const uint8_t *bytes, unsigned n);
unsigned long compressBound(unsigned long bytes);
int compress2(uint8_t *to, unsigned long *n_to, const uint8_t *from,
	      unsigned long n_from, int level);
int uncompress(uint8_t *to, unsigned long *n_to, const uint8_t *from,
	       unsigned long n_from);

unsigned long crc32(unsigned long crc, const uint8_t *bytes, unsigned n)
{
	uint32_t x = ~(uint32_t)crc;

	for (unsigned i = 0; i < n; i++) {
		x ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			x = x >> 1 ^ (x & 1 ? 0xedb88320u : 0);
	}
	return ~x & 0xffffffffu;
}

unsigned long compressBound(unsigned long bytes)
{
	return bytes;
}

int compress2(uint8_t *to, unsigned long *n_to, const uint8_t *from,
	      unsigned long n_from, int level)
{
	(void)to, (void)n_to, (void)from, (void)n_from, (void)level;
	return Z_MEM_ERROR;
}

int uncompress(uint8_t *to, unsigned long *n_to, const uint8_t *from,
	       unsigned long n_from)
{
	(void)to, (void)n_to, (void)from, (void)n_from;
	return Z_MEM_ERROR;
}

/* -- zstd ------------------------------------------------------------------ */

#define FAILED SIZE_MAX		/* minus ZSTD_error_GENERIC */

void *ZSTD_createCCtx(void);
size_t ZSTD_freeCCtx(void *context);
size_t ZSTD_CCtx_setParameter(void *context, int parameter, int value);
size_t ZSTD_compressBound(size_t bytes);
size_t ZSTD_compress2(void *context, void *to, size_t n_to, const void *from,
		      size_t n_from);
size_t ZSTD_decompress(void *to, size_t n_to, const void *from, size_t n_from);
unsigned ZSTD_isError(size_t code);
const char *ZSTD_getErrorName(size_t code);

void *ZSTD_createCCtx(void)
{
	return NULL;	/* no memory */
}

size_t ZSTD_freeCCtx(void *context)
{
	(void)context;
	return 0;
}

size_t ZSTD_CCtx_setParameter(void *context, int parameter, int value)
{
	(void)context, (void)parameter, (void)value;
	return FAILED;
}

size_t ZSTD_compressBound(size_t bytes)
{
	return bytes;
}

size_t ZSTD_compress2(void *context, void *to, size_t n_to, const void *from,
		      size_t n_from)
{
	(void)context, (void)to, (void)n_to, (void)from, (void)n_from;
	return FAILED;
}

size_t ZSTD_decompress(void *to, size_t n_to, const void *from, size_t n_from)
{
	(void)to, (void)n_to, (void)from, (void)n_from;
	return FAILED;
}

unsigned ZSTD_isError(size_t code)
{
	return code == FAILED;
}

const char *ZSTD_getErrorName(size_t code)
{
	(void)code;
	return "zstd is not there";
}
