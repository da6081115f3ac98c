/* SPDX-License-Identifier: MIT
 *
 * entry-points: builds the loop over groups around a call of the kernel, inlines it, answers queries.
 */
#include "finish/entry_points.h"

#include "finish/inline_kernel.h"
#include "finish/item_tiles.h"
#include "finish/updated_copies.h"
#include "functions/internal_functions.h"
#include "functions/subgroup_functions.h"
#include "ir/atomic_updates.h"
#include "ir/integer_builders.h"
#include "ir/item_loops.h"
#include "kernel/apart.h"
#include "kernel/argument_layout.h"
#include "kernel/swapped_dimension.h"
#include "kernel_abi.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace weft
{

namespace
{

class EntryBuilder
{
      public:
	EntryBuilder(Function &theKernel)
	    : kernel(theKernel),
	      along(getKernelNumber(theKernel, groupsAlongYAttribute) > 0 ? 1 : 0),
	      builder(theKernel.getContext())
	{
	}

	void run();

      private:
	using PerDimension = std::array<Value *, 3>;

	void createFunction();
	LoadInst *load(Type *type, EntryParameter base, uint64_t offset, MaybeAlign align = {});
	void loadRange();
	Value *argumentOf(const Argument &argument, const ArgumentPlace &place);
	void loadArguments();
	void findFirstGroup();
	void createGroupLoop(bool coalesces, bool isLast);
	void createTiles();
	CallInst *callKernel();
	void createGroupLoops();
	Value *limitRuns();
	void startRow();
	void startGroup();
	Value *sizeAlong(unsigned dimension, Value *most);
	void endGroup();
	void endRow();
	Value *answer(Query query, unsigned dimension);
	void answerQueries();

	Function &kernel;
	/* The dimension along which groups follow each other, in rows: x, or y. */
	const unsigned along;
	IRBuilder<> builder;
	Function *entry = nullptr;
	PerDimension globalOffset, globalSize, enqueuedSize, numGroups;
	PerDimension firstId, groupId, firstItem, localSize;
	Value *workDim = nullptr, *apart = nullptr, *localMemory = nullptr, *spillMemory = nullptr,
	      *scratchMemory = nullptr, *cycleMemory = nullptr;
	SmallVector<Value *, 8> arguments;
	/* Of what is only updated (privatize-updates). */
	SmallVector<CountersCopy, 2> copies;
	/* before → row → the loop over a row's groups → row end → the next row or exit */
	BasicBlock *before = nullptr, *row = nullptr, *loop = nullptr, *rowEnd = nullptr,
		   *exit = nullptr;
	PHINode *group = nullptr, *rowId[3];          /* with which a row begins */
	Value *rowLength = nullptr, *endId = nullptr; /* in groups; along the row */
	/* For kernels that coalesce groups: how many neighbours along x run as one, at most and in this iteration. */
	Value *longestRun = nullptr, *runLength = nullptr;
};

/* Vectors along x that a run of groups with several rows fills at least, if the groups' size is awkward. */
constexpr uint64_t longRow = 4;
/* Work-items of a run of groups whose rows use memory of their own: rows of memory are read best from end to end. What
 * neighbouring rows both use, as in a stencil, stays in the core's cache. */
constexpr uint64_t mostOfRun = 65536;

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
	entry->addParamAttrs(ContextParameter, AttrBuilder(context).addAttribute(contextAttribute));
	entry->takeName(&kernel);
	kernel.setName(entry->getName() + ".group");
	builder.SetInsertPoint(BasicBlock::Create(context, "entry", entry));
	exit = BasicBlock::Create(context, "exit", entry);
}

LoadInst *EntryBuilder::load(Type *type, EntryParameter base, uint64_t offset, MaybeAlign align)
{
	return loadInvariant(builder, type, entry->getArg(base), offset, align);
}

void EntryBuilder::loadRange()
{
	uint32_t required[3];
	readSizes(kernel, "reqd_work_group_size", required);
	auto field = [&](size_t offset, unsigned d) {
		return load(builder.getInt64Ty(), RangeParameter,
			    offset + 8 * sourceDimension(kernel, d));
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
	workDim = load(builder.getInt32Ty(), RangeParameter, offsetof(weft_ndrange, work_dim));
	apart = builder.CreateIsNotNull(
		load(builder.getInt32Ty(), RangeParameter, offsetof(weft_ndrange, apart)));
	/* Of its space from the start: a cast would show LLVM's alias analysis a private pointer (address_space_alias.h). */
	localMemory = load(builder.getPtrTy(LocalSpace), ContextParameter,
			   offsetof(weft_work_context, local));
	spillMemory =
		load(builder.getPtrTy(), ContextParameter, offsetof(weft_work_context, spill));
	scratchMemory =
		load(builder.getPtrTy(), ContextParameter, offsetof(weft_work_context, scratch));
	cycleMemory =
		load(builder.getPtrTy(), ContextParameter, offsetof(weft_work_context, cycles));
}

Value *EntryBuilder::argumentOf(const Argument &argument, const ArgumentPlace &place)
{
	Type *type = argument.getType();
	if (argument.hasAttribute(byValueAttribute) || place.kind == WEFT_ARG_IMAGE)
		return builder.CreatePointerBitCastOrAddrSpaceCast(
			builder.CreateConstInBoundsGEP1_32(
				builder.getInt8Ty(), entry->getArg(ArgsParameter), place.offset),
			type);
	bool isLocal = place.kind == WEFT_ARG_LOCAL;
	Align align(isLocal ? 8 : place.align);
	LoadInst *loaded =
		load(isLocal ? builder.getInt64Ty() : type, ArgsParameter, place.offset, align);
	Value *value = loaded;
	if (isLocal) {
		loaded->setMetadata(localArgumentMetadata, MDNode::get(kernel.getContext(), {}));
		value = builder.CreateInBoundsGEP(builder.getInt8Ty(), localMemory, loaded);
	}
	value->setName(argument.getName());
	return value;
}

void EntryBuilder::loadArguments()
{
	ArgumentLayout layout = layOutArguments(kernel);
	for (auto [argument, place] : zip_equal(kernel.args(), layout.places)) {
		arguments.push_back(argumentOf(argument, place));
		std::optional<UpdatedCopy> kind = updatedCopyOf(argument);
		if (!kind)
			continue;
		/* The kernel has the copy's address for the argument. */
		copies.push_back(createCopy(builder, *arguments.back(), *kind));
		arguments.back() = copies.back().own;
	}
}

/* The linear number of the first group becomes three ids once; then they are counted. */
void EntryBuilder::findFirstGroup()
{
	Value *first = entry->getArg(FirstGroup);
	firstId[along] = builder.CreateURem(first, numGroups[along]);
	Value *rest = builder.CreateUDiv(first, numGroups[along]);
	firstId[1 - along] = builder.CreateURem(rest, numGroups[1 - along]);
	firstId[2] = builder.CreateUDiv(rest, numGroups[1 - along]);
}

/* The loops over groups, at the builder's place. `isLast`: no others follow. */
void EntryBuilder::createGroupLoop(bool coalesces, bool isLast)
{
	LLVMContext &context = kernel.getContext();
	Value *first = entry->getArg(FirstGroup);
	longestRun = coalesces ? limitRuns() : nullptr;
	before = builder.GetInsertBlock();
	row = BasicBlock::Create(context, "group.row", entry, exit);
	loop = BasicBlock::Create(context, "group", entry, exit);
	rowEnd = BasicBlock::Create(context, "group.row.end", entry, exit);
	builder.CreateCondBr(builder.CreateICmpULT(first, entry->getArg(EndGroup)), row, exit);
	startRow();
	startGroup();
	CallInst *call = callKernel();
	endGroup();
	endRow();
	inlineKernel(*call, isLast);
	answerQueries();
}

CallInst *EntryBuilder::callKernel()
{
	CallInst *call = builder.CreateCall(&kernel, arguments);
	call->setCallingConv(kernel.getCallingConv());
	return call;
}

/* Loops over tiles of work-items, at the builder's place. */
void EntryBuilder::createTiles()
{
	const GroupRange groups = {entry->getArg(FirstGroup),
				   entry->getArg(EndGroup),
				   firstId,
				   numGroups,
				   enqueuedSize,
				   globalSize};
	const TileSize size = chooseTileSize(builder, groups, limitRuns(), kernel);
	ItemTiles tiles(builder, groups, size, *exit);
	groupId = {};
	firstItem = tiles.firstItem;
	localSize = tiles.localSize;
	CallInst *call = callKernel();
	tiles.close();
	inlineKernel(*call, true);
	answerQueries();
}

/* The loops for all groups; or some for groups of one work-item along x, which are coalesced, and some for others. */
void EntryBuilder::createGroupLoops()
{
	uint64_t coalescing = getKernelNumber(kernel, coalescedGroupsAttribute);
	if (runsInTiles(kernel)) {
		createTiles();
		return;
	}
	if (coalescing != CoalescesSingle) {
		createGroupLoop(coalescing == CoalescesAll, true);
		return;
	}
	LLVMContext &context = kernel.getContext();
	Value *size = enqueuedSize[0], *one = builder.getInt64(1);
	auto *single = BasicBlock::Create(context, "single.items", entry, exit);
	auto *several = BasicBlock::Create(context, "several.items", entry, exit);
	builder.CreateCondBr(builder.CreateICmpEQ(size, one), single, several);
	builder.SetInsertPoint(several);
	createGroupLoop(false, false);
	builder.SetInsertPoint(single);
	enqueuedSize[0] = one;
	createGroupLoop(true, true);
}

/* Groups of one row each follow each other as their rows do. Of others there are as many as fill long rows; or as fill
 * vectors where their rows share what they use, for it to stay in the cache as the kernel's author meant it. */
Value *EntryBuilder::limitRuns()
{
	uint64_t width = getKernelNumber(kernel, vectorWidthAttribute);
	bool counts = getKernelNumber(kernel, flagsAttribute) & WEFT_KERNEL_COUNTS_CYCLES;
	bool isShort = getKernelNumber(kernel, sharesRowsAttribute) > 0;
	Value *one = builder.getInt64(1), *x = enqueuedSize[0];
	Value *rows = builder.CreateNUWMul(enqueuedSize[1], enqueuedSize[2]);
	Value *isOneRow = builder.CreateICmpEQ(rows, one);
	if (counts) { /* the host wants to know groups from each other, and has room for so many work-items */
		Value *most = builder.CreateUDiv(builder.getInt64(WEFT_CYCLES_MIN), x);
		most = builder.CreateBinaryIntrinsic(Intrinsic::umax, most, one);
		return builder.CreateSelect(isOneRow, most, one);
	}
	Value *fewItems = builder.getInt64(width * longRow), *items;
	if (isShort) { /* an awkward size leaves part of the last vector empty */
		Value *isEven =
			builder.CreateIsNull(builder.CreateAnd(x, builder.CreateSub(x, one)));
		items = builder.CreateSelect(isEven, builder.getInt64(width), fewItems);
	} else {
		items = builder.CreateLShr(builder.getInt64(mostOfRun), logOf(builder, rows));
		items = builder.CreateBinaryIntrinsic(Intrinsic::umax, items, fewItems);
	}
	Value *several = builder.CreateLShr(items, logOf(builder, x));
	several = builder.CreateBinaryIntrinsic(Intrinsic::umax, several, one);
	return builder.CreateSelect(isOneRow, builder.getInt64(~0ull), several);
}

/* Computes what is equal for all groups of a row. */
void EntryBuilder::startRow()
{
	builder.SetInsertPoint(row);
	group = builder.CreatePHI(builder.getInt64Ty(), 2, "group");
	group->addIncoming(entry->getArg(FirstGroup), before);
	for (unsigned d = 0; d < 3; d++) {
		rowId[d] = builder.CreatePHI(builder.getInt64Ty(), 2, "group.id");
		rowId[d]->addIncoming(firstId[d], before);
		groupId[d] = rowId[d];
	}
	rowLength = least(builder, builder.CreateSub(numGroups[along], rowId[along]),
			  builder.CreateSub(entry->getArg(EndGroup), group));
	endId = builder.CreateNUWAdd(rowId[along], rowLength);
	for (unsigned d : {1 - along, 2u}) {
		firstItem[d] = builder.CreateNUWMul(groupId[d], enqueuedSize[d]);
		localSize[d] = sizeAlong(d, enqueuedSize[d]);
	}
	builder.CreateBr(loop);
}

/* A group, or a run of groups: it ends with the range, and with the row of groups. */
void EntryBuilder::startGroup()
{
	builder.SetInsertPoint(loop);
	PHINode *id = builder.CreatePHI(builder.getInt64Ty(), 2, "group.id");
	id->addIncoming(rowId[along], row);
	groupId[along] = id;
	runLength = builder.getInt64(1);
	if (longestRun)
		runLength = least(builder, builder.CreateSub(endId, id), longestRun);
	firstItem[along] = builder.CreateNUWMul(id, enqueuedSize[along]);
	localSize[along] = sizeAlong(along, builder.CreateNUWMul(runLength, enqueuedSize[along]));
}

/* That of the running groups: so many work-items, or as many as are left. */
Value *EntryBuilder::sizeAlong(unsigned dimension, Value *most)
{
	if (hasFixedSize(kernel))
		return most;
	return least(builder, builder.CreateSub(globalSize[dimension], firstItem[dimension]), most);
}

void EntryBuilder::endGroup()
{
	Value *next = builder.CreateNUWAdd(groupId[along], runLength);
	cast<PHINode>(groupId[along])->addIncoming(next, loop);
	builder.CreateCondBr(builder.CreateICmpULT(next, endId), loop, rowEnd);
	markSingleLoop(*loop);
}

void EntryBuilder::endRow()
{
	builder.SetInsertPoint(rowEnd);
	Value *zero = builder.getInt64(0);
	const unsigned across = 1 - along;
	Value *id = builder.CreateNUWAdd(rowId[across], builder.getInt64(1));
	Value *wraps = builder.CreateICmpEQ(id, numGroups[across]);
	Value *layer = builder.CreateZExt(wraps, builder.getInt64Ty());
	rowId[along]->addIncoming(zero, rowEnd);
	rowId[across]->addIncoming(builder.CreateSelect(wraps, zero, id), rowEnd);
	rowId[2]->addIncoming(builder.CreateNUWAdd(rowId[2], layer), rowEnd);
	Value *next = builder.CreateNUWAdd(group, rowLength);
	group->addIncoming(next, rowEnd);
	builder.CreateCondBr(builder.CreateICmpULT(next, entry->getArg(EndGroup)), row, exit);
	markSingleLoop(*rowEnd);
}

Value *EntryBuilder::answer(Query query, unsigned dimension)
{
	switch (query) {
	case Query::GroupId:
		assert(groupId[dimension] && "work-items of a tile may be of several groups");
		return groupId[dimension];
	case Query::FirstItem:
		return firstItem[dimension];
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
	case Query::CycleMemory:
		return cycleMemory;
	case Query::LocalId:
	case Query::GlobalId:
		break; /* coalesce-work-groups and work-item-loops left none */
	}
	return builder.getInt64(0);
}

void EntryBuilder::answerQueries()
{
	for (Instruction &instruction : make_early_inc_range(instructions(entry))) {
		std::optional<Query> query = queryOf(instruction);
		const bool asksApart = isApart(instruction);
		if (!query && !asksApart)
			continue;
		Value *result;
		if (asksApart) {
			result = apart;
		} else if (!takesDimension(*query)) {
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
	loadRange();
	findFirstGroup();
	loadArguments();
	createGroupLoops();
	builder.SetInsertPoint(exit);
	for (const CountersCopy &copy : copies)
		applyCopy(builder, copy);
	builder.CreateRetVoid();
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
		bool internal = function.getName() == barrierName ||
				function.getName() == meetingName || queryOfFunction(function) ||
				subgroupFunctionOf(function);
		if (internal && function.use_empty())
			function.eraseFromParent();
	}
	return PreservedAnalyses::none();
}

} // namespace weft
