/* SPDX-License-Identifier: MIT
 *
 * entry-points: builds the loop over groups around a call of the kernel, inlines it, answers queries.
 */
#include "entry_points.h"

#include "argument_layout.h"
#include "internal_functions.h"
#include "item_loops.h"
#include "kernel_abi.h"
#include "subgroup_functions.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace weft
{

namespace
{

enum EntryParameter : unsigned {
	RangeParameter,
	ArgsParameter,
	ContextParameter,
	FirstGroup,
	EndGroup
};

class EntryBuilder
{
      public:
	EntryBuilder(Function &theKernel) : kernel(theKernel), builder(theKernel.getContext())
	{
	}

	void run();

      private:
	using PerDimension = Value *[3];

	void createFunction();
	LoadInst *loadInvariant(Type *type, EntryParameter base, uint64_t offset, Align align);
	void loadRange();
	SmallVector<Value *, 8> loadArguments();
	void createGroupLoop();
	void limitRuns();
	void sizeGroup();
	void advanceGroup();
	Value *answer(Query query, unsigned dimension);
	void answerQueries();

	Function &kernel;
	IRBuilder<> builder;
	Function *entry = nullptr;
	PerDimension globalOffset, globalSize, enqueuedSize, numGroups;
	PerDimension firstId, groupId, localSize;
	Value *workDim = nullptr, *localMemory = nullptr, *spillMemory = nullptr,
	      *scratchMemory = nullptr;
	BasicBlock *head = nullptr, *loop = nullptr, *exit = nullptr;
	PHINode *group = nullptr;
	/* Of kernels that fuse groups: how many neighbours along x run as one, at most and now. */
	Value *longestRun = nullptr, *runLength = nullptr;
};

/* Vectors along x that a run of groups with several rows fills at least, where nothing speaks against it. */
constexpr uint64_t longRow = 4;

void EntryBuilder::createFunction()
{
	LLVMContext &context = kernel.getContext();
	Type *pointer = builder.getPtrTy();
	Type *number = builder.getInt64Ty();
	auto *type = FunctionType::get(builder.getVoidTy(),
				       {pointer, pointer, pointer, number, number}, false);
	entry = Function::Create(type, GlobalValue::InternalLinkage, "", kernel.getParent());
	AttrBuilder attributes(context, kernel.getAttributes().getFnAttrs());
	attributes.removeAttribute(Attribute::Convergent);
	attributes.removeAttribute(Attribute::Memory);
	attributes.removeAttribute(Attribute::AlwaysInline);
	entry->addFnAttrs(attributes);
	entry->setDSOLocal(true);
	/* The body moves, and lines count only within their function. */
	entry->setSubprogram(kernel.getSubprogram());
	kernel.setSubprogram(nullptr);
	for (unsigned i : {unsigned(RangeParameter), unsigned(ArgsParameter)}) {
		entry->addParamAttr(i, Attribute::NoAlias);
		entry->addParamAttr(i, Attribute::ReadOnly);
		entry->addParamAttr(i, Attribute::NonNull);
	}
	entry->takeName(&kernel);
	kernel.setName(entry->getName() + ".group");
	head = BasicBlock::Create(context, "entry", entry);
	loop = BasicBlock::Create(context, "group", entry);
	exit = BasicBlock::Create(context, "exit", entry);
}

LoadInst *EntryBuilder::loadInvariant(Type *type, EntryParameter base, uint64_t offset, Align align)
{
	Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(),
							    entry->getArg(base), offset);
	LoadInst *load = builder.CreateAlignedLoad(type, address, align);
	load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(kernel.getContext(), {}));
	return load;
}

void EntryBuilder::loadRange()
{
	uint32_t required[3];
	readSizes(kernel, "reqd_work_group_size", required);
	auto field = [&](size_t offset, unsigned d) {
		return loadInvariant(builder.getInt64Ty(), RangeParameter, offset + 8 * d,
				     Align(8));
	};
	for (unsigned d = 0; d < 3; d++) {
		globalOffset[d] = field(offsetof(weft_ndrange, global_offset), d);
		globalSize[d] = field(offsetof(weft_ndrange, global_size), d);
		numGroups[d] = field(offsetof(weft_ndrange, num_groups), d);
		if (required[0])
			enqueuedSize[d] = builder.getInt64(required[d]);
		else
			enqueuedSize[d] = field(offsetof(weft_ndrange, local_size), d);
	}
	workDim = loadInvariant(builder.getInt32Ty(), RangeParameter,
				offsetof(weft_ndrange, work_dim), Align(4));
	Value *local = loadInvariant(builder.getPtrTy(), ContextParameter,
				     offsetof(weft_work_context, local), Align(8));
	localMemory = builder.CreateAddrSpaceCast(local, builder.getPtrTy(LocalSpace));
	spillMemory = loadInvariant(builder.getPtrTy(), ContextParameter,
				    offsetof(weft_work_context, spill), Align(8));
	scratchMemory = loadInvariant(builder.getPtrTy(), ContextParameter,
				      offsetof(weft_work_context, scratch), Align(8));
}

