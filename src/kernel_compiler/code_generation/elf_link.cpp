/* SPDX-License-Identifier: MIT
 *
 * lld reads and writes files. Here it does not: the link options redirect (--wrap) the one function
 * that gives lld its input files and the one that makes its output file to the two below, which
 * know the link that runs. lld's state is global, so one link runs at a time; a link that fails
 * leaves nothing that the next one sees.
 */
#include "code_generation/elf_link.h"

#include "embed.h"
#include "support/crash_guard.h"

#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileOutputBuffer.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <pthread.h>

LLD_HAS_DRIVER(elf)

namespace lld::elf
{
struct Ctx;
}

namespace weft
{

/* Generated from system_functions.def. */
extern const unsigned char stand_in_C[], stand_in_M[], stand_in_GCC[], stand_in_RISCV64[];
extern const size_t stand_in_C_size, stand_in_M_size, stand_in_GCC_size, stand_in_RISCV64_size;

} // namespace weft

namespace
{

constexpr llvm::StringRef inputName = "kernels.o"; /* and the number of the input */
constexpr llvm::StringRef outputName = "kernels.so";

struct Link {
	llvm::ArrayRef<llvm::StringRef> objects;
	llvm::SmallVectorImpl<char> &shared;
};

std::mutex linkLock;
std::once_flag forkOnce;
const Link *current; /* guarded by linkLock */

/* The child of a fork finds lld as it is between two links. */
void registerFork()
{
	const auto release = [] { linkLock.unlock(); };
	pthread_atfork([] { linkLock.lock(); }, release, release);
}

/* lld's output file: memory that becomes the result when lld commits it. */
class OutputBuffer : public llvm::FileOutputBuffer
{
      public:
	OutputBuffer(llvm::StringRef path, size_t size) : FileOutputBuffer(path), bytes(size)
	{
	}

	uint8_t *getBufferStart() const override
	{
		return bytes.data();
	}

	uint8_t *getBufferEnd() const override
	{
		return bytes.data() + bytes.size();
	}

	size_t getBufferSize() const override
	{
		return bytes.size();
	}

	llvm::Error commit() override
	{
		current->shared.assign(bytes.begin(), bytes.end());
		return llvm::Error::success();
	}

      private:
	mutable std::vector<uint8_t> bytes;
};

} // namespace

/* Stands for llvm::FileOutputBuffer::create. */
llvm::Expected<std::unique_ptr<llvm::FileOutputBuffer>>
createOutput(llvm::StringRef path, size_t size,
	     unsigned flags) __asm__("__wrap__ZN4llvm16FileOutputBuffer6createENS_9StringRefEmj");

/* Stands for lld::elf::readFile. */
std::optional<llvm::MemoryBufferRef>
readInput(lld::elf::Ctx &context,
	  llvm::StringRef path) __asm__("__wrap__ZN3lld3elf8readFileERNS0_3CtxEN4llvm9StringRefE");

llvm::Expected<std::unique_ptr<llvm::FileOutputBuffer>> createOutput(llvm::StringRef path,
								     size_t size, unsigned)
{
	return std::make_unique<OutputBuffer>(path, size);
}

llvm::StringRef embedded(const void *bytes, size_t size)
{
	return {static_cast<const char *>(bytes), size};
}

llvm::StringRef between(const char *begin, const char *end)
{
	return {begin, size_t(end - begin)};
}

std::optional<llvm::MemoryBufferRef> readInput(lld::elf::Ctx &, llvm::StringRef path)
{
	const struct {
		llvm::StringRef name, contents;
	} files[] = {
		{"libc.so.6", embedded(weft::stand_in_C, weft::stand_in_C_size)},
		{"libm.so.6", embedded(weft::stand_in_M, weft::stand_in_M_size)},
		{"libgcc_s.so.1", embedded(weft::stand_in_GCC, weft::stand_in_GCC_size)},
		{"system_riscv64.so",
		 embedded(weft::stand_in_RISCV64, weft::stand_in_RISCV64_size)},
		{"precompiled_128.o",
		 between(weft_precompiled_128_begin, weft_precompiled_128_end)},
		{"precompiled_256.o",
		 between(weft_precompiled_256_begin, weft_precompiled_256_end)},
		{"precompiled_512.o",
		 between(weft_precompiled_512_begin, weft_precompiled_512_end)},
	};

	llvm::StringRef number = path;
	size_t index;
	if (number.consume_front(inputName) && !number.getAsInteger(10, index))
		return llvm::MemoryBufferRef(current->objects[index], path);
	for (const auto &file : files) {
		if (path == file.name)
			return llvm::MemoryBufferRef(file.contents, file.name);
	}
	return std::nullopt;
}

namespace
{

bool isRiscv(llvm::StringRef object)
{
	using namespace llvm::support;
	constexpr size_t machine = offsetof(llvm::ELF::Elf64_Ehdr, e_machine);

	return object.size() >= sizeof(llvm::ELF::Elf64_Ehdr) &&
	       endian::read16le(object.data() + machine) == llvm::ELF::EM_RISCV;
}

} // namespace

namespace weft
{

bool linkSharedObject(llvm::ArrayRef<llvm::StringRef> objects, llvm::SmallVectorImpl<char> &shared,
		      std::string &log)
{
	static constexpr const char *before[] = {
		"ld.lld",
		"-shared",
		"--threads=1",
		/* few pages and few segments: it is loaded often, and lives in memory */
		"-z",
		"noseparate-code",
		"-z",
		"max-page-size=4096",
		/* Descriptors and tables of addresses are constant once they are loaded: a kernel that writes to them faults
		 * there, and not the driver later. Costs 3 us when the binary is loaded. */
		"-z",
		"relro",
		"--no-rosegment",
		"--hash-style=gnu",
		"--build-id=none",
		"--gc-sections", /* precompiled functions that are not called */
		"-z",
		"nostart-stop-gc", /* rows of a program's parts stay (emit_descriptors.h) */
		"-o",
		outputName.data(),
	};
	/* Each object file is taken only where a function of it is called. */
	static constexpr const char *precompiled[] = {
		"--start-lib",
#ifdef __x86_64__
		"precompiled_128.o", "precompiled_256.o", "precompiled_512.o",
#endif
		"--end-lib",
	};
	/* named by the binary only where it calls them; what none has is an error */
	static constexpr const char *after[] = {"-z", "defs", "--as-needed"};
	static constexpr const char *system[] = {"libc.so.6", "libm.so.6", "libgcc_s.so.1"};
	std::vector<std::string> names;
	for (size_t i = 0; i < objects.size(); i++)
		names.push_back((inputName + llvm::Twine(i)).str());
	std::vector<const char *> arguments(std::begin(before), std::end(before));
	for (const std::string &name : names)
		arguments.push_back(name.c_str());
	const bool isForeign = isRiscv(objects.front());
	if (!isForeign)
		arguments.insert(arguments.end(), std::begin(precompiled), std::end(precompiled));
	arguments.insert(arguments.end(), std::begin(after), std::end(after));
	if (isForeign)
		arguments.push_back("system_riscv64.so");
	else
		arguments.insert(arguments.end(), std::begin(system), std::end(system));
	const Link link = {objects, shared};
	llvm::raw_string_ostream stream(log);
	std::call_once(forkOnce, registerFork);
	GuardedLock guard(linkLock);

	current = &link;
	bool linked = lld::elf::link(arguments, llvm::nulls(), stream, false, false);
	lld::CommonLinkerContext::destroy();
	current = nullptr;
	if (!linked || shared.empty()) {
		log += "error: linking the kernels failed\n";
		return false;
	}
	return true;
}

} // namespace weft
