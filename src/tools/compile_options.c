/* SPDX-License-Identifier: MIT
 *
 * The arguments of `weft compile`. What is none of its own and begins with "-" is a build option.
 */
#include "compile_options.h"

#include <stddef.h>
#include <string.h>

const char weft_compile_help[] =
	"usage: weft compile [OPTION…] [BUILD OPTION…] FILE\n"
	"\n"
	"Compiles OpenCL C, C++ for OpenCL (.clcpp) or SPIR-V to a program binary, which\n"
	"clCreateProgramWithBinary takes. FILE may be - for standard input.\n"
	"\n"
	"  -o, --output FILE  where the result goes; - is standard output. Default: FILE with\n"
	"                     the suffix .bin, .ll or .s, in this folder; kernels.bin of -\n"
	"  --cpu NAME         for any machine that has what LLVM's CPU of this name has;\n"
	"                     native, the default: for CPUs like this machine's alone\n"
	"  --list-cpus        print the names that --cpu takes\n"
	"  --emit WHAT        binary, the default; source-ir: LLVM IR of the source alone;\n"
	"                     ir: LLVM IR of the finished kernels; assembly\n"
	"  --report           print vectors, memory and spilled registers of each kernel\n"
	"  -h, --help         print this\n"
	"\n"
	"Build options are those of clBuildProgram: -cl-std=CL3.0 -D NAME=VALUE -I FOLDER …\n"
	"\n"
	"Exit status: 0 done, 1 the source does not compile, 2 wrong arguments, 3 other trouble.\n";

static bool set_emit(struct compile_options *options, const char *what)
{
	static const char *const names[] = {
		[WEFT_EMIT_KERNELS] = "binary",
		[WEFT_EMIT_SOURCE_IR] = "source-ir",
		[WEFT_EMIT_IR] = "ir",
		[WEFT_EMIT_ASSEMBLY] = "assembly",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(what, names[i]) == 0) {
			options->emit = (enum weft_emit)i;
			return true;
		}
	}
	weft_complain("--emit takes binary, source-ir, ir or assembly, not '%s'", what);
	return false;
}

static bool set_output(struct compile_options *options, const char *value)
{
	options->output = value;
	return true;
}

static bool set_cpu(struct compile_options *options, const char *value)
{
	options->cpu = strcmp(value, "native") == 0 ? NULL : value;
	return true;
}

static const struct {
	const char *name;
	bool (*set)(struct compile_options *options, const char *value);
} with_value[] = {
	{"-o", set_output},
	{"--output", set_output},
	{"--cpu", set_cpu},
	{"--emit", set_emit},
};

static const struct {
	const char *name;
	size_t field; /* a bool of struct compile_options */
} flags[] = {
	{"--report", offsetof(struct compile_options, report)},
	{"--list-cpus", offsetof(struct compile_options, list_cpus)},
	{"--help", offsetof(struct compile_options, help)},
	{"-h", offsetof(struct compile_options, help)},
};

void weft_compile_add(struct compile_options *options, const char *word)
{
	weft_strbuf_puts(&options->build, options->build.size ? " \"" : "\"");
	for (; *word; word++) {
		if (*word == '"' || *word == '\\')
			weft_strbuf_puts(&options->build, "\\");
		weft_strbuf_add(&options->build, word, 1);
	}
	weft_strbuf_puts(&options->build, "\"");
}

static bool set_flag(struct compile_options *options, const char *word)
{
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		if (strcmp(word, flags[i].name) == 0) {
			*(bool *)((char *)options + flags[i].field) = true;
			return true;
		}
	}
	return false;
}

/* "--name VALUE" or "--name=VALUE". False: it is no such option; else *ok says whether the value is right. */
static bool set_value(struct compile_options *options, char ***argv, bool *ok)
{
	const char *word = **argv;

	for (size_t i = 0; i < sizeof(with_value) / sizeof(*with_value); i++) {
		const size_t length = strlen(with_value[i].name);
		const char *value = NULL;

		if (strncmp(word, with_value[i].name, length) != 0)
			continue;
		if (word[length] == '=' && length > 2)
			value = word + length + 1;
		else if (word[length] != '\0')
			continue;
		else if ((*argv)[1])
			value = *++*argv;
		if (!value)
			weft_complain("%s wants a value", word);
		*ok = value && with_value[i].set(options, value);
		return true;
	}
	return false;
}

static bool take_word(struct compile_options *options, char ***argv)
{
	const char *word = **argv;
	bool ok = true;

	if (set_flag(options, word) || set_value(options, argv, &ok))
		return ok;
	if (strncmp(word, "--", 2) == 0) {
		weft_complain("unknown option '%s'; weft compile --help lists them", word);
		return false;
	}
	if (*word != '-' || strcmp(word, "-") == 0) {
		if (options->input)
			weft_complain("one file at a time: '%s' and '%s'", options->input, word);
		ok = !options->input;
		options->input = word;
		return ok;
	}
	options->has_language = options->has_language || strncmp(word, "-cl-std=", 8) == 0;
	weft_compile_add(options, word);
	if ((strcmp(word, "-D") == 0 || strcmp(word, "-I") == 0) && (*argv)[1])
		weft_compile_add(options, *++*argv);
	return true;
}

enum weft_exit weft_compile_parse(char **argv, struct compile_options *options)
{
	for (; *argv; argv++) {
		if (!take_word(options, &argv))
			return WEFT_EXIT_USAGE;
	}
	if (!options->input && !options->list_cpus && !options->help) {
		weft_complain("which file? weft compile --help says more");
		return WEFT_EXIT_USAGE;
	}
	return WEFT_EXIT_DONE;
}