SmallVector<Value *, 8> EntryBuilder::loadArguments()
{
	SmallVector<Value *, 8> arguments;
	ArgumentLayout layout = layOutArguments(kernel);
	for (auto [argument, place] : zip_equal(kernel.args(), layout.places)) {
		Type *type = argument.getType();
		if (argument.hasAttribute(byValueAttribute)) {
			arguments.push_back(builder.CreateConstInBoundsGEP1_32(
				builder.getInt8Ty(), entry->getArg(ArgsParameter), place.offset));
			continue;
		}
		bool isLocal = place.kind == WEFT_ARG_LOCAL;
		Align align(isLocal ? 8 : place.align);
		Value *value = loadInvariant(isLocal ? builder.getInt64Ty() : type, ArgsParameter,
					     place.offset, align);
		if (isLocal)
			value = builder.CreateInBoundsGEP(builder.getInt8Ty(), localMemory, value);
		value->setName(argument.getName());
		arguments.push_back(value);
	}
	return arguments;
}

/* The linear number of the first group becomes three ids once; then they are counted. */
void EntryBuilder::createGroupLoop()
{
	Value *first = entry->getArg(FirstGroup);
	firstId[0] = builder.CreateURem(first, numGroups[0]);
	Value *rest = builder.CreateUDiv(first, numGroups[0]);
	firstId[1] = builder.CreateURem(rest, numGroups[1]);
	firstId[2] = builder.CreateUDiv(rest, numGroups[1]);
	SmallVector<Value *, 8> arguments = loadArguments();
	limitRuns();
	builder.CreateCondBr(builder.CreateICmpULT(first, entry->getArg(EndGroup)), loop, exit);

	builder.SetInsertPoint(loop);
	group = builder.CreatePHI(builder.getInt64Ty(), 2, "group");
	group->addIncoming(first, head);
	for (unsigned d = 0; d < 3; d++) {
		PHINode *id = builder.CreatePHI(builder.getInt64Ty(), 2, "group.id");
		id->addIncoming(firstId[d], head);
		groupId[d] = id;
	}
	sizeGroup();
	CallInst *call = builder.CreateCall(&kernel, arguments);
	call->setCallingConv(kernel.getCallingConv());
	advanceGroup();
	builder.SetInsertPoint(exit);
	builder.CreateRetVoid();
	InlineFunctionInfo info;
	InlineFunction(*call, info);
}

/* Groups of one row each follow each other as their rows do. Of others there are as many as fill vectors, and no more
 * where their rows share what they use, for it to stay in the cache as the kernel's author meant it. */
void EntryBuilder::limitRuns()
{
	if (getKernelNumber(kernel, fusesGroupsAttribute) == 0)
		return;
	uint64_t width = getKernelNumber(kernel, vectorWidthAttribute);
	bool isShort = getKernelNumber(kernel, sharesRowsAttribute) > 0;
	Value *one = builder.getInt64(1), *x = enqueuedSize[0];
	Value *log = builder.CreateSub(
		builder.getInt64(63),
		builder.CreateBinaryIntrinsic(Intrinsic::ctlz, x, builder.getTrue()));
	/* An awkward size leaves part of the last vector empty. */
	Value *isEven = builder.CreateIsNull(builder.CreateAnd(x, builder.CreateSub(x, one)));
	Value *items =
		builder.CreateSelect(isEven, builder.getInt64(isShort ? width : width * longRow),
				     builder.getInt64(width * longRow));
	Value *several = builder.CreateLShr(items, log);
	several = builder.CreateBinaryIntrinsic(Intrinsic::umax, several, one);
	Value *isOneRow =
		builder.CreateICmpEQ(builder.CreateNUWMul(enqueuedSize[1], enqueuedSize[2]), one);
	longestRun = builder.CreateSelect(isOneRow, builder.getInt64(~0ull), several);
}

