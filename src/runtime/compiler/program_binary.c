/* SPDX-License-Identifier: MIT
 *
 * Binaries and their container. Invariant: what import accepts is byte for byte what export wrote.
 */
#include "compiler/program_binary.h"

#include "alloc.h"
#include "compiler/compiler_library.h"
#include "digest.h"
#include "log.h"
#include "overflow.h"

#include <stdio.h>
#include <string.h>

#define CONTAINER_MAGIC "\177WEFTBI" /* and its zero */
#define CONTAINER_VERSION 3
/* Begins the key of code for a named CPU, which no machine's key does. */
#define NAMED_CPU "cpu="

struct container_header {
	char magic[8];
	uint32_t version; /* of this layout */
	uint32_t abi;     /* WEFT_KERNEL_ABI */
	char weft[16];    /* Weft's version */
	uint32_t type;    /* cl_program_binary_type */
	uint32_t is_archive;
	char cpu_key[64];
	struct weft_digest
		compiler;          /* of an archive: whose it is (weft_compiler_library_identity) */
	uint64_t options_size;     /* bytes, the zero included */
	uint64_t features_size;    /* bytes, the zero included; they follow the options */
	uint64_t size;             /* bytes of the binary */
	struct weft_digest digest; /* of everything else */
};

struct weft_program_binary *weft_program_binary_create(const struct weft_program_binary_desc *desc)
{
	struct weft_program_binary *binary;
	size_t total;

	if (weft_add_overflows(sizeof(*binary), desc->size, &total))
		return NULL;
	binary = weft_zalloc(total);
	if (!binary)
		return NULL;
	binary->options = weft_strdup(desc->options ? desc->options : "");
	if (!binary->options) {
		weft_free(binary);
		return NULL;
	}
	weft_refcount_init(&binary->refs, 1);
	binary->type = desc->type;
	binary->is_archive = desc->is_archive;
	binary->size = desc->size;
	if (desc->size)
		memcpy(binary->bytes, desc->bytes, desc->size);
	return binary;
}

struct weft_program_binary *weft_program_binary_get(struct weft_program_binary *binary)
{
	weft_refcount_get(&binary->refs);
	return binary;
}

void weft_program_binary_put(struct weft_program_binary *binary)
{
	if (!binary || !weft_refcount_put(&binary->refs))
		return;
	weft_free(binary->options);
	weft_free(binary);
}

static struct weft_digest container_digest(const struct container_header *header, const void *rest,
					   size_t size)
{
	struct container_header copy = *header;

	copy.digest = (struct weft_digest){0, 0};
	return weft_digest_field(weft_digest_bytes(&copy, sizeof(copy)), rest, size);
}

size_t weft_program_binary_export_size(const struct weft_program_binary *binary)
{
	if (!binary)
		return 0;
	return sizeof(struct container_header) + strlen(binary->options) + 2 + binary->size;
}

size_t weft_program_binary_export_size_for(const struct weft_program_binary *binary,
					   const struct weft_program_cpu *cpu)
{
	return weft_program_binary_export_size(binary) + strlen(cpu->features);
}

static void export_for(const struct weft_program_binary *binary, const char *cpu_key,
		       const char *features, void *bytes)
{
	struct container_header header = {
		.magic = CONTAINER_MAGIC,
		.version = CONTAINER_VERSION,
		.abi = WEFT_KERNEL_ABI,
		.weft = WEFT_VERSION,
		.type = binary->type,
		.is_archive = binary->is_archive,
		.options_size = strlen(binary->options) + 1,
		.features_size = strlen(features) + 1,
		.size = binary->size,
	};
	char *rest = (char *)bytes + sizeof(header);

	snprintf(header.cpu_key, sizeof(header.cpu_key), "%s", cpu_key);
	if (binary->is_archive)
		header.compiler = weft_compiler_library_identity();
	memcpy(rest, binary->options, header.options_size);
	memcpy(rest + header.options_size, features, header.features_size);
	memcpy(rest + header.options_size + header.features_size, binary->bytes, binary->size);
	header.digest = container_digest(&header, rest,
					 header.options_size + header.features_size + header.size);
	memcpy(bytes, &header, sizeof(header));
}

void weft_program_binary_export(const struct weft_program_binary *binary, cl_device_id device,
				void *bytes)
{
	export_for(binary, weft_device_properties(device)->cpu_key, "", bytes);
}

void weft_program_binary_export_for(const struct weft_program_binary *binary,
				    const struct weft_program_cpu *cpu, void *bytes)
{
	char key[64];

	snprintf(key, sizeof(key), NAMED_CPU "%s", cpu->name);
	export_for(binary, key, cpu->features, bytes);
}

/* Whether `size` bytes after the header are what it says. */
static bool container_sound(const struct container_header *header, const char *rest, size_t size)
{
	size_t total;

	if (header->options_size == 0 || header->features_size == 0 || header->size == 0 ||
	    weft_add_overflows(header->options_size, header->features_size, &total) ||
	    weft_add_overflows(total, header->size, &total) || total != size ||
	    rest[header->options_size - 1] != '\0' ||
	    rest[header->options_size + header->features_size - 1] != '\0')
		return false;
	const struct weft_digest digest = container_digest(header, rest, size);
	return digest.low == header->digest.low && digest.high == header->digest.high;
}

