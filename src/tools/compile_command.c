/* SPDX-License-Identifier: MIT
 *
 * `weft compile`: a file to a program binary, or to a text. The target is what the device would say: the CPU's, or an accelerator's that
 * has RISC-V.
 */
#include "compile_options.h"

#include "alloc.h"
#include "compiler/compiler_library.h"
#include "compiler/program_binary.h"
#include "installation.h"
#include "platform/platform.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SPIRV_MAGIC UINT32_C(0x07230203)

/* An instruction set in the place of a CPU: an accelerator's. */
static bool is_for_riscv(const struct compile_options *options)
{
	return options->cpu && strcmp(options->cpu, WEFT_ISA_RISCV64) == 0;
}

/* ---- files ------------------------------------------------------------------------------------ */

/* The whole file; text ends with a zero that does not count. */
static bool read_file(const char *path, struct weft_strbuf *text)
{
	FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
	char block[4096];
	size_t size;

	while (file && (size = fread(block, 1, sizeof(block), file)) > 0)
		weft_strbuf_add(text, block, size);
	bool done = file && !ferror(file);
	if (!done)
		weft_complain("%s: %s", path, strerror(errno));
	if (file && file != stdin)
		fclose(file);
	if (done && text->failed)
		weft_complain("out of memory");
	return done && !text->failed;
}

static bool write_file(const char *path, const void *bytes, size_t size)
{
	FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");
	bool done = file && fwrite(bytes, 1, size, file) == size && fflush(file) == 0;
	const int error = errno;

	if (file && file != stdout && fclose(file) != 0 && done) {
		weft_complain("%s: %s", path, strerror(errno));
		return false;
	}
	if (!done)
		weft_complain("%s: %s", path, strerror(error));
	return done;
}

