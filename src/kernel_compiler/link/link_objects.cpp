/* SPDX-License-Identifier: MIT
 *
 * Storing and merging modules. Nothing here trusts an input: the digest finds damage, LLVM's reader
 * and verifier the rest, and all of it runs contained.
 */
#include "link/link_objects.h"

#include "functions/internal_functions.h"

extern "C" {
#include "digest.h"
}

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <map>

namespace
{

/* LLVM's wrapper header (its first five fields; `offset` leaves room for the others). */
struct ObjectHeader {
	uint32_t magic;
	uint32_t version;
	uint32_t offset; /* bytes from the start of the header to the bitcode */
	uint32_t size;   /* bytes of bitcode */
	uint32_t cpu;
	uint32_t weft;
	uint64_t digest[2]; /* of the bitcode */
};

constexpr uint32_t wrapperMagic = 0x0B17C0DE;
constexpr uint32_t weftMagic = 0x54464557; /* "WEFT" */

ObjectHeader headerOf(llvm::StringRef bitcode)
{
	weft_digest digest = weft_digest_bytes(bitcode.data(), bitcode.size());

	return {wrapperMagic,
		0,
		sizeof(ObjectHeader),
		static_cast<uint32_t>(bitcode.size()),
		0,
		weftMagic,
		{digest.low, digest.high}};
}

bool isObject(llvm::StringRef data)
{
	if (data.size() < sizeof(ObjectHeader) || data.size() > UINT32_MAX)
		return false;
	ObjectHeader expected = headerOf(data.drop_front(sizeof(ObjectHeader)));
	return memcmp(data.data(), &expected, sizeof(expected)) == 0;
}

std::unique_ptr<llvm::Module> readObject(const weft_bytes &input, llvm::LLVMContext &context,
					 bool lazily, std::string &log)
{
	llvm::StringRef data(static_cast<const char *>(input.data), input.size);

	if (!isObject(data)) {
		log += "error: not a compiled object or library of Weft's, or damaged\n";
		return nullptr;
	}
	llvm::MemoryBufferRef bitcode(data.drop_front(sizeof(ObjectHeader)), "object");
	auto read = lazily ? llvm::getLazyBitcodeModule(bitcode, context)
			   : llvm::parseBitcodeFile(bitcode, context);
	if (!read) {
		log += "error: " + llvm::toString(read.takeError()) + "\n";
		return nullptr;
	}
	llvm::raw_string_ostream stream(log);
	if (!lazily && llvm::verifyModule(**read, &stream))
		return nullptr;
	return std::move(*read);
}

} // namespace

namespace weft
{

void writeObject(const llvm::Module &module, llvm::SmallVectorImpl<char> &object)
{
	object.resize(sizeof(ObjectHeader));
	{
		llvm::SmallVector<char, 0> bitcode;
		llvm::raw_svector_ostream stream(bitcode);
		llvm::WriteBitcodeToFile(module, stream);
		object.append(bitcode.begin(), bitcode.end());
	}
	ObjectHeader header =
		headerOf({object.data() + sizeof(header), object.size() - sizeof(header)});
	memcpy(object.data(), &header, sizeof(header));
}

std::unique_ptr<llvm::Module> readObjectLazily(const weft_bytes &input, llvm::LLVMContext &context,
					       std::string &log)
{
	return readObject(input, context, true, log);
}

/* LLVM's linker keeps the attributes of the first declaration. Another object may be the one that says that the host has the function. */
static bool mergeObject(llvm::Module &merged, std::unique_ptr<llvm::Module> next)
{
	std::map<std::string, llvm::Attribute> hostFunctions;

	for (const llvm::Function &function : *next) {
		if (weft::isHostFunction(function))
			hostFunctions[function.getName().str()] =
				function.getFnAttribute(weft::hostFunctionAttribute);
	}
	if (llvm::Linker::linkModules(merged, std::move(next)))
		return false;
	for (const auto &[name, attribute] : hostFunctions) {
		if (llvm::Function *function = merged.getFunction(name))
			function->addFnAttr(attribute);
	}
	return true;
}

weft_status mergeObjects(const weft_bytes *inputs, size_t numInputs, llvm::LLVMContext &context,
			 std::unique_ptr<llvm::Module> &module, std::string &log)
{
	std::unique_ptr<llvm::Module> merged;

	for (size_t i = 0; i < numInputs; i++) {
		auto next = readObject(inputs[i], context, false, log);

		if (!next)
			return WEFT_INVALID_BINARY;
		if (!merged)
			merged = std::move(next);
		else if (!mergeObject(*merged, std::move(next)))
			return WEFT_BUILD_FAILED; /* the context's handler has logged why */
	}
	if (!merged)
		return WEFT_INVALID_BINARY;
	module = std::move(merged);
	return WEFT_OK;
}

} // namespace weft
