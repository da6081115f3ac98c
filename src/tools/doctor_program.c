/* SPDX-License-Identifier: MIT
 *
 * The program that the user runs: whether it can use Weft at all, and which loader it is linked with.
 */
#include "child.h"
#include "doctor.h"
#include "vendors.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATIENCE 30 /* seconds */

static bool is_program(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

/* An empty name of a folder is this folder. */
bool weft_doctor_find_program(const char *name, char path[PATH_MAX])
{
	const char *folders = secure_getenv("PATH");

	if (strchr(name, '/'))
		return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX && access(path, F_OK) == 0;
	if (!folders)
		folders = "/bin:/usr/bin"; /* as execvp does */
	for (;;) {
		const size_t length = strcspn(folders, ":");

		if (snprintf(path, PATH_MAX, "%.*s/%s", length ? (int)length : 1,
			     length ? folders : ".", name) < PATH_MAX &&
		    is_program(path))
			return true;
		if (!folders[length])
			return false;
		folders += length + 1;
	}
}

struct program {
	const char *path;
	char linker[PATH_MAX]; /* the dynamic linker that it names */
};

/* With this variable the dynamic linker prints what it would load, and does not start the program. Its option --list would end at
 * the first library that is missing. */
static int list_libraries(const void *data)
{
	const struct program *program = data;

	setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
	execl(program->linker, program->linker, program->path, (char *)NULL);
	return 1;
}

/* The dynamic linker that the ELF file names; false: none. */
static bool read_linker(FILE *file, const Elf64_Ehdr *header, char linker[PATH_MAX])
{
	Elf64_Phdr segment;

	for (unsigned i = 0; i < header->e_phnum; i++) {
		if (fseek(file, (long)(header->e_phoff + i * sizeof(segment)), SEEK_SET) != 0 ||
		    fread(&segment, sizeof(segment), 1, file) != 1)
			return false;
		if (segment.p_type == PT_INTERP)
			return segment.p_filesz > 0 && segment.p_filesz < PATH_MAX &&
			       fseek(file, (long)segment.p_offset, SEEK_SET) == 0 &&
			       fread(linker, segment.p_filesz, 1, file) == 1;
	}
	return false;
}

/* The dynamic linker that this program was started by; an ELF file may name any program as its own. */
static bool is_own_linker(const char *linker)
{
	FILE *self = fopen("/proc/self/exe", "re");
	Elf64_Ehdr header = {0};
	char own[PATH_MAX] = "";
	struct stat info, own_info;

	const bool is_read = self && fread(&header, sizeof(header), 1, self) == 1 &&
			     read_linker(self, &header, own);
	if (self)
		fclose(self);
	return is_read && stat(own, &own_info) == 0 && stat(linker, &info) == 0 &&
	       own_info.st_dev == info.st_dev && own_info.st_ino == info.st_ino;
}

/* The line of the text that has the words, cut out of the text; NULL: none. */
static char *find_line(char *text, const char *words)
{
	char *line = text ? strstr(text, words) : NULL;

	if (!line)
		return NULL;
	while (line > text && line[-1] != '\n')
		line--;
	line += strspn(line, "\t ");
	line[strcspn(line, "\n")] = '\0';
	return line;
}

/* `libraries`: a line for each that the program needs, with the file, or without one. */
static void judge_libraries(struct weft_doctor *doctor, const char *path, char *libraries)
{
	const char *missing = find_line(libraries, " => not found");
	const char *loader = missing ? NULL : find_line(libraries, "libOpenCL");

	if (missing)
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT,
				strstr(missing, "libOpenCL")
					? "install an OpenCL loader"
					: "install the package that has the library",
				"%s cannot start: %s", path, missing);
	else if (loader)
		weft_doctor_say(doctor, WEFT_VERDICT_OK, NULL, "%s is linked with %s", path,
				loader);
	else
		weft_doctor_say(
			doctor, WEFT_VERDICT_NOTE, NULL,
			"%s is not linked with a loader; it may open one when it needs OpenCL",
			path);
}

static void check_libraries(struct weft_doctor *doctor, const struct program *program)
{
	const char *path = program->path;
	struct weft_strbuf said = {0};

	if (!is_own_linker(program->linker)) {
		weft_doctor_say(doctor, WEFT_VERDICT_NOTE, NULL,
				"%s has a dynamic linker of its own, which is not started to see "
				"what it loads: %s",
				path, program->linker);
		return;
	}

	const int status = weft_child_run(list_libraries, program, PATIENCE, &said);
	if (status == 0)
		judge_libraries(doctor, path, said.data);
	else
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT, "get the program anew",
				"%s cannot be loaded: %s", path, weft_doctor_reason(status, &said));
	weft_strbuf_destroy(&said);
}

static void check_elf(struct weft_doctor *doctor, const char *path, FILE *file,
		      const Elf64_Ehdr *header)
{
	struct program program = {.path = path};

	if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_X86_64)
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT, "get a build for x86-64",
				"%s is for another kind of machine than Weft, of %s bits", path,
				header->e_ident[EI_CLASS] == ELFCLASS64 ? "64" : "32");
	else if (!read_linker(file, header, program.linker))
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT, "link it dynamically",
				"%s is linked statically, and loads no driver", path);
	else if (!strstr(program.linker, "/ld-linux"))
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT, "get a build for glibc",
				"%s is for another C library, and can load no driver: %s", path,
				program.linker);
	else
		check_libraries(doctor, &program);
}

void weft_doctor_check_program(struct weft_doctor *doctor)
{
	char path[PATH_MAX];
	struct stat info;
	Elf64_Ehdr header = {0};

	if (!weft_doctor_find_program(doctor->program, path) || stat(path, &info) != 0 ||
	    !S_ISREG(info.st_mode)) {
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT, NULL, "%s: there is no such program",
				doctor->program);
		return;
	}
	if (access(path, X_OK) != 0)
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT, "chmod +x", "%s: %s", path,
				strerror(errno));
	if (info.st_mode & (S_ISUID | S_ISGID))
		weft_doctor_say(doctor, WEFT_VERDICT_NOTE, NULL,
				"%s has more rights than its user: it ignores OCL_ICD_VENDORS and "
				"Weft's variables, and has no kernel cache",
				path);
	FILE *file = weft_open_file(path);
	const int error = errno;
	const size_t size = file ? fread(&header, 1, sizeof(header), file) : 0;
	if (!file)
		weft_doctor_say(doctor, WEFT_VERDICT_NOTE, "chmod +r",
				"%s cannot be read to see what it loads: %s", path,
				strerror(error));
	else if (size == sizeof(header) && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0)
		check_elf(doctor, path, file, &header);
	else
		weft_doctor_say(doctor, WEFT_VERDICT_NOTE, NULL,
				"%s is no ELF file; the loader is that of its interpreter", path);
	if (file)
		fclose(file);
}
