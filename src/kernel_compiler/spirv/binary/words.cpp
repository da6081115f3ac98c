/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 2.3, the physical layout of a module.
 */
#include "spirv/binary/words.h"

#include "spirv/binary/grammar.h"

#include "llvm/Support/SwapByteOrder.h"

#include <cstring>

namespace weft::spirv
{

constexpr uint32_t magic = 0x07230203, newestVersion = 0x00010600;
constexpr uint32_t highestBound = 0x400000; /* SPIR-V 2.17, universal limits */

void fail(uint32_t word, const llvm::Twine &text)
{
	throw Fault{word, text.str()};
}

llvm::StringRef Instruction::name() const
{
	const InstructionLayout *layout = layoutOf(static_cast<uint32_t>(opcode));
	return layout ? layout->name : "?";
}

void Instruction::fail(const llvm::Twine &text) const
{
	spirv::fail(word, name() + ": " + text);
}

uint64_t Instruction::literal(unsigned index, unsigned bits) const
{
	uint64_t low = literal(index);
	return bits > 32 ? low | uint64_t{literal(index + 1)} << 32 : low;
}

Id Instruction::id(unsigned index) const
{
	Id id = literal(index);
	if (id == 0 || id >= bound)
		fail("the id " + llvm::Twine(id) + " is not below the bound, or 0");
	return id;
}

llvm::StringRef Instruction::string(unsigned index, unsigned *next) const
{
	literal(index);
	const char *begin = reinterpret_cast<const char *>(operands.data() + index);
	size_t most = (operands.size() - index) * sizeof(uint32_t), length = strnlen(begin, most);
	if (length == most)
		fail("a string has no end");
	if (next)
		*next = index + static_cast<unsigned>(length / sizeof(uint32_t)) + 1;
	return {begin, length};
}

Words::Words(const void *data, size_t bytes)
{
	if (bytes < first * sizeof(uint32_t) || bytes % sizeof(uint32_t))
		fail(0, "this is no SPIR-V module: it has no whole header, or a part of a word");
	words.resize(bytes / sizeof(uint32_t));
	memcpy(words.data(), data, bytes);
	if (words.size() > UINT32_MAX)
		fail(0, "this module has more words than can be counted");
	if (words[0] == llvm::byteswap(magic)) {
		for (uint32_t &word : words)
			word = llvm::byteswap(word);
	}
	if (words[0] != magic)
		fail(0, "this is no SPIR-V module: it does not begin with the magic number");
	if (words[1] < 0x00010000 || words[1] > newestVersion || (words[1] & 0xff0000ff) != 0)
		fail(1, "this version of SPIR-V is not offered: " +
				llvm::Twine(words[1] >> 16 & 0xff) + "." +
				llvm::Twine(words[1] >> 8 & 0xff));
	if (words[3] > highestBound)
		fail(3, "the bound of ids is above " + llvm::Twine(highestBound));
	if (words[4] != 0)
		fail(4, "the schema is reserved, and must be 0");
}

/* What continues an instruction with more members than fit into one (SPV_INTEL_long_composites); OpNop: nothing. */
static spv::Op continuationOf(spv::Op opcode)
{
	switch (opcode) {
	case spv::Op::OpTypeStruct:
		return spv::Op::OpTypeStructContinuedINTEL;
	case spv::Op::OpConstantComposite:
		return spv::Op::OpConstantCompositeContinuedINTEL;
	case spv::Op::OpSpecConstantComposite:
		return spv::Op::OpSpecConstantCompositeContinuedINTEL;
	case spv::Op::OpCompositeConstruct:
		return OpCompositeConstructContinuedINTEL;
	default:
		return spv::Op::OpNop;
	}
}

/* Makes one instruction of this and those that continue it; `word` is behind it, and then behind them. */
void Words::join(uint32_t &word, Instruction &instruction) const
{
	const auto continuation = static_cast<uint32_t>(continuationOf(instruction.opcode));
	const auto continues = [&] {
		return word < words.size() && (words[word] & 0xffff) == continuation;
	};

	if (!continuation || !continues())
		return;
	std::vector<uint32_t> &operands = joined[instruction.word];
	bool isNew = operands.empty();
	if (isNew)
		operands = instruction.operands.vec();
	while (continues()) {
		uint32_t count = words[word] >> 16;
		if (count == 0 || count > words.size() - word)
			spirv::fail(word, "an instruction does not end within the module");
		if (isNew)
			operands.insert(operands.end(), &words[word] + 1, &words[word] + count);
		word += count;
	}
	instruction.operands = operands;
}

bool Words::next(uint32_t &word, Instruction &instruction) const
{
	if (word == words.size())
		return false;
	uint32_t opcode = words[word] & 0xffff, count = words[word] >> 16;
	const InstructionLayout *layout = layoutOf(opcode);
	if (!layout)
		fail(word, "there is no operation " + llvm::Twine(opcode));
	instruction.opcode = static_cast<spv::Op>(opcode);
	instruction.word = word;
	instruction.bound = words[3];
	if (count == 0 || count > words.size() - word)
		instruction.fail("it does not end within the module");
	uint32_t before = 1u + layout->hasType + layout->hasResult;
	if (count < before + layout->least || count - before > layout->most)
		instruction.fail("it has " + llvm::Twine(count) + " words, not " +
				 llvm::Twine(before + layout->least) +
				 (layout->most == layout->least ? "" : " or more"));
	instruction.operands = {&words[word] + 1, count - 1};
	instruction.type = layout->hasType ? instruction.id(0) : 0;
	instruction.result = layout->hasResult ? instruction.id(layout->hasType) : 0;
	instruction.operands = instruction.operands.drop_front(before - 1);
	word += count;
	join(word, instruction);
	return true;
}

} // namespace weft::spirv
