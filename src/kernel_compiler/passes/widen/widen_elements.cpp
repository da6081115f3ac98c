/* SPDX-License-Identifier: MIT
 *
 * widen-elements: the elements become the work-items of an item loop, over arrays on the stack that SROA makes vectors again.
 */
#include "widen/widen_elements.h"

#include "functions/element_functions.h"
#include "functions/internal_functions.h"
#include "ir/item_loops.h"
#include "ir/variables.h"
#include "lanes/loop_forms.h"
#include "widen/body_copy.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

using namespace llvm;

namespace weft
{

namespace
{

unsigned elementsOf(const Type &vector)
{
	return cast<FixedVectorType>(vector).getNumElements();
}

/* The new body of an element function: an item loop over its elements. */
class ElementLoop
{
      public:
	explicit ElementLoop(Function &theFunction)
	    : function(theFunction), scalar(*scalarOf(function)),
	      lanes(unsigned(PowerOf2Ceil(elementsOf(*function.getReturnType())))),
	      builder(function.getContext())
	{
	}

	unsigned numLanes() const
	{
		return lanes;
	}

	/* In place of the body. */
	void make()
	{
		BasicBlock *old = &function.front();
		auto *entry = newBlock("entry"), *header = newBlock("element");
		auto *latch = newBlock("next"), *after = newBlock("after");
		entry->moveBefore(old);
		old->eraseFromParent();
		builder.SetInsertPoint(entry);
		SmallVector<Value *, 4> places;
		for (Argument &argument : function.args())
			places.push_back(storeArgument(argument));
		AllocaInst *result = newVariable(*function.getReturnType());
		builder.CreateBr(header);
		CallInst *call = makeLoop({entry, header, latch, after}, places, *result);
		builder.SetInsertPoint(after);
		Value *all = builder.CreateLoad(arrayType(*function.getReturnType()), result);
		builder.CreateRet(resized(all, lanes, elementsOf(*function.getReturnType())));
		InlineFunctionInfo info;
		InlineFunction(*call, info, true);
	}

      private:
	struct Blocks {
		BasicBlock *entry, *header, *latch, *after;
	};

	BasicBlock *newBlock(const Twine &name)
	{
		return BasicBlock::Create(function.getContext(), name, &function);
	}

	Type *arrayType(const Type &vector) const
	{
		return FixedVectorType::get(vector.getScalarType(), lanes);
	}

	/* All elements', not one's own. */
	AllocaInst *newVariable(const Type &vector)
	{
		BasicBlock &entry = function.getEntryBlock();
		auto *variable = IRBuilder<>(&entry, entry.begin()).CreateAlloca(arrayType(vector));
		variable->setMetadata(uniformMetadata, MDNode::get(function.getContext(), {}));
		return variable;
	}

	/* Lanes that no element is in have the first one's number. */
	Value *resized(Value *vector, unsigned from, unsigned count)
	{
		if (from == count)
			return vector;
		SmallVector<int, 16> numbers;
		for (unsigned i = 0; i < count; i++)
			numbers.push_back(i < from ? int(i) : 0);
		return builder.CreateShuffleVector(vector, numbers);
	}

	/* A scalar argument is its own place. */
	Value *storeArgument(Argument &argument)
	{
		if (!argument.getType()->isVectorTy())
			return &argument;
		AllocaInst *variable = newVariable(*argument.getType());
		builder.CreateStore(resized(&argument, elementsOf(*argument.getType()), lanes),
				    variable);
		return variable;
	}

	Value *loadElement(Type &type, Value *place, Value &number)
	{
		if (!type.isVectorTy())
			return place;
		Type *element = type.getScalarType();
		return builder.CreateLoad(element,
					  builder.CreateInBoundsGEP(element, place, &number));
	}

