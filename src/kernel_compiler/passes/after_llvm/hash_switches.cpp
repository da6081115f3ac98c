/* SPDX-License-Identifier: MIT
 *
 * hash-switches: some bits of the number, or of a product of it, are its place in a table with room for four times as many.
 */
#include "after_llvm/hash_switches.h"

#include "ir/far_numbers.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <optional>
#include <vector>

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned leastCases = 9;
constexpr unsigned mostCases = 16384;
constexpr unsigned mostCompared = 4; /* one after the other */
/* The table has at least so many places for each number, and less than twice as many, so that LLVM makes a jump table of it. */
constexpr unsigned room = 4;
/* So many where bits of the number are an address's, for an entry of so many bytes. */
constexpr unsigned directRoom = 8, entryBytes = 16;
/* Values that may be moved for phis before an indirect branch, whichever way it takes. */
constexpr unsigned mostMoved = 4;
/* At most one number in so many may have to be looked for elsewhere. */
constexpr size_t fewOthers = 6;
constexpr uint64_t mixing = 0x9e3779b97f4a7c15; /* odd, its bits without a pattern */

/* Where the numbers of a switch are. */
class HashTable
{
      public:
	/* The place with the fewest others; no table: no bits tell the numbers apart well enough. */
	static std::optional<HashTable> of(ArrayRef<uint64_t> numbers);
	/* The place is the lowest bits but those that all numbers lack, which are what is left of an entry's address. */
	static std::optional<HashTable> directly(ArrayRef<uint64_t> numbers);

	uint64_t factor = 1;
	unsigned shift = 0, placeBits = 0;
	std::vector<std::optional<size_t>> place; /* which number is there */
	std::vector<size_t> others;               /* numbers whose place another one has */

	uint64_t mask() const
	{
		return (uint64_t(1) << placeBits) - 1;
	}

      private:
	void fill(ArrayRef<uint64_t> numbers);
};

void HashTable::fill(ArrayRef<uint64_t> numbers)
{
	place.assign(mask() + 1, std::nullopt);
	others.clear();
	for (auto [index, number] : enumerate(numbers)) {
		std::optional<size_t> &at = place[number * factor >> shift & mask()];
		if (at)
			others.push_back(index);
		else
			at = index;
	}
}

std::optional<HashTable> HashTable::of(ArrayRef<uint64_t> numbers)
{
	HashTable table;
	table.placeBits = Log2_64_Ceil(numbers.size() * room);
	for (uint64_t factor : {uint64_t(1), mixing}) {
		HashTable best;
		size_t fewest = numbers.size();
		table.factor = factor;
		for (table.shift = 0; fewest > 0 && table.shift + table.placeBits <= 64;
		     table.shift++) {
			table.fill(numbers);
			if (table.others.size() < fewest) {
				best = table;
				fewest = table.others.size();
			}
		}
		if (fewest * fewOthers <= numbers.size())
			return best;
	}
	return std::nullopt;
}

std::optional<HashTable> HashTable::directly(ArrayRef<uint64_t> numbers)
{
	HashTable table;
	table.placeBits = Log2_64_Ceil(numbers.size() * directRoom);
	table.shift = Log2_32(entryBytes);
	if (any_of(numbers, [](uint64_t number) { return number % entryBytes != 0; }))
		return std::nullopt;
	table.fill(numbers);
	if (table.others.size() * fewOthers > numbers.size())
		return std::nullopt;
	return table;
}

bool isHashed(const SwitchInst &choice)
{
	const unsigned cases = choice.getNumCases();
	return cases >= leastCases && cases <= mostCases && isFarApart(choice);
}

/* LLVM would have each number in an instruction of its own, of ten bytes, before the comparison. */
bool isCompared(const SwitchInst &choice)
{
	return choice.getNumCases() > 1 && choice.getNumCases() <= mostCompared &&
	       choice.getCondition()->getType()->isIntegerTy(64) && isFarApart(choice) &&
	       all_of(choice.cases(), [](const auto &row) {
		       return !isInt<32>(row.getCaseValue()->getSExtValue());
	       });
}

GlobalVariable *createTable(Module &module, ArrayRef<uint64_t> values)
{
	Constant *contents = ConstantDataArray::get(module.getContext(), values);
	auto *table = new GlobalVariable(module, contents->getType(), true,
					 GlobalValue::PrivateLinkage, contents, "weft.hash");
	table->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
	return table;
}

Value *loadFrom(IRBuilder<> &builder, GlobalVariable *table, Value *index)
{
	return builder.CreateLoad(builder.getInt64Ty(),
				  builder.CreateInBoundsGEP(table->getValueType(), table,
							    {builder.getInt64(0), index}));
}

/* The place that the table has for the number, which may be another number's. */
Value *findPlace(IRBuilder<> &builder, const HashTable &table, Value *number)
{
	if (table.factor != 1)
		number = builder.CreateMul(number, builder.getInt64(table.factor));
	return builder.CreateAnd(builder.CreateLShr(number, table.shift), table.mask());
}