static bool is_for_named_cpu(const struct container_header *header)
{
	return header->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE &&
	       strncmp(header->cpu_key, NAMED_CPU, strlen(NAMED_CPU)) == 0;
}

static bool has_feature(const char *features, const char *name, size_t length)
{
	bool found = false;

	/* Each name stands behind a space; there may be none. */
	for (const char *at = strchr(features, ' '); at && !found; at = strchr(at + 1, ' '))
		found = strncmp(at + 1, name, length) == 0 &&
			(at[length + 1] == ' ' || at[length + 1] == '\0');
	return found;
}

/* Whether the device's CPU has all of these features, separated by spaces. Code that counts cycles is for no named CPU. */
static bool has_features(cl_device_id device, const char *features)
{
	const struct weft_device_properties *properties = weft_device_properties(device);
	bool all = !properties->costs;

	while (all && *features) {
		const size_t length = strcspn(features, " ");

		all = length == 0 || has_feature(properties->cpu_features, features, length);
		if (!all)
			weft_log(WEFT_LOG_INFO, "runtime", "this CPU has no %.*s", (int)length,
				 features);
		features += length + (features[length] == ' ');
	}
	return all;
}

/* What an archive lacks must be made by the compiler that has begun it. */
static bool is_of_this_compiler(const struct container_header *header)
{
	const struct weft_digest compiler = weft_compiler_library_identity();

	return compiler.low == header->compiler.low && compiler.high == header->compiler.high;
}

/* Why the binary is of no use here, or NULL. Bitcode fits any CPU. */
static const char *container_foreign(const struct container_header *header, cl_device_id device)
{
	if (memcmp(header->magic, CONTAINER_MAGIC, sizeof(header->magic)) != 0)
		return "not a binary of Weft's";
	if (header->version != CONTAINER_VERSION || header->abi != WEFT_KERNEL_ABI ||
	    strncmp(header->weft, WEFT_VERSION, sizeof(header->weft)) != 0)
		return "from another version";
	if (header->type != CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT &&
	    header->type != CL_PROGRAM_BINARY_TYPE_LIBRARY &&
	    header->type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
		return "of an unknown kind";
	if (header->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE && !is_for_named_cpu(header) &&
	    strncmp(header->cpu_key, weft_device_properties(device)->cpu_key,
		    sizeof(header->cpu_key)) != 0)
		return "for another CPU";
	if (header->is_archive && !is_of_this_compiler(header))
		return "without all code, and another compiler's";
	return NULL;
}

/* What container_foreign looks at. Whole code that another build of the compiler made is not refused, but would better be made
 * again. */
struct weft_digest weft_program_binary_key(cl_device_id device)
{
	const uint32_t numbers[] = {CONTAINER_VERSION, WEFT_KERNEL_ABI};
	const struct weft_digest compiler = weft_compiler_library_identity();
	const char *cpu_key = weft_device_properties(device)->cpu_key;
	struct weft_digest digest = weft_digest_bytes(WEFT_VERSION, sizeof(WEFT_VERSION));

	digest = weft_digest_field(digest, numbers, sizeof(numbers));
	digest = weft_digest_field(digest, &compiler, sizeof(compiler));
	return weft_digest_field(digest, cpu_key, strlen(cpu_key));
}

enum weft_status weft_program_binary_import(const void *bytes, size_t size, cl_device_id device,
					    struct weft_program_binary **binary_ret)
{
	const char *rest = (const char *)bytes + sizeof(struct container_header);
	struct container_header header;
	const char *reason = "too short";

	if (size >= sizeof(header)) {
		memcpy(&header, bytes, sizeof(header));
		reason = container_foreign(&header, device);
		if (!reason && !container_sound(&header, rest, size - sizeof(header)))
			reason = "damaged";
		if (!reason && is_for_named_cpu(&header) &&
		    !has_features(device, rest + header.options_size))
			reason = "for another CPU";
	}
	if (reason) {
		weft_log(WEFT_LOG_INFO, "runtime", "a program binary is %s", reason);
		return WEFT_INVALID_BINARY;
	}
	const struct weft_program_binary_desc desc = {
		.type = header.type,
		.options = rest,
		.bytes = rest + header.options_size + header.features_size,
		.size = header.size,
		.is_archive = header.is_archive,
	};
	struct weft_program_binary *binary = weft_program_binary_create(&desc);
	if (!binary)
		return WEFT_OUT_OF_MEMORY;
	*binary_ret = binary;
	return WEFT_OK;
}

const struct weft_kernel_desc *weft_program_desc_find(const struct weft_program_desc *desc,
						      const char *name)
{
	for (uint32_t i = 0; i < desc->num_kernels; i++) {
		if (strcmp(desc->kernels[i].name, name) == 0)
			return &desc->kernels[i];
	}
	return NULL;
}
