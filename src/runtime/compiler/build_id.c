/* SPDX-License-Identifier: MIT
 *
 * Looks through the notes of an ELF file. Nothing that the file says is trusted.
 */
#include "compiler/build_id.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define MOST_SEGMENTS 64
#define MOST_NOTES 4096 /* bytes of a segment of notes */

static bool read_at(int file, void *bytes, size_t size, uint64_t offset)
{
	return offset <= INT64_MAX && pread(file, bytes, size, (off_t)offset) == (ssize_t)size;
}

static uint64_t padded(uint64_t size)
{
	return (size + 3) & ~UINT64_C(3);
}

/* In `size` bytes of notes: each a header, a name and a description, both padded to words. */
static bool find_in_notes(const unsigned char *notes, size_t size, struct weft_digest *id)
{
	static const char name[] = "GNU";
	Elf64_Nhdr header;

	for (uint64_t next = 0; next + sizeof(header) <= size;) {
		memcpy(&header, notes + next, sizeof(header));
		uint64_t text = next + sizeof(header);
		uint64_t number = text + padded(header.n_namesz);

		next = number + padded(header.n_descsz);
		if (number + header.n_descsz > size)
			return false;
		if (header.n_type != NT_GNU_BUILD_ID || header.n_descsz == 0 ||
		    header.n_namesz != sizeof(name) ||
		    memcmp(notes + text, name, sizeof(name)) != 0)
			continue;
		*id = weft_digest_bytes(notes + number, header.n_descsz);
		return true;
	}
	return false;
}

static bool find_in_file(int file, struct weft_digest *id)
{
	unsigned char notes[MOST_NOTES];
	Elf64_Ehdr header;
	Elf64_Phdr segment;

	if (!read_at(file, &header, sizeof(header), 0) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(segment))
		return false;
	for (unsigned i = 0; i < header.e_phnum && i < MOST_SEGMENTS; i++) {
		uint64_t offset;

		if (__builtin_add_overflow(header.e_phoff, i * sizeof(segment), &offset) ||
		    !read_at(file, &segment, sizeof(segment), offset))
			return false;
		if (segment.p_type != PT_NOTE || segment.p_filesz > sizeof(notes) ||
		    !read_at(file, notes, segment.p_filesz, segment.p_offset))
			continue;
		if (find_in_notes(notes, segment.p_filesz, id))
			return true;
	}
	return false;
}

bool weft_build_id_read(const char *path, struct weft_digest *id)
{
	int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe must not stop us */

	if (file < 0)
		return false;
	bool found = find_in_file(file, id);
	close(file);
	return found;
}
