/* SPDX-License-Identifier: MIT
 *
 * What is known of a function while its body is read.
 */
#ifndef WEFT_SPIRV_FUNCTION_READER_H
#define WEFT_SPIRV_FUNCTION_READER_H

#include "spirv/module/module_reader.h"

namespace weft::spirv
{

class FunctionReader
{
      public:
	FunctionReader(ModuleReader &module, llvm::Function &function);

	ModuleReader &module;
	llvm::Function &function;
	llvm::IRBuilder<> builder;

	/* What an operand is; each fails when it is nothing of the kind. */
	Value value(const Instruction &user, unsigned index);
	Value valueOf(const Instruction &user, Id id);
	/* Of any type: for what copies it. */
	llvm::Value *movedOperand(const Instruction &user, unsigned index)
	{
		return value(user, index).value;
	}
	/* For what computes with it, which bfloat16 does not allow. */
	llvm::Value *operand(const Instruction &user, unsigned index);
	const Type &typeOperand(const Instruction &user, unsigned index) const
	{
		return module.type(user, user.id(index));
	}
	const Type &resultType(const Instruction &user) const
	{
		return module.resultType(user);
	}
	/* The value of an operand that is an integer constant. */
	uint64_t constant(const Instruction &user, unsigned index) const
	{
		return module.constant(user, user.id(index));
	}

	/* Gives an instruction's result its value, which must have the result's type. */
	void define(const Instruction &instruction, llvm::Value *value);

	/* A call of a function that the built-in functions' library or another module defines. */
	llvm::CallInst *call(llvm::StringRef name, llvm::Type *result,
			     llvm::ArrayRef<llvm::Value *> arguments);

	/* An alloca in the function's first block. */
	llvm::AllocaInst *allocate(const Instruction &user, llvm::Type *type);
	/* Before what leaves the block that stands before the first. */
	llvm::Instruction *entry() const
	{
		return entryEnd;
	}

	/* The whole body, from the word of its first label on. */
	void readBody(const FunctionInfo &info);
	/* One instruction that is no label and ends no block. */
	void readInstruction(const Instruction &instruction);

	/* Of OpLoopMerge, for the branches that lead back to the block. */
	void setLoopControl(llvm::MDNode *control)
	{
		loopControls[current->entry] = control;
	}

	/* The block of a label; control_flow.cpp alone asks. */
	llvm::BasicBlock *block(const Instruction &user, unsigned index);
	void addPhi(const Instruction &instruction, llvm::PHINode *phi);
	/* The last instruction has ended the block. */
	void endBlock()
	{
		current->exit = builder.GetInsertBlock();
		current = nullptr;
	}

      private:
	struct Block {
		llvm::BasicBlock *entry = nullptr, *exit = nullptr;
	};
	struct Phi {
		Instruction instruction;
		llvm::PHINode *phi;
	};

	Value samplerOf(const Instruction &user, const Instruction &sampler);
	void makeBlocks(uint32_t word);
	void beginBlock(const Instruction &label);
	void fillPhi(const Phi &phi);
	void checkDominance();
	[[noreturn]] void failDominance(const llvm::Value &value);
	bool readLine(const Instruction &instruction);
	bool readDebug(const Instruction &instruction);
	void readDebugVariable(const DebugInstruction &placing);
	llvm::DILocalScope *debugScopeOf(Id id, unsigned depth);
	llvm::DILocalScope *debugScope() const;
	void attachLoopControls();
	void setFlags(const Instruction &instruction);

	llvm::DenseMap<Id, Value> values;
	llvm::DenseMap<Id, Block> blocks;
	llvm::SmallVector<Phi, 0> phis;
	llvm::DenseMap<Id, llvm::Value *> builtinCopies;
	llvm::DenseMap<Id, llvm::DILocalScope *> debugBlocks;
	llvm::DILocalScope *currentScope = nullptr;  /* of DebugScope */
	const DebugInstruction *described = nullptr; /* the DebugFunction of this function */
	llvm::DenseMap<llvm::BasicBlock *, llvm::MDNode *> loopControls;
	llvm::FastMathFlags flags; /* of the build's options */
	uint32_t bodyWord = 0;     /* of OpFunction */
	Block *current = nullptr;  /* NULL: between blocks */
	/* What leaves the block before the first, where allocas stand; NULL: there is none. */
	llvm::Instruction *entryEnd = nullptr;
};

/* Fails for a value of so many parts that no code is made for it. */
void checkParts(const Instruction &user, const Type &type);

/* How an access of memory is made. */
struct MemoryOperands {
	bool isVolatile = false;
	bool isNontemporal = false;
	llvm::MaybeAlign alignment;
	llvm::MDNode *aliasScope = nullptr, *noAlias = nullptr;

	void apply(llvm::Instruction &access) const;
};

/* Those at `index`, which then is behind them; none when there is no operand. */
MemoryOperands readMemoryOperands(const FunctionReader &function, const Instruction &instruction,
				  unsigned &index);

} // namespace weft::spirv

#endif