	/* Returns the call of the scalar function. */
	CallInst *makeLoop(const Blocks &blocks, ArrayRef<Value *> places, AllocaInst &result)
	{
		builder.SetInsertPoint(blocks.header);
		PHINode *number = builder.CreatePHI(builder.getInt64Ty(), 2, "number");
		SmallVector<Value *, 4> elements;
		for (auto [place, argument] : zip_equal(places, function.args()))
			elements.push_back(loadElement(*argument.getType(), place, *number));
		CallInst *call = builder.CreateCall(&scalar, elements);
		call->setCallingConv(scalar.getCallingConv());
		builder.CreateStore(call,
				    builder.CreateInBoundsGEP(call->getType(), &result, number));
		builder.CreateBr(blocks.latch);

		builder.SetInsertPoint(blocks.latch);
		Value *next = builder.CreateNUWAdd(number, builder.getInt64(1));
		builder.CreateCondBr(builder.CreateICmpULT(next, builder.getInt64(lanes)),
				     blocks.header, blocks.after);
		number->addIncoming(builder.getInt64(0), blocks.entry);
		number->addIncoming(next, blocks.latch);
		markItemLoop(*blocks.latch);
		return call;
	}

	Function &function;
	Function &scalar;
	unsigned lanes;
	IRBuilder<> builder;
};

/* The marked loop becomes one iteration of all lanes. Returns whether it could. */
bool widenLoop(Function &function, unsigned lanes, FunctionAnalysisManager &analyses)
{
	BasicBlock &latch = *markedLatches(function).front();
	straightenLoops(function, analyses);
	DominatorTree dominators(function);
	LoopInfo loops(dominators);
	SmallVector<ItemLoop, 4> items = prepareItemLoops(function, dominators, loops);
	analyses.invalidate(function, PreservedAnalyses::none());
	unmarkItemLoop(latch);
	if (items.empty())
		return false;
	const WideningTarget target(function, loops, dominators, analyses);
	const LaneShapes shapes(items.front(), loops, dominators, lanes);
	WideVariables variables;
	BodyCopy copy;
	if (!copy.make(items.front(), shapes, {}, target, false, variables))
		return false;
	copy.widener->createWhole();
	const DominatorTree after(function);
	SmallVector<AllocaInst *, 16> temporary;
	copy.widener->finish(after, temporary);
	DominatorTree now(function);
	PromoteMemToReg(temporary, now);
	return true;
}

/* A loop that is not widened stays one. */
void widenBody(Function &function, FunctionAnalysisManager &analyses)
{
	ElementLoop loop(function);
	loop.make();
	widenLoop(function, loop.numLanes(), analyses);
	EliminateUnreachableBlocks(function);
	analyses.invalidate(function, PreservedAnalyses::none());
	SROAPass(SROAOptions::ModifyCFG).run(function, analyses);
	analyses.invalidate(function, PreservedAnalyses::none());
	EarlyCSEPass().run(function, analyses);
	analyses.invalidate(function, PreservedAnalyses::none());
}

void inlineCalls(ArrayRef<Function *> callees)
{
	for (Function *callee : callees) {
		for (User *user : make_early_inc_range(callee->users())) {
			auto *call = dyn_cast<CallInst>(user);
			InlineFunctionInfo info;
			if (call && call->getCalledFunction() == callee &&
			    getKernelNumber(*call->getFunction(), elementCallsAttribute) > 0)
				InlineFunction(*call, info, true);
		}
	}
}

} // namespace

PreservedAnalyses WidenElementsPass::run(Module &module, ModuleAnalysisManager &managers)
{
	auto &analyses =
		managers.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
	SmallVector<Function *, 8> called;
	for (Function &function : module) {
		if (!function.isDeclaration() && !function.use_empty() && scalarOf(function))
			called.push_back(&function);
	}
	if (called.empty())
		return PreservedAnalyses::all();
	for (Function *function : called)
		widenBody(*function, analyses);
	inlineCalls(called);
	return PreservedAnalyses::none();
}

} // namespace weft