/* The number of each place; of an empty one the first number, which has another place. */
Value *numberAt(IRBuilder<> &builder, const HashTable &table, ArrayRef<uint64_t> numbers,
		Value *place)
{
	SmallVector<uint64_t, 32> row;
	for (std::optional<size_t> index : table.place)
		row.push_back(numbers[index.value_or(0)]);
	return loadFrom(builder, createTable(*builder.GetInsertBlock()->getModule(), row), place);
}

/* Ways that led from `before` lead from blocks of `now`, as their branches say. */
void moveEdges(BasicBlock &target, const BasicBlock &before, ArrayRef<BasicBlock *> now)
{
	for (PHINode &phi : target.phis()) {
		Value *value = phi.getIncomingValueForBlock(&before);
		while (phi.getBasicBlockIndex(&before) >= 0)
			phi.removeIncomingValue(&before, false);
		for (BasicBlock *block : now) {
			for (BasicBlock *successor : successors(block)) {
				if (successor == &target)
					phi.addIncoming(value, block);
			}
		}
	}
}

SmallVector<BasicBlock *, 32> targetsOf(const SwitchInst &choice)
{
	SmallVector<BasicBlock *, 32> targets;
	for (const auto &row : choice.cases())
		targets.push_back(const_cast<BasicBlock *>(row.getCaseSuccessor()));
	return targets;
}

/* Comparisons with numbers in memory, one after the other. */
void compareInTurn(SwitchInst &choice, ArrayRef<uint64_t> numbers)
{
	BasicBlock &block = *choice.getParent();
	Function &function = *block.getParent();
	BasicBlock *otherwise = choice.getDefaultDest();
	SmallVector<BasicBlock *, 32> targets = targetsOf(choice);
	GlobalVariable *table = createTable(*function.getParent(), numbers);
	Value *number = choice.getCondition();
	choice.eraseFromParent();
	SmallVector<BasicBlock *, 4> now = {&block};
	for (auto [index, target] : enumerate(targets)) {
		IRBuilder<> builder(now.back());
		const bool isLast = index + 1 == targets.size();
		BasicBlock *next = isLast ? otherwise
					  : BasicBlock::Create(block.getContext(), "", &function,
							       now.back()->getNextNode());
		Value *there = loadFrom(builder, table, builder.getInt64(index));
		builder.CreateCondBr(builder.CreateICmpEQ(number, there), target, next);
		if (!isLast)
			now.push_back(next);
	}
	targets.push_back(otherwise);
	for (BasicBlock *target : SmallSetVector<BasicBlock *, 32>(targets.begin(), targets.end()))
		moveEdges(*target, block, now);
}

/* In the place of a switch: the number is compared with that of its place, and then one of two ways is taken. */
class HashedSwitch
{
      public:
	HashedSwitch(SwitchInst &theChoice, const HashTable &theTable,
		     ArrayRef<uint64_t> theNumbers)
	    : choice(theChoice), table(theTable), numbers(theNumbers),
	      block(*theChoice.getParent()), otherwise(theChoice.getDefaultDest()),
	      targets(targetsOf(theChoice)), builder(&theChoice)
	{
	}

	/* Returns what is left: a switch over numbers whose places others have, or NULL. */
	SwitchInst *run(bool isDirect);

      private:
	void branchDirectly(Value *number);
	void branchByPlace(Value *number);
	BasicBlock *compare(Value *number, Value *there);
	bool movesFew() const;
	Constant *addressOf(BasicBlock *target, bool isLanding);

	SwitchInst &choice;
	const HashTable &table;
	ArrayRef<uint64_t> numbers;
	BasicBlock &block;
	BasicBlock *otherwise;
	const SmallVector<BasicBlock *, 32> targets;
	IRBuilder<> builder;
	SmallVector<BasicBlock *, 3> now = {&block};
	SmallMapVector<BasicBlock *, BasicBlock *, 32> landings; /* of targets */
	SwitchInst *rest = nullptr;
};

/* Returns the block for a number that is its place's. The other way is the rest. */
BasicBlock *HashedSwitch::compare(Value *number, Value *there)
{
	LLVMContext &context = block.getContext();
	Function &function = *block.getParent();
	BasicBlock *found = BasicBlock::Create(context, "", &function, block.getNextNode());
	now.push_back(found);
	if (!table.others.empty()) {
		now.push_back(BasicBlock::Create(context, "", &function, found->getNextNode()));
		IRBuilder<> last(now.back());
		rest = last.CreateSwitch(number, otherwise, unsigned(table.others.size()));
		for (size_t index : table.others)
			rest->addCase(last.getInt64(numbers[index]), targets[index]);
	}
	builder.CreateCondBr(builder.CreateICmpEQ(number, there), found,
			     rest ? now.back() : otherwise,
			     MDBuilder(context).createLikelyBranchWeights());
	choice.eraseFromParent();
	builder.SetInsertPoint(found);
	return found;
}

