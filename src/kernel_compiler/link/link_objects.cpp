/* SPDX-License-Identifier: MIT
 *
 * Storing and merging modules. Nothing here trusts an input: the digest finds damage, LLVM's reader
 * and verifier the rest, and all of it runs contained.
 */
#include "link/link_objects.h"

#include "ir/internal_functions.h"
#include "ir/source_place.h"
#include "kernel_abi.h"
#include "link/unavailable_kernels.h"

extern "C" {
#include "digest.h"
}

#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstring>

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

bool isSuppliedLater(const llvm::Function &function)
{
	llvm::StringRef name = function.getName();

	/* Functions that the device lacks: no kernel that needs them is left (unavailable_kernels.h). */
	return function.isIntrinsic() || name.starts_with("__weft_") || name == "printf" ||
	       name == weft::samplerInitialiser || weft::isUnavailable(function);
}

/* OpenCL C's vectors have up to 16 elements, and optimisers work on longer ones; Clang's extension takes any. */
constexpr unsigned maxVectorElements = 256;
/* Bytes of all variables, and of those that are not zero at the start. The former must be in reach of a
 * 32-bit offset. */
constexpr uint64_t maxVariables = uint64_t{1} << 30;
constexpr uint64_t maxInitialised = uint64_t{64} << 20;

/* The place of a declaration, or of what uses one that Clang has made. */
std::string placeOfUse(const llvm::GlobalValue &value)
{
	std::string place = weft::placeOf(value);

	for (const llvm::User *user : value.users()) {
		auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
		if (place.empty() && instruction)
			place = weft::placeOf(*instruction->getFunction());
	}
	return place;
}

/* Bytes. Of variables that work-items or groups have: their memory begins, and is divided, at multiples of it. Of others: more
 * would be a waste of address space. */
constexpr uint64_t maxAlignment = WEFT_KERNEL_ALIGNMENT;
constexpr uint64_t maxSharedAlignment = uint64_t{1} << 16;

/* What a variable's alignment may be; a line in the log if it is less than what was asked for. */
llvm::Align boundedAlignment(const llvm::GlobalValue &owner, llvm::Align asked, uint64_t most,
			     std::string &log)
{
	if (asked.value() <= most)
		return asked;
	log += placeOfUse(owner) + "warning: in '" + weft::readableName(owner.getName()) +
	       "' an alignment of " + std::to_string(asked.value()) + " bytes becomes one of " +
	       std::to_string(most) + "\n";
	return llvm::Align(most);
}

void boundVariables(llvm::Function &function, std::string &log)
{
	for (llvm::Instruction &instruction : llvm::instructions(function)) {
		auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
		if (variable)
			variable->setAlignment(boundedAlignment(function, variable->getAlign(),
								maxAlignment, log));
	}
	for (llvm::Argument &argument : function.args()) {
		llvm::MaybeAlign align = argument.getParamAlign();
		if (!align || align->value() <= maxAlignment)
			continue;
		llvm::Align bounded = boundedAlignment(function, *align, maxAlignment, log);
		argument.removeAttr(llvm::Attribute::Alignment);
		argument.addAttr(llvm::Attribute::getWithAlignment(function.getContext(), bounded));
	}
}

bool isTooWide(const llvm::Type *type)
{
	auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);

	return vector && vector->getNumElements() > maxVectorElements;
}

bool hasWideVector(const llvm::Function &function)
{
	for (const llvm::BasicBlock &block : function) {
		for (const llvm::Instruction &instruction : block) {
			if (isTooWide(instruction.getType()))
				return true;
			for (const llvm::Value *operand : instruction.operands()) {
				if (isTooWide(operand->getType()))
					return true;
			}
		}
	}
	return false;
}

/* __builtin_alloca() of what is known only when the kernel runs, or in a loop: the stack has no room for that. */
bool hasUnboundedVariable(const llvm::Function &function)
{
	return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction &instruction) {
		auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
		return variable && !variable->isStaticAlloca();
	});
}

bool isInOneGroup(const llvm::GlobalVariable &variable)
{
	return variable.getAddressSpace() == 3; /* local: the runtime knows its limit */
}

} // namespace

namespace weft
{

std::string readableName(llvm::StringRef name)
{
	static constexpr llvm::StringRef spaces[] = {"", "global ", "constant ", "local ",
						     "generic "};
	name.consume_front(weft::kernelBodyPrefix); /* Clang's, of a kernel's body */
	std::string text = llvm::demangle(name);

	for (size_t i = 1; i < std::size(spaces); i++) {
		std::string mark = "AS" + std::to_string(i);
		for (size_t at; (at = text.find(mark)) != std::string::npos;)
			text.replace(at, mark.size(), spaces[i].rtrim().str());
	}
	return text;
}

bool checkSizes(const llvm::Module &module, std::string &log)
{
	uint64_t variables = 0, initialised = 0;

	for (const llvm::GlobalVariable &variable : module.globals()) {
		if (variable.isDeclaration() || isInOneGroup(variable))
			continue;
		uint64_t size = module.getDataLayout().getTypeAllocSize(variable.getValueType());
		size = std::min(size, maxVariables + 1); /* sums cannot wrap */
		variables += size;
		initialised += variable.getInitializer()->isNullValue() ? 0 : size;
		if (variables > maxVariables || initialised > maxInitialised) {
			log += (placeOf(variable) + "error: program-scope variable '" +
				variable.getName() + "' is too large\n")
				       .str();
			return false;
		}
	}
	for (const llvm::Function &function : module) {
		if (hasWideVector(function)) {
			log += placeOf(function) + "error: a vector in '" +
			       readableName(function.getName()) + "' has too many elements\n";
			return false;
		}
		if (hasUnboundedVariable(function)) {
			log += placeOf(function) + "error: '" + readableName(function.getName()) +
			       "' calls __builtin_alloca for memory without a fixed size\n";
			return false;
		}
	}
	return true;
}

void boundAlignments(llvm::Module &module, std::string &log)
{
	for (llvm::GlobalVariable &variable : module.globals()) {
		if (llvm::MaybeAlign align = variable.getAlign())
			variable.setAlignment(boundedAlignment(
				variable, *align,
				isInOneGroup(variable) ? maxAlignment : maxSharedAlignment, log));
	}
	for (llvm::Function &function : module)
		boundVariables(function, log);
}

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
		else if (llvm::Linker::linkModules(*merged, std::move(next)))
			return WEFT_BUILD_FAILED; /* the context's handler has logged why */
	}
	if (!merged)
		return WEFT_INVALID_BINARY;
	module = std::move(merged);
	return WEFT_OK;
}

bool checkAllDefined(const llvm::Module &module, std::string &log)
{
	bool complete = true;

	for (const llvm::Function &function : module) {
		if (!function.isDeclaration() || function.use_empty() || isSuppliedLater(function))
			continue;
		log += placeOfUse(function) + "error: undefined function '" +
		       readableName(function.getName()) + "'\n";
		complete = false;
	}
	for (const llvm::GlobalVariable &variable : module.globals()) {
		if (!variable.isDeclaration() || variable.use_empty())
			continue;
		log += (placeOfUse(variable) + "error: undefined variable '" + variable.getName() +
			"'\n")
			       .str();
		complete = false;
	}
	return complete;
}

} // namespace weft