/* The running group's size, or the run's: along x it ends with the range, and with the row of groups. */
void EntryBuilder::sizeGroup()
{
	auto least = [&](Value *a, Value *b) {
		return builder.CreateBinaryIntrinsic(Intrinsic::umin, a, b);
	};
	PerDimension most = {enqueuedSize[0], enqueuedSize[1], enqueuedSize[2]};
	runLength = builder.getInt64(1);
	if (longestRun) {
		Value *row = builder.CreateSub(numGroups[0], groupId[0]);
		Value *range = builder.CreateSub(entry->getArg(EndGroup), group);
		runLength = least(row, range);
		runLength = least(runLength, longestRun);
		most[0] = builder.CreateNUWMul(runLength, enqueuedSize[0]);
	}
	for (unsigned d = 0; d < 3; d++) {
		Value *left = builder.CreateSub(globalSize[d],
						builder.CreateNUWMul(groupId[d], enqueuedSize[d]));
		localSize[d] = hasFixedSize(kernel) ? most[d] : least(left, most[d]);
	}
}

void EntryBuilder::advanceGroup()
{
	Value *zero = builder.getInt64(0);
	Value *x = builder.CreateNUWAdd(groupId[0], runLength);
	Value *wrapX = builder.CreateICmpEQ(x, numGroups[0]);
	Value *y =
		builder.CreateNUWAdd(groupId[1], builder.CreateZExt(wrapX, builder.getInt64Ty()));
	Value *wrapY = builder.CreateICmpEQ(y, numGroups[1]);
	Value *z =
		builder.CreateNUWAdd(groupId[2], builder.CreateZExt(wrapY, builder.getInt64Ty()));
	cast<PHINode>(groupId[0])->addIncoming(builder.CreateSelect(wrapX, zero, x), loop);
	cast<PHINode>(groupId[1])->addIncoming(builder.CreateSelect(wrapY, zero, y), loop);
	cast<PHINode>(groupId[2])->addIncoming(z, loop);
	Value *nextGroup = builder.CreateNUWAdd(group, runLength);
	group->addIncoming(nextGroup, loop);
	builder.CreateCondBr(builder.CreateICmpULT(nextGroup, entry->getArg(EndGroup)), loop, exit);
	markSingleLoop(*loop);
}

Value *EntryBuilder::answer(Query query, unsigned dimension)
{
	switch (query) {
	case Query::GroupId:
		return groupId[dimension];
	case Query::NumGroups:
		return numGroups[dimension];
	case Query::GlobalSize:
		return globalSize[dimension];
	case Query::GlobalOffset:
		return globalOffset[dimension];
	case Query::LocalSize:
		return localSize[dimension];
	case Query::EnqueuedLocalSize:
		return enqueuedSize[dimension];
	case Query::WorkDim:
		return workDim;
	case Query::Context:
		return entry->getArg(ContextParameter);
	case Query::LocalMemory:
		return localMemory;
	case Query::SpillMemory:
		return spillMemory;
	case Query::ScratchMemory:
		return scratchMemory;
	case Query::LocalId:
	case Query::GlobalId:
		break; /* fuse-groups and work-item-loops left none */
	}
	return builder.getInt64(0);
}

void EntryBuilder::answerQueries()
{
	for (Instruction &instruction : make_early_inc_range(instructions(entry))) {
		std::optional<Query> query = queryOf(instruction);
		if (!query)
			continue;
		Value *result;
		if (!takesDimension(*query)) {
			result = answer(*query, 0);
		} else if (auto *number = dyn_cast<ConstantInt>(instruction.getOperand(0))) {
			result = answer(*query,
					unsigned(std::min<uint64_t>(number->getZExtValue(), 2)));
		} else {
			builder.SetInsertPoint(&instruction);
			result = answer(*query, 2);
			for (unsigned d = 2; d-- > 0;)
				result = builder.CreateSelect(
					builder.CreateICmpEQ(instruction.getOperand(0),
							     builder.getInt32(d)),
					answer(*query, d), result);
		}
		instruction.replaceAllUsesWith(result);
		instruction.eraseFromParent();
	}
}

void EntryBuilder::run()
{
	createFunction();
	builder.SetInsertPoint(head);
	loadRange();
	createGroupLoop();
	answerQueries();
	kernel.replaceAllUsesWith(entry);
	kernel.eraseFromParent();
}

} // namespace

PreservedAnalyses EntryPointsPass::run(Module &module, ModuleAnalysisManager &)
{
	for (Function &function : make_early_inc_range(module)) {
		if (isKernel(function))
			EntryBuilder(function).run();
	}
	for (Function &function : make_early_inc_range(module)) {
		bool internal = function.getName() == barrierName || queryOfFunction(function) ||
				subgroupFunctionOf(function);
		if (internal && function.use_empty())
			function.eraseFromParent();
	}
	return PreservedAnalyses::none();
}

} // namespace weft
