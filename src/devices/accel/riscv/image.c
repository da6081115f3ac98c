/* SPDX-License-Identifier: MIT
 *
 * Loading ELF shared objects as lld makes them of kernels. No number of ELF's structures is trusted.
 */
#include "riscv/image.h"

#include "alloc.h"
#include "log.h"
#include "riscv/decode.h"
#include "riscv/system_functions.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

/* More than a kernel binary has. */
#define MOST_BYTES ((size_t)1 << 30)
#define MOST_SECTIONS 16
#define PAGE 4096

/* The file, and what is found in it. */
struct file {
	const unsigned char *bytes;
	size_t size;
	Elf64_Ehdr header;
	Elf64_Shdr symbols; /* of type 0: none */
	Elf64_Shdr names;   /* of the symbols */
	struct riscv_section code[MOST_SECTIONS];
	size_t num_code;
};

static bool is_inside(size_t size, uint64_t offset, uint64_t length)
{
	return offset <= size && length <= size - offset;
}

/* The element of a table of the file; false: the file ends before. */
static bool read_row(const struct file *file, uint64_t table, uint64_t index, void *row,
		     size_t size)
{
	uint64_t offset;

	if (__builtin_mul_overflow(index, size, &offset) ||
	    __builtin_add_overflow(offset, table, &offset) || !is_inside(file->size, offset, size))
		return false;
	memcpy(row, file->bytes + offset, size);
	return true;
}

static bool read_header(struct file *file)
{
	const Elf64_Ehdr *header = &file->header;

	return read_row(file, 0, 0, &file->header, sizeof(file->header)) &&
	       memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
	       header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
	       header->e_type == ET_DYN && header->e_machine == EM_RISCV &&
	       header->e_phentsize == sizeof(Elf64_Phdr) &&
	       header->e_shentsize == sizeof(Elf64_Shdr);
}

/* ---- segments -------------------------------------------------------------------------------- */

/* The address behind all segments. */
static bool find_size(const struct file *file, size_t *size)
{
	*size = 0;
	for (unsigned i = 0; i < file->header.e_phnum; i++) {
		Elf64_Phdr segment;

		if (!read_row(file, file->header.e_phoff, i, &segment, sizeof(segment)))
			return false;
		if (segment.p_type != PT_LOAD)
			continue;
		if (!is_inside(file->size, segment.p_offset, segment.p_filesz) ||
		    segment.p_filesz > segment.p_memsz ||
		    !is_inside(MOST_BYTES, segment.p_vaddr, segment.p_memsz))
			return false;
		if (segment.p_vaddr + segment.p_memsz > *size)
			*size = segment.p_vaddr + segment.p_memsz;
	}
	return *size > 0;
}

static void copy_segments(const struct file *file, unsigned char *memory)
{
	for (unsigned i = 0; i < file->header.e_phnum; i++) {
		Elf64_Phdr segment;

		if (read_row(file, file->header.e_phoff, i, &segment, sizeof(segment)) &&
		    segment.p_type == PT_LOAD && segment.p_filesz > 0)
			memcpy(memory + segment.p_vaddr, file->bytes + segment.p_offset,
			       segment.p_filesz);
	}
}

static bool add_variables(struct riscv_image *image, uint64_t begin, uint64_t end)
{
	if (begin >= end)
		return true;
	if (image->num_variables == RISCV_MOST_VARIABLES)
		return false;
	image->variables[image->num_variables++] = (struct riscv_part){begin, end - begin};
	return true;
}

/* Segments for writing, without what is constant once it is relocated. */
static bool find_variables(const struct file *file, struct riscv_image *image)
{
	Elf64_Phdr segment, constant = {0};

	for (unsigned i = 0; i < file->header.e_phnum; i++) {
		if (read_row(file, file->header.e_phoff, i, &segment, sizeof(segment)) &&
		    segment.p_type == PT_GNU_RELRO &&
		    is_inside(image->size, segment.p_vaddr, segment.p_memsz))
			constant = segment;
	}
	const uint64_t from = constant.p_vaddr, to = constant.p_vaddr + constant.p_memsz;
	for (unsigned i = 0; i < file->header.e_phnum; i++) {
		if (!read_row(file, file->header.e_phoff, i, &segment, sizeof(segment)) ||
		    segment.p_type != PT_LOAD || !(segment.p_flags & PF_W))
			continue;
		const uint64_t begin = segment.p_vaddr, end = begin + segment.p_memsz;
		if (!add_variables(image, begin, from < end ? from : end) ||
		    !add_variables(image, to > begin ? to : begin, end))
			return false;
	}
	return true;
}

/* ---- sections -------------------------------------------------------------------------------- */

static bool add_code(struct file *file, const struct riscv_image *image, const Elf64_Shdr *section)
{
	const unsigned char *place = image->memory + section->sh_addr;
	const struct riscv_section *last = file->num_code ? &file->code[file->num_code - 1] : NULL;

	if (section->sh_size == 0)
		return true;
	if (!is_inside(file->size, section->sh_offset, section->sh_size) ||
	    !is_inside(image->size, section->sh_addr, section->sh_size) || section->sh_addr % 2 ||
	    file->num_code == MOST_SECTIONS || (last && place < last->bytes + last->size))
		return false;
	file->code[file->num_code++] = (struct riscv_section){place, section->sh_size};
	return true;
}