static bool is_same_file(const char *first, const char *second)
{
	struct stat one, other;

	return stat(first, &one) == 0 && stat(second, &other) == 0 && S_ISREG(one.st_mode) &&
	       one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* "folder/k.cl" gives "k.bin". */
static void default_output(const struct compile_options *options, struct weft_strbuf *path)
{
	static const char *const suffixes[] = {
		[WEFT_EMIT_KERNELS] = ".bin",
		[WEFT_EMIT_SOURCE_IR] = ".ll",
		[WEFT_EMIT_IR] = ".ll",
		[WEFT_EMIT_ASSEMBLY] = ".s",
	};
	const bool is_stream = strcmp(options->input, "-") == 0;
	const char *slash = strrchr(options->input, '/');
	const char *name = is_stream ? "kernels" : slash ? slash + 1 : options->input;
	const char *dot = strrchr(name, '.');

	weft_strbuf_add(path, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
	weft_strbuf_puts(path, suffixes[options->emit]);
}

/* ---- the source ------------------------------------------------------------------------------- */

static bool is_spirv(const struct weft_strbuf *file)
{
	uint32_t word = 0;

	if (file->size >= sizeof(word))
		memcpy(&word, file->data, sizeof(word));
	return word == SPIRV_MAGIC || word == __builtin_bswap32(SPIRV_MAGIC);
}

static bool is_cxx(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && (strcmp(dot, ".clcpp") == 0 || strcmp(dot, ".clc++") == 0);
}

/* Messages name the file, and what it includes may lie beside it. */
static void name_source(struct compile_options *options, struct weft_strbuf *source)
{
	const bool is_stream = strcmp(options->input, "-") == 0;
	const char *slash = strrchr(options->input, '/');
	struct weft_strbuf folder = {0};

	weft_strbuf_puts(source, "#line 1 \"");
	for (const char *c = is_stream ? "<stdin>" : options->input; *c; c++) {
		if (*c == '"' || *c == '\\')
			weft_strbuf_puts(source, "\\");
		weft_strbuf_add(source, *c == '\n' || *c == '\r' ? "?" : c, 1);
	}
	weft_strbuf_puts(source, "\"\n");
	if (is_cxx(options->input) && !options->has_language)
		weft_compile_add(options, "-cl-std=CLC++");
	if (slash) {
		weft_strbuf_puts(&folder, "-I");
		weft_strbuf_add(&folder, options->input, (size_t)(slash - options->input) + 1);
	}
	if (slash && !folder.failed)
		weft_compile_add(options, folder.data);
	source->failed = source->failed || folder.failed;
	weft_free(folder.data);
}

/* ---- the binary ------------------------------------------------------------------------------- */

/* The program binary of a kernel binary; NULL: no memory. Owned by the caller. */
static void *make_container(const struct compile_options *options, cl_device_id device,
			    const struct weft_output *output, const struct weft_program_cpu *cpu,
			    size_t *size)
{
	const struct weft_program_binary_desc desc = {.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
						      .options = options->build.data,
						      .bytes = output->data,
						      .size = output->size};
	struct weft_program_binary *binary = weft_program_binary_create(&desc);
	void *bytes = NULL;

	if (!binary)
		return NULL;
	*size = cpu ? weft_program_binary_export_size_for(binary, cpu)
		    : weft_program_binary_export_size(binary);
	bytes = weft_zalloc(*size);
	if (bytes && cpu)
		weft_program_binary_export_for(binary, cpu, bytes);
	else if (bytes)
		weft_program_binary_export(binary, device, bytes);
	weft_program_binary_put(binary);
	return bytes;
}

/* What code for the named CPU asks for. The text is the caller's to free. */
static enum weft_exit read_cpu(const struct weft_compiler *compiler, const char *name,
			       char **features)
{
	struct weft_output output = {0};
	enum weft_exit result = WEFT_EXIT_DONE;

	enum weft_status status = compiler->cpus(name, &output);
	if (status == WEFT_INVALID_OPTIONS) {
		weft_complain("unknown CPU '%s'; weft compile --list-cpus names them", name);
		result = WEFT_EXIT_USAGE;
	} else {
		*features = status == WEFT_OK ? weft_zalloc(output.size + 1) : NULL;
		if (*features)
			memcpy(*features, output.data, output.size);
		else
			result = WEFT_EXIT_TROUBLE;
	}
	compiler->release(&output);
	return result;
}

static enum weft_exit list_cpus(const struct weft_compiler *compiler)
{
	struct weft_output output = {0};
	static const char riscv[] = WEFT_ISA_RISCV64 "\n";
	bool done = compiler->cpus(NULL, &output) == WEFT_OK &&
		    write_file("-", output.data, output.size) &&
		    write_file("-", riscv, sizeof(riscv) - 1);

	compiler->release(&output);
	return done ? WEFT_EXIT_DONE : WEFT_EXIT_TROUBLE;
}

/* ---- the command ------------------------------------------------------------------------------ */

static enum weft_exit write_result(const struct compile_options *options, cl_device_id device,
				   const struct weft_output *output, const char *features)
{
	const struct weft_program_cpu cpu = {options->cpu, features};
	struct weft_strbuf path = {0};
	void *container = NULL;
	const void *bytes = output->data;
	size_t size = output->size;
	bool done = true;

	if (options->emit == WEFT_EMIT_KERNELS)
		bytes = container =
			make_container(options, device, output, features ? &cpu : NULL, &size);
	if (!options->output)
		default_output(options, &path);
	if (!bytes || path.failed) {
		weft_complain("out of memory");
		done = false;
	}
	const char *output_path = options->output ? options->output : path.data;
	if (done && strcmp(output_path, "-") != 0 && is_same_file(options->input, output_path)) {
		weft_complain("%s: the result would replace the source; -o names another file",
			      output_path);
		done = false;
	}
	done = done && write_file(output_path, bytes, size);
	if (done && output->report)
		fputs(output->report,
		      options->output && strcmp(options->output, "-") == 0 ? stderr : stdout);
	weft_free(container);
	weft_free(path.data);
	return done ? WEFT_EXIT_DONE : WEFT_EXIT_TROUBLE;
}

static enum weft_exit build(const struct weft_compiler *compiler, struct compile_options *options,
			    cl_device_id device, const char *features)
{
	const struct weft_target target = weft_device_target(device);
	struct weft_strbuf file = {0};
	struct weft_strbuf source = {0};
	struct weft_output output = {0};
	enum weft_exit result = WEFT_EXIT_TROUBLE;

	if (!read_file(options->input, &file))
		goto end;
	const struct weft_il il = {.bytes = file.data, .size = file.size};
	const bool binary = is_spirv(&file);
	if (!binary) {
		name_source(options, &source);
		weft_strbuf_add(&source, file.data ? file.data : "", file.size);
	}
	if (source.failed || options->build.failed) {
		weft_complain("out of memory");
		goto end;
	}
	const struct weft_compile_desc desc = {.source = source.data,
					       .source_size = source.size,
					       .il = binary ? &il : NULL,
					       .options = options->build.data,
					       .target = &target,
					       .emit = options->emit,
					       .report = options->report};
	enum weft_status status = compiler->build(&desc, &output);
	if (output.log)
		fputs(output.log, stderr);
	if (status == WEFT_OK)
		result = write_result(options, device, &output, features);
	else
		result = status == WEFT_INVALID_OPTIONS ? WEFT_EXIT_USAGE
			 : status == WEFT_BUILD_FAILED  ? WEFT_EXIT_REFUSED
							: WEFT_EXIT_TROUBLE;
end:
	compiler->release(&output);
	weft_free(source.data);
	weft_free(file.data);
	return result;
}

/* Of devices that are opened now; NULL: there is none. */
static cl_device_id find_device(const char *isa)
{
	cl_uint count = 0;
	const cl_device_id *devices = weft_platform_devices(&count);

	for (cl_uint i = 0; i < count; i++) {
		const char *has = weft_device_properties(devices[i])->isa;
		if (isa ? has && strcmp(has, isa) == 0 : !has)
			return devices[i];
	}
	return NULL;
}

/* The device of this machine's CPU, which is told what CPU to compile for, or an accelerator; NULL: it has said why. */
static cl_device_id open_device(const struct compile_options *options)
{
	const bool is_riscv = is_for_riscv(options);

	/* Before they are read. */
	weft_use_own_compiler();
	setenv("WEFT_DEVICES", is_riscv ? "accel" : "pthread", 1);
	if (is_riscv)
		setenv("WEFT_ACCEL", "isa=" WEFT_ISA_RISCV64, 0);
	if (options->cpu && !is_riscv)
		setenv("WEFT_CPU", options->cpu, 1);
	else
		unsetenv("WEFT_CPU");
	cl_device_id device = find_device(is_riscv ? WEFT_ISA_RISCV64 : NULL);
	if (!device && is_riscv)
		weft_complain("WEFT_ACCEL describes no device with isa=" WEFT_ISA_RISCV64);
	else if (!device)
		weft_complain("no device");
	return device;
}

static enum weft_exit run(struct compile_options *options)
{
	char *features = NULL;
	enum weft_exit result = WEFT_EXIT_DONE;

	cl_device_id device = open_device(options);
	if (!device)
		return WEFT_EXIT_TROUBLE;
	const struct weft_compiler *compiler = weft_compiler_library();
	if (!compiler) {
		weft_complain("libweft-compiler.so is not to be had");
		return WEFT_EXIT_TROUBLE;
	}
	if (options->list_cpus)
		return list_cpus(compiler);
	if (options->cpu && !is_for_riscv(options))
		result = read_cpu(compiler, options->cpu, &features);
	if (result == WEFT_EXIT_DONE)
		result = build(compiler, options, device, features);
	weft_free(features);
	return result;
}

enum weft_exit weft_compile_command(char **argv)
{
	struct compile_options options = {0};
	enum weft_exit result;

	if (weft_compile_parse(argv, &options, &result))
		result = run(&options);
	weft_free(options.build.data);
	return result;
}
