/* SPDX-License-Identifier: MIT
 *
 * add-item-parameters: callees first. What a function's new parameters are given is asked for in its callers, which are looked at
 * later, so that it becomes parameters of these in turn, up to the kernels.
 */
#include "calls/add_item_parameters.h"

#include "functions/added_parameters.h"
#include "functions/image_functions.h"
#include "functions/internal_functions.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>

using namespace llvm;

namespace weft
{

namespace
{

/* What a parameter is: a local variable; or the answer to a query, by its number and the dimension. */
struct Item {
	GlobalVariable *variable;
	unsigned query = 0, dimension = 0;

	std::tuple<GlobalVariable *, unsigned, unsigned> key() const
	{
		return {variable, query, dimension};
	}
	Type *type(Module &module) const
	{
		return variable ? variable->getType()
				: declareQuery(module, Query(query))->getReturnType();
	}
	bool isContext() const
	{
		return !variable && Query(query) == Query::Context;
	}
};

constexpr unsigned numDimensions = 3;

bool staysCall(const Function &function)
{
	return !function.isDeclaration() && !isKernel(function) && !runsOnce(function) &&
	       function.hasFnAttribute(Attribute::NoInline);
}

/* Whether a later pass makes a call of the host of it (callHost). */
bool callsHost(const CallBase &call)
{
	const Function *callee = call.getCalledFunction();
	return callee && (imageAccessOf(*callee) || needsContext(*callee));
}

/* A function, or several that call each other: finds what they ask for, and each gets a parameter for each. */
class ItemFunctions
{
      public:
	explicit ItemFunctions(ArrayRef<Function *> theFunctions)
	    : functions(theFunctions), module(*theFunctions.front()->getParent())
	{
		for (Function *function : functions)
			for (Instruction &instruction : instructions(*function))
				find(instruction);
	}

	void run()
	{
		if (items.empty())
			return;
		SmallVector<Type *, 8> types;
		for (auto &[key, item] : items)
			types.push_back(item.type(module));
		for (Function *function : functions) {
			Function &made = addParameters(*function, types);
			setAttributes(made);
			replacements[function] = &made;
			passed[&made] = parametersOf(made);
		}
		for (Use *use : variables) {
			Function &made = *cast<Instruction>(use->getUser())->getFunction();
			use->set(parameter(made, {cast<GlobalVariable>(use->get())}));
		}
		for (auto [call, query] : queries)
			answer(*call, query, *call->getFunction());
		for (auto &[function, made] : replacements) {
			replaceCalls(*function, *made);
			function->eraseFromParent();
		}
	}

      private:
	void add(Item item)
	{
		items.insert({item.key(), item});
	}

	void find(Instruction &instruction)
	{
		for (Use &use : instruction.operands()) {
			auto *variable = dyn_cast<GlobalVariable>(use);
			if (!variable || variable->getAddressSpace() != LocalSpace)
				continue;
			add({variable});
			variables.push_back(&use);
		}
		auto *call = dyn_cast<CallInst>(&instruction);
		if (!call)
			return;
		if (callsHost(*call))
			add({nullptr, unsigned(Query::Context)});
		std::optional<Query> query = queryOf(instruction);
		if (!query)
			return;
		queries.push_back({call, *query});
		if (!takesDimension(*query))
			add({nullptr, unsigned(*query)});
		else
			add({nullptr, unsigned(*query),
			     dimensionOf(*cast<ConstantInt>(call->getArgOperand(0)))});
	}

	static unsigned dimensionOf(const ConstantInt &number)
	{
		return unsigned(number.getValue().getLimitedValue(numDimensions - 1));
	}

	Argument *parameter(Function &made, const Item &item) const
	{
		auto place = items.find(item.key());
		return made.getArg(firstOf(made) + unsigned(place - items.begin()));
	}

	unsigned firstOf(const Function &made) const
	{
		return unsigned(made.arg_size() - items.size());
	}

	SmallVector<Value *, 8> parametersOf(Function &made) const
	{
		SmallVector<Value *, 8> values;
		for (unsigned i = firstOf(made); i < made.arg_size(); i++)
			values.push_back(made.getArg(i));
		return values;
	}

	void setAttributes(Function &made) const
	{
		for (auto &[key, item] : items) {
			if (item.variable)
				made.setMemoryEffects(made.getMemoryEffects() |
						      MemoryEffects::argMemOnly());
			if (item.isContext()) {
				made.setMemoryEffects(MemoryEffects::unknown());
				parameter(made, item)
					->addAttr(Attribute::get(module.getContext(),
								 itemContextAttribute));
			}
		}
	}

