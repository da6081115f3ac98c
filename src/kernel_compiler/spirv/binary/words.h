/* SPDX-License-Identifier: MIT
 *
 * A module as a stream of words: its header, and its instructions one after the other. Each instruction is complete, and has
 * as many words as the grammar says. All other code asks an instruction for its operands, and gets none that is not there.
 */
#ifndef WEFT_SPIRV_WORDS_H
#define WEFT_SPIRV_WORDS_H

#include "spirv/binary/newer_enumerants.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <map>
#include <string>
#include <vector>

namespace weft::spirv
{

using Id = uint32_t;

/* What is wrong with a module. The files of this folder alone are compiled with exceptions: so no reader of an instruction goes
 * on with an operand that is not there. readSpirv catches it. No function of LLVM stands between. */
struct Fault {
	uint32_t word; /* where the instruction begins */
	std::string text;
};

[[noreturn]] void fail(uint32_t word, const llvm::Twine &text);

class Instruction
{
      public:
	spv::Op opcode = spv::Op::OpNop;
	uint32_t word = 0;                 /* its offset in the module */
	Id type = 0;                       /* the type of its result; 0: it has none */
	Id result = 0;                     /* 0: it has none */
	llvm::ArrayRef<uint32_t> operands; /* those behind type and result */

	unsigned size() const
	{
		return static_cast<unsigned>(operands.size());
	}

	/* The name of the operation. */
	llvm::StringRef name() const;

	[[noreturn]] void fail(const llvm::Twine &text) const;

	/* `rule` says what is not so. */
	void require(bool holds, const llvm::Twine &rule) const
	{
		if (!holds)
			fail(rule);
	}

	uint32_t literal(unsigned index) const
	{
		if (index >= operands.size())
			fail("an operand is missing");
		return operands[index];
	}

	/* A literal of as many bits, the low word first. */
	uint64_t literal(unsigned index, unsigned bits) const;

	template <typename Enum> Enum enumerant(unsigned index) const
	{
		return static_cast<Enum>(literal(index));
	}

	Id id(unsigned index) const;

	/* A literal string; `next` gets the index of the operand behind it. */
	llvm::StringRef string(unsigned index, unsigned *next = nullptr) const;

	uint32_t bound = 0; /* all ids are below */
};

class Words
{
      public:
	/* Copies the words in this machine's byte order, and checks the header. */
	Words(const void *data, size_t bytes);

	uint32_t version() const
	{
		return words[1];
	}

	/* The instruction at `word`, which then is behind it; false at the end. */
	bool next(uint32_t &word, Instruction &instruction) const;

	static constexpr uint32_t first = 5; /* behind the header */

      private:
	void join(uint32_t &word, Instruction &instruction) const;

	std::vector<uint32_t> words;
	/* The operands of instructions that others continue, by their words. */
	mutable std::map<uint32_t, std::vector<uint32_t>> joined;
};

} // namespace weft::spirv

#endif