static bool find_sections(struct file *file, const struct riscv_image *image)
{
	for (unsigned i = 0; i < file->header.e_shnum; i++) {
		Elf64_Shdr section;

		if (!read_row(file, file->header.e_shoff, i, &section, sizeof(section)))
			return false;
		if (section.sh_type == SHT_PROGBITS && section.sh_flags & SHF_EXECINSTR &&
		    !add_code(file, image, &section))
			return false;
		if (section.sh_type == SHT_DYNSYM) {
			file->symbols = section;
			if (!read_row(file, file->header.e_shoff, section.sh_link, &file->names,
				      sizeof(file->names)))
				return false;
		}
	}
	return file->symbols.sh_type == SHT_DYNSYM;
}

/* NULL: there is no such symbol. */
static const char *read_symbol(const struct file *file, uint64_t index, Elf64_Sym *symbol)
{
	if (index >= file->symbols.sh_size / sizeof(*symbol) ||
	    !read_row(file, file->symbols.sh_offset, index, symbol, sizeof(*symbol)) ||
	    !is_inside(file->size, file->names.sh_offset, file->names.sh_size) ||
	    symbol->st_name >= file->names.sh_size)
		return NULL;
	const char *name = (const char *)file->bytes + file->names.sh_offset + symbol->st_name;
	return memchr(name, '\0', file->names.sh_size - symbol->st_name) ? name : NULL;
}

/* ---- relocations ----------------------------------------------------------------------------- */

/* The address of a symbol, 0 for a weak one that nothing defines. */
static bool find_address(const struct file *file, const struct riscv_image *image, uint64_t index,
			 uint64_t *address)
{
	Elf64_Sym symbol;
	const char *name = read_symbol(file, index, &symbol);

	if (!name)
		return false;
	*address = symbol.st_shndx == SHN_UNDEF ? riscv_system_find(name)
						: (uintptr_t)image->memory + symbol.st_value;
	if (*address || ELF64_ST_BIND(symbol.st_info) == STB_WEAK)
		return true;
	weft_log(WEFT_LOG_ERROR, "device", "a kernel binary needs '%s'", name);
	return false;
}

static bool relocate(const struct file *file, const struct riscv_image *image,
		     const Elf64_Rela *relocation)
{
	uint64_t value = (uintptr_t)image->memory;

	if (!is_inside(image->size, relocation->r_offset, sizeof(value)))
		return false;
	switch (ELF64_R_TYPE(relocation->r_info)) {
	case R_RISCV_NONE:
		return true;
	case R_RISCV_RELATIVE:
		break;
	case R_RISCV_64:
	case R_RISCV_JUMP_SLOT:
		if (!find_address(file, image, ELF64_R_SYM(relocation->r_info), &value))
			return false;
		break;
	default:
		return false;
	}
	value += (uint64_t)relocation->r_addend;
	memcpy(image->memory + relocation->r_offset, &value, sizeof(value));
	return true;
}

static bool relocate_all(const struct file *file, const struct riscv_image *image)
{
	for (unsigned i = 0; i < file->header.e_shnum; i++) {
		Elf64_Shdr section;
		Elf64_Rela relocation;

		if (!read_row(file, file->header.e_shoff, i, &section, sizeof(section)))
			return false;
		if (section.sh_type != SHT_RELA || !(section.sh_flags & SHF_ALLOC))
			continue;
		for (uint64_t k = 0; k < section.sh_size / sizeof(relocation); k++) {
			if (!read_row(file, section.sh_offset, k, &relocation,
				      sizeof(relocation)) ||
			    !relocate(file, image, &relocation))
				return false;
		}
	}
	return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static enum weft_status find_program(const struct file *file, struct riscv_image *image)
{
	Elf64_Sym symbol;

	for (uint64_t i = 1; i < file->symbols.sh_size / sizeof(symbol); i++) {
		const char *name = read_symbol(file, i, &symbol);

		if (!name || symbol.st_shndx == SHN_UNDEF || strcmp(name, WEFT_PROGRAM_SYMBOL) != 0)
			continue;
		if (!is_inside(image->size, symbol.st_value, sizeof(*image->program)) ||
		    symbol.st_value % _Alignof(struct weft_program_desc))
			return WEFT_INVALID_BINARY;
		image->program = (const void *)(image->memory + symbol.st_value);
		return image->program->abi == WEFT_KERNEL_ABI ? WEFT_OK : WEFT_INVALID_BINARY;
	}
	return WEFT_INVALID_BINARY;
}

static enum weft_status fill(struct file *file, struct riscv_image *image)
{
	if (!find_size(file, &image->size))
		return WEFT_INVALID_BINARY;
	image->memory = weft_alloc_aligned(PAGE, image->size);
	if (!image->memory)
		return WEFT_OUT_OF_MEMORY;
	memset(image->memory, 0, image->size);
	copy_segments(file, image->memory);
	if (!find_variables(file, image) || !find_sections(file, image) ||
	    !relocate_all(file, image))
		return WEFT_INVALID_BINARY;
	enum weft_status status = find_program(file, image);
	return status == WEFT_OK ? riscv_code_init(&image->code, file->code, file->num_code)
				 : status;
}

enum weft_status riscv_image_init(struct riscv_image *image, const void *bytes, size_t size)
{
	struct file file = {.bytes = bytes, .size = size};

	*image = (struct riscv_image){0};
	if (!read_header(&file))
		return WEFT_INVALID_BINARY;
	if (!riscv_system_open())
		return WEFT_OUT_OF_RESOURCES;
	enum weft_status status = fill(&file, image);
	if (status != WEFT_OK)
		riscv_image_destroy(image);
	return status;
}

void riscv_image_destroy(struct riscv_image *image)
{
	riscv_code_destroy(&image->code);
	weft_free(image->memory);
	*image = (struct riscv_image){0};
}
