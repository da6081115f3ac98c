/* SPDX-License-Identifier: MIT
 *
 * split-vectors: reductions by hand, the rest by LLVM's scalarizer.
 */
#include "width/split_vectors.h"

#include "functions/internal_functions.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>

#include <optional>

using namespace llvm;

namespace weft
{

namespace
{

std::optional<Instruction::BinaryOps> reductionOf(Intrinsic::ID id)
{
	switch (id) {
	case Intrinsic::vector_reduce_add:
		return Instruction::Add;
	case Intrinsic::vector_reduce_mul:
		return Instruction::Mul;
	case Intrinsic::vector_reduce_and:
		return Instruction::And;
	case Intrinsic::vector_reduce_or:
		return Instruction::Or;
	case Intrinsic::vector_reduce_xor:
		return Instruction::Xor;
	default:
		return std::nullopt;
	}
}

/* Reductions of the kernel's own vectors, element by element. */
void expandReductions(Function &kernel)
{
	for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
		auto *call = dyn_cast<IntrinsicInst>(&instruction);
		if (!call || call->arg_size() != 1 || !call->getType()->isIntegerTy())
			continue;
		auto *type = dyn_cast<FixedVectorType>(call->getArgOperand(0)->getType());
		std::optional<Instruction::BinaryOps> opcode = reductionOf(call->getIntrinsicID());
		if (!type || !opcode)
			continue;
		IRBuilder<> builder(call);
		Value *vector = call->getArgOperand(0);
		Value *result = builder.CreateExtractElement(vector, uint64_t(0));
		for (uint64_t i = 1; i < type->getNumElements(); i++)
			result = builder.CreateBinOp(*opcode, result,
						     builder.CreateExtractElement(vector, i));
		call->replaceAllUsesWith(result);
		call->eraseFromParent();
	}
}

/* What depends on some values, through private arrays too. Which way work-items take to it does not count. */
class Dependants
{
      public:
	void add(const Value &value)
	{
		if (found.insert(&value).second)
			work.push_back(&value);
	}

	void follow()
	{
		while (!work.empty()) {
			for (const User *user : work.pop_back_val()->users())
				addUser(*user);
		}
	}

	bool contains(const Value &value) const
	{
		return found.contains(&value);
	}

      private:
	void addUser(const User &user)
	{
		const auto *store = dyn_cast<StoreInst>(&user);
		if (!store)
			add(user);
		else if (const auto *array = dyn_cast<AllocaInst>(
				 getUnderlyingObject(store->getPointerOperand())))
			add(*array);
	}

	DenseSet<const Value *> found;
	SmallVector<const Value *, 32> work;
};

bool isIdAlongX(const CallInst &query)
{
	const auto *dimension = dyn_cast<ConstantInt>(query.getArgOperand(0));
	return !dimension || dimension->isZero();
}

bool givesVector(const Instruction &instruction)
{
	return instruction.getType()->isVectorTy() &&
	       (isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst, LoadInst>(
			instruction) ||
		(isa<CallBase>(instruction) && !queryOf(instruction)));
}

/* Whether the kernel computes vectors that are the same for work-items that follow each other along x, and others elsewhere or in the next
 * iteration of a loop: what is the same for the whole range is computed once. */
bool computesSharedVectors(const Function &kernel)
{
	Dependants alongX, others;

	for (const Instruction &instruction : instructions(kernel)) {
		const std::optional<Query> query = queryOf(instruction);
		if (query == Query::LocalId || query == Query::GlobalId)
			(isIdAlongX(cast<CallInst>(instruction)) ? alongX : others)
				.add(instruction);
		else if (instruction.isAtomic())
			alongX.add(instruction);
		else if (query == Query::GroupId || isa<LoadInst>(instruction))
			others.add(instruction);
	}
	alongX.follow();
	others.follow();
	return any_of(instructions(kernel), [&](const Instruction &instruction) {
		return givesVector(instruction) && others.contains(instruction) &&
		       !alongX.contains(instruction);
	});
}

} // namespace

PreservedAnalyses SplitVectorsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function))
		return PreservedAnalyses::all();
	if (computesSharedVectors(function))
		setKernelNumber(function, splitVectorsAttribute, 1);
	expandReductions(function);
	ScalarizerPassOptions options;
	options.ScalarizeVariableInsertExtract = true;
	options.ScalarizeLoadStore = true;
	return ScalarizerPass(options).run(function, analyses);
}

} // namespace weft
