/*
 * test_text_page.c - pages of code that somebody else has changed are left
 *
 * As the kernel's uprobes do and a debugger, the test writes to its own code
 * past the rights of the page.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "native/executable.h"
#include "native/text_page.h"

#define PAGE 4096u

/* Two pages of code that nobody runs. */
__asm__(".pushsection .text\n"
	".p2align 12\n"
	"area: .fill 8192, 1, 0x90\n"
	".popsection\n");
extern unsigned char area[2 * PAGE] __attribute__((visibility("hidden")));

static struct cofl_executable self;

static void find_text(void)
{
	const Elf64_Phdr *p = (const void *)getauxval(AT_PHDR);

	for (unsigned long i = 0; i < getauxval(AT_PHNUM); i++)
		if (p[i].p_type == PT_PHDR)
			self.bias = (uintptr_t)p - p[i].p_vaddr;
	for (unsigned long i = 0; i < getauxval(AT_PHNUM); i++)
		if (p[i].p_type == PT_LOAD && p[i].p_flags & PF_X) {
			self.text = self.bias + p[i].p_vaddr;
			self.n_text = p[i].p_memsz;
		}
}

static int open_self(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat st;

	(void)state;
	if (fd < 0 || fstat(fd, &st) != 0)
		return -1;
	self.n_bytes = (size_t)st.st_size;
	self.bytes = mmap(NULL, self.n_bytes, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	find_text();
	return self.bytes != MAP_FAILED && cofl_text_page_init(&self) ? 0 : -1;
}

static void poke(unsigned char *at, unsigned char byte)
{
	int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, &byte, 1, (off_t)(uintptr_t)at), 1);
	close(fd);
}

static bool write_byte(unsigned char *at, unsigned char byte)
{
	return cofl_text_page_write((uintptr_t)at, &byte, 1);
}

static bool is_as_linked(size_t from, size_t to)
{
	return cofl_text_page_is_as_linked((uintptr_t)area + from,
					   (uintptr_t)area + to);
}

static void a_page_as_linked_is_written_again_and_again(void **state)
{
	(void)state;
	assert_true(is_as_linked(0, 2 * PAGE));
	assert_true(write_byte(area + 100, 0xcc));
	assert_int_equal(area[100], 0xcc);
	assert_true(is_as_linked(0, 2 * PAGE));
	assert_true(write_byte(area + 100, 0x90));
	assert_true(write_byte(area + 101, 0xc3));
	assert_int_equal(area[100], 0x90);
	assert_int_equal(area[101], 0xc3);
}

static void one_with_a_breakpoint_is_left_until_it_is_gone(void **state)
{
	(void)state;
	poke(area + PAGE + 7, 0xcc);
	assert_true(is_as_linked(0, PAGE));
	assert_false(is_as_linked(0, PAGE + 1));
	assert_false(is_as_linked(PAGE + 100, PAGE + 101));
	assert_false(write_byte(area + PAGE + 100, 0xc3));
	assert_int_equal(area[PAGE + 7], 0xcc);
	assert_int_equal(area[PAGE + 100], 0x90);

	poke(area + PAGE + 7, 0x90);
	assert_true(is_as_linked(PAGE, 2 * PAGE));
	assert_true(write_byte(area + PAGE + 100, 0xc3));
	assert_int_equal(area[PAGE + 100], 0xc3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_as_linked_is_written_again_and_again),
		cmocka_unit_test(
			one_with_a_breakpoint_is_left_until_it_is_gone),
	};

	return cmocka_run_group_tests(tests, open_self, NULL);
}