	void answer(CallInst &call, Query asked, Function &made) const
	{
		const auto query = unsigned(asked);
		Value *result = nullptr;
		if (!takesDimension(asked)) {
			result = parameter(made, {nullptr, query});
		} else {
			auto *number = cast<ConstantInt>(call.getArgOperand(0));
			result = parameter(made, {nullptr, query, dimensionOf(*number)});
		}
		call.replaceAllUsesWith(result);
		call.eraseFromParent();
	}

	/* Asks for all items at the beginning of a caller. */
	SmallVector<Value *, 8> askIn(Function &caller) const
	{
		IRBuilder<> builder(&caller.getEntryBlock(),
				    caller.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
		SmallVector<Value *, 8> values;
		for (auto &[key, item] : items) {
			if (item.variable)
				values.push_back(item.variable);
			else
				values.push_back(
					createQuery(builder, Query(item.query), item.dimension));
		}
		return values;
	}

	void replaceCalls(Function &function, Function &made)
	{
		for (User *user : make_early_inc_range(function.users())) {
			auto &call = *cast<CallInst>(user);
			Function *caller = call.getFunction();
			auto [known, isNew] = passed.try_emplace(caller);
			if (isNew)
				known->second = askIn(*caller);
			replaceCall(call, made, known->second);
		}
	}

	ArrayRef<Function *> functions;
	Module &module;
	MapVector<std::tuple<GlobalVariable *, unsigned, unsigned>, Item> items;
	SmallVector<Use *, 8> variables; /* uses of local variables */
	SmallVector<std::pair<CallInst *, Query>, 8> queries;
	MapVector<Function *, Function *> replacements;
	DenseMap<Function *, SmallVector<Value *, 8>> passed; /* by the caller */
};

/* Callees before callers; those that call each other are together. */
SmallVector<SmallVector<Function *, 1>, 16> calledFunctions(Module &module)
{
	SmallVector<SmallVector<Function *, 1>, 16> called;
	if (none_of(module, staysCall))
		return called;
	CallGraph graph(module);
	for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
		SmallVector<Function *, 1> functions;
		for (const CallGraphNode *node : *component) {
			Function *function = node->getFunction();
			if (function && staysCall(*function))
				functions.push_back(function);
		}
		if (!functions.empty())
			called.push_back(std::move(functions));
	}
	return called;
}

/* Local variables are operands of instructions, not of other constants. */
void expandLocalConstants(Module &module)
{
	SmallVector<Constant *, 8> variables;
	for (GlobalVariable &variable : module.globals()) {
		if (variable.getAddressSpace() == LocalSpace)
			variables.push_back(&variable);
	}
	convertUsersOfConstantsToInstructions(variables);
}

/* A dimension may be another one for each work-item: what is asked for then is of all dimensions, which are constants. */
bool chooseDimension(CallInst &call, Query query)
{
	Value *asked = call.getArgOperand(0);
	if (isa<ConstantInt>(asked))
		return false;
	IRBuilder<> builder(&call);
	Value *answers[numDimensions];
	for (unsigned dimension = 0; dimension < numDimensions; dimension++)
		answers[dimension] = createQuery(builder, query, dimension);
	Value *result = answers[numDimensions - 1];
	for (unsigned dimension = numDimensions - 1; dimension-- > 0;)
		result = builder.CreateSelect(
			builder.CreateICmpEQ(asked, builder.getInt32(dimension)),
			answers[dimension], result);
	call.replaceAllUsesWith(result);
	call.eraseFromParent();
	return true;
}

bool chooseDimensions(Module &module)
{
	bool hasChanged = false;
	for (Function &function : module) {
		for (Instruction &instruction : make_early_inc_range(instructions(function))) {
			const std::optional<Query> query = queryOf(instruction);
			if (query && takesDimension(*query))
				hasChanged |= chooseDimension(cast<CallInst>(instruction), *query);
		}
	}
	return hasChanged;
}

} // namespace

PreservedAnalyses AddItemParametersPass::run(Module &module, ModuleAnalysisManager &)
{
	const bool hasChosen = chooseDimensions(module);
	const auto called = calledFunctions(module);
	if (called.empty())
		return hasChosen ? PreservedAnalyses::none() : PreservedAnalyses::all();
	expandLocalConstants(module);
	for (ArrayRef<Function *> functions : called)
		ItemFunctions(functions).run();
	return PreservedAnalyses::none();
}

} // namespace weft