void HashedSwitch::branchByPlace(Value *number)
{
	LLVMContext &context = block.getContext();
	BasicBlock *never = BasicBlock::Create(context, "", block.getParent());
	new UnreachableInst(context, never);
	Value *place = findPlace(builder, table, number);
	compare(number, numberAt(builder, table, numbers, place));
	SwitchInst *dense = builder.CreateSwitch(place, never, unsigned(targets.size()));
	for (auto [at, index] : enumerate(table.place)) {
		if (index || at == 0) /* from 0 on, so that LLVM subtracts nothing */
			dense->addCase(builder.getInt64(at), targets[index.value_or(0)]);
	}
}

/* Whether the phis of all targets together take few values. */
bool HashedSwitch::movesFew() const
{
	SmallPtrSet<const Value *, 8> values;
	for (BasicBlock *target : targets) {
		for (PHINode &phi : target->phis())
			values.insert(phi.getIncomingValueForBlock(&block));
	}
	return values.size() <= mostMoved;
}

/* With a landing, what the target's phis take is moved on the way there. */
Constant *HashedSwitch::addressOf(BasicBlock *target, bool isLanding)
{
	BasicBlock *&landing = landings[target];
	if (!landing && (!isLanding || !isa<PHINode>(target->front()))) {
		landing = target;
	} else if (!landing) {
		landing = BasicBlock::Create(block.getContext(), "", block.getParent(), target);
		IRBuilder<>(landing).CreateBr(target);
		now.push_back(landing);
	}
	return BlockAddress::get(landing);
}

/* The number's lowest bits are the place of an entry with a number and the address of its target: a wrong prediction of the branch is
 * known as soon as that of a jump table's is. */
void HashedSwitch::branchDirectly(Value *number)
{
	Module &module = *block.getModule();
	auto *type = StructType::get(builder.getInt64Ty(), builder.getPtrTy());
	const bool isLanding = !movesFew();
	SmallVector<Constant *, 64> entries;
	for (std::optional<size_t> index : table.place)
		entries.push_back(ConstantStruct::get(
			type, {builder.getInt64(numbers[index.value_or(0)]),
			       index ? addressOf(targets[*index], isLanding)
				     : ConstantPointerNull::get(builder.getPtrTy())}));
	Constant *contents = ConstantArray::get(ArrayType::get(type, entries.size()), entries);
	auto *rows = new GlobalVariable(module, contents->getType(), true,
					GlobalValue::PrivateLinkage, contents, "weft.hash");
	rows->setAlignment(Align(entryBytes));
	Value *offset = builder.CreateAnd(number, table.mask() * entryBytes);
	Value *entry = builder.CreateInBoundsGEP(builder.getInt8Ty(), rows, offset);
	compare(number, builder.CreateLoad(builder.getInt64Ty(), entry));
	Value *place =
		builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), entry, sizeof(uint64_t));
	IndirectBrInst *branch = builder.CreateIndirectBr(
		builder.CreateLoad(builder.getPtrTy(), place), unsigned(landings.size()));
	for (const auto &[target, landing] : landings)
		branch->addDestination(landing);
}

SwitchInst *HashedSwitch::run(bool isDirect)
{
	Value *number = builder.CreateZExt(choice.getCondition(), builder.getInt64Ty());
	if (isDirect)
		branchDirectly(number);
	else
		branchByPlace(number);
	SmallSetVector<BasicBlock *, 32> all(targets.begin(), targets.end());
	all.insert(otherwise);
	for (BasicBlock *target : all)
		moveEdges(*target, block, now);
	return rest;
}

/* Where a branch to an address is worth it: on CPUs that predict branches. */
bool branchesDirectly(const Module &module)
{
	return module.getTargetTriple().isX86();
}

/* Numbers of a switch to places of a table, if they are told apart well enough. The rest is a switch, or NULL. */
std::optional<SwitchInst *> hashSwitch(SwitchInst &choice, ArrayRef<uint64_t> numbers)
{
	if (branchesDirectly(*choice.getModule())) {
		if (const std::optional<HashTable> table = HashTable::directly(numbers))
			return HashedSwitch(choice, *table, numbers).run(true);
	}
	if (const std::optional<HashTable> table = HashTable::of(numbers))
		return HashedSwitch(choice, *table, numbers).run(false);
	return std::nullopt;
}

} // namespace

PreservedAnalyses HashSwitchesPass::run(Module &module, ModuleAnalysisManager &)
{
	SmallVector<SwitchInst *, 4> choices;
	for (Function &function : module) {
		for (BasicBlock &block : function) {
			auto *choice = dyn_cast<SwitchInst>(block.getTerminator());
			if (choice && (isHashed(*choice) || isCompared(*choice)))
				choices.push_back(choice);
		}
	}
	bool changed = false;
	while (!choices.empty()) {
		SwitchInst *choice = choices.pop_back_val();
		SmallVector<uint64_t, 32> numbers;
		for (const auto &row : choice->cases())
			numbers.push_back(row.getCaseValue()->getZExtValue());
		if (!isHashed(*choice)) {
			compareInTurn(*choice, numbers);
			changed = true;
			continue;
		}
		const std::optional<SwitchInst *> rest = hashSwitch(*choice, numbers);
		if (rest && *rest && (isHashed(**rest) || isCompared(**rest)))
			choices.push_back(*rest);
		changed |= rest.has_value();
	}
	return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace weft
