/* SPDX-License-Identifier: MIT
 *
 * The body of a function: its blocks, and what holds between them (SPIR-V 2.16.1, universal validation rules).
 */
#include "spirv/functions/function_reader.h"

#include "spirv/functions/instruction_readers.h"
#include "spirv/module/source_lines.h"

#include "llvm/IR/Dominators.h"

namespace weft::spirv
{

/* Flags of arithmetic that the build's options set. */
static llvm::FastMathFlags flagsOf(const BuildOptions &options)
{
	llvm::FastMathFlags flags;

	if (options.fastRelaxedMath)
		flags.setFast();
	if (options.unsafeMath || options.madEnable)
		flags.setAllowContract();
	if (options.unsafeMath) {
		flags.setAllowReassoc();
		flags.setAllowReciprocal();
		flags.setApproxFunc();
	}
	if (options.unsafeMath || options.noSignedZeros)
		flags.setNoSignedZeros();
	if (options.finiteMathOnly) {
		flags.setNoNaNs();
		flags.setNoInfs();
	}
	return flags;
}

FunctionReader::FunctionReader(ModuleReader &of, llvm::Function &into)
    : module(of), function(into), builder(of.context), flags(flagsOf(of.options))
{
}

void checkParts(const Instruction &user, const Type &type)
{
	user.require(type.leaves <= mostPartsOfValue,
		     "a value has more than " + llvm::Twine(mostPartsOfValue) + " parts");
}

Value FunctionReader::value(const Instruction &user, unsigned index)
{
	return valueOf(user, user.id(index));
}

Value FunctionReader::valueOf(const Instruction &user, Id id)
{
	if (auto found = values.find(id); found != values.end())
		return found->second;
	if (const Instruction *sampler = module.constantSampler(id))
		return samplerOf(user, *sampler);
	if (!module.isBuiltinVariable(id)) {
		Value constant = module.value(user, id);
		checkParts(user, *constant.type);
		return constant;
	}
	user.require(entryEnd, "a built-in variable is no constant");
	const Instruction &variable = module.builtinVariable(id);
	llvm::Value *&copy = builtinCopies[id];
	if (!copy)
		copy = makeBuiltinVariable(*this, variable);
	return {copy, &module.resultType(variable)};
}

/* A constant sampler is made once in each function that uses it. */
Value FunctionReader::samplerOf(const Instruction &user, const Instruction &sampler)
{
	user.require(entryEnd, "a sampler makes no constant");
	const Type &type = module.resultType(sampler);
	sampler.require(type.is(Type::Sampler), "its type is not OpTypeSampler");
	llvm::IRBuilder<>::InsertPointGuard guard(builder);
	builder.SetInsertPoint(entryEnd);
	Value made = {makeConstantSampler(*this, sampler), &type};
	values[sampler.result] = made;
	return made;
}

llvm::Value *FunctionReader::operand(const Instruction &user, unsigned index)
{
	Value value = this->value(user, index);

	user.require(!value.type->isOf(Type::Bfloat),
		     "an operand is a bfloat16, which is only moved and converted");
	return value.value;
}

void FunctionReader::define(const Instruction &instruction, llvm::Value *value)
{
	const Type &type = resultType(instruction);

	if (value->getType() != type.llvm)
		instruction.fail("what it makes is not of the type of its result");
	checkParts(instruction, type);
	values[instruction.result] = {value, &type};
}

llvm::CallInst *FunctionReader::call(llvm::StringRef name, llvm::Type *result,
				     llvm::ArrayRef<llvm::Value *> arguments)
{
	llvm::SmallVector<llvm::Type *, 8> types;

	for (llvm::Value *argument : arguments)
		types.push_back(argument->getType());
	llvm::CallInst *call = builder.CreateCall(module.declare(name, result, types), arguments);
	call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
	call->setConvergent();
	call->setDoesNotThrow();
	return call;
}

llvm::AllocaInst *FunctionReader::allocate(const Instruction &user, llvm::Type *type)
{
	user.require(entryEnd, "a variable is no constant");
	llvm::IRBuilder<> entry(entryEnd);
	return entry.CreateAlloca(type);
}

llvm::BasicBlock *FunctionReader::block(const Instruction &user, unsigned index)
{
	auto found = blocks.find(user.id(index));
	if (found == blocks.end())
		user.fail("the id " + llvm::Twine(user.id(index)) +
			  " is no block of this function");
	return found->second.entry;
}

void FunctionReader::addPhi(const Instruction &instruction, llvm::PHINode *phi)
{
	phis.push_back({instruction, phi});
}

void FunctionReader::makeBlocks(uint32_t word)
{
	Instruction instruction;

	while (module.words.next(word, instruction) &&
	       instruction.opcode != spv::Op::OpFunctionEnd) {
		if (instruction.opcode == spv::Op::OpLabel)
			blocks[instruction.result].entry =
				llvm::BasicBlock::Create(module.context, "", &function);
	}
}

void FunctionReader::beginBlock(const Instruction &label)
{
	label.require(!current, "the block before has no end");
	current = &blocks.find(label.result)->second;
	builder.SetInsertPoint(current->entry);
}

/* Gives a phi a value for each edge that leads to its block. */
void FunctionReader::fillPhi(const Phi &phi)
{
	const Instruction &instruction = phi.instruction;
	llvm::DenseMap<llvm::BasicBlock *, unsigned> edges;
	llvm::DenseSet<llvm::BasicBlock *> seen;

	uint64_t all = 0;
	for (llvm::BasicBlock *before : llvm::predecessors(phi.phi->getParent())) {
		edges[before]++;
		all++;
	}
	/* LLVM's phi has a value for each edge of a switch, SPIR-V's one for them all. */
	module.multiply(instruction, all - edges.size());
	instruction.require(instruction.size() % 2 == 0, "a value has no block");
	for (unsigned i = 0; i < instruction.size(); i += 2) {
		block(instruction, i + 1);
		llvm::BasicBlock *before = blocks.find(instruction.id(i + 1))->second.exit;
		llvm::Value *value = movedOperand(instruction, i);
		instruction.require(value->getType() == phi.phi->getType(),
				    "a value is not of its type");
		instruction.require(seen.insert(before).second, "a block has two values");
		instruction.require(edges.contains(before),
				    "a block that has a value does not lead here");
		for (unsigned edge = 0; edge < edges[before]; edge++)
			phi.phi->addIncoming(value, before);
	}
	instruction.require(seen.size() == edges.size(), "a block that leads here has no value");
}

void FunctionReader::failDominance(const llvm::Value &value)
{
	for (const auto &[id, row] : values) {
		if (row.value == &value)
			spirv::fail(bodyWord, "the id " + llvm::Twine(id) +
						      " is used where its definition may not have "
						      "been reached, in this function");
	}
	spirv::fail(bodyWord, "a value of this function is used where it may not be defined");
}

void FunctionReader::checkDominance()
{
	llvm::DominatorTree tree(function);

	for (llvm::BasicBlock &block : function) {
		for (llvm::Instruction &user : block) {
			for (llvm::Use &use : user.operands()) {
				auto *made = llvm::dyn_cast<llvm::Instruction>(use.get());
				/* Within a block instructions are made in their order. */
				if (!made || (made->getParent() == &block &&
					      !llvm::isa<llvm::PHINode>(user)))
					continue;
				if (!tree.dominates(made, use))
					failDominance(*made);
			}
		}
	}
}

/* A loop's metadata stand at the branches that lead back to its header: from blocks that stand behind it. */
void FunctionReader::attachLoopControls()
{
	if (loopControls.empty())
		return;
	llvm::DominatorTree tree(function);
	for (const auto &[header, control] : loopControls) {
		for (llvm::BasicBlock *before : llvm::predecessors(header)) {
			if (tree.dominates(header, before))
				before->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop,
								     control);
		}
	}
}

void FunctionReader::readBody(const FunctionInfo &info)
{
	Instruction instruction;
	auto *entry = llvm::BasicBlock::Create(module.context, "", &function);

	bodyWord = info.instruction.word;
	for (unsigned i = 0; i < info.parameters.size(); i++)
		define(info.parameters[i], function.getArg(i));
	makeBlocks(info.body);
	builder.SetInsertPoint(entry);
	if (module.lineTable()) {
		module.lineTable()->describe(info);
		described = module.debugFunctionOf(info.instruction.result);
		readLine(info.line);
	}
	entryEnd = builder.CreateBr(entry->getNextNode());
	for (uint32_t word = info.body; module.words.next(word, instruction);) {
		if (instruction.opcode == spv::Op::OpFunctionEnd)
			break;
		if (instruction.opcode == spv::Op::OpLabel) {
			beginBlock(instruction);
			continue;
		}
		if (readLine(instruction) || readDebug(instruction))
			continue;
		instruction.require(current, "it stands in no block");
		readInstruction(instruction);
	}
	instruction.require(!current, "the last block has no end");
	for (const Phi &phi : phis)
		fillPhi(phi);
	checkDominance();
	attachLoopControls();
}

/* What FPFastMathMode allows for an instruction. */
void FunctionReader::setFlags(const Instruction &instruction)
{
	llvm::FastMathFlags allowed = flags;

	if (const Decoration *decoration =
		    module.decorations.find(instruction.result, spv::Decoration::FPFastMathMode)) {
		const auto has =
			[mask = decoration->instruction.literal(0)](spv::FPFastMathModeMask bit) {
				return (mask & static_cast<uint32_t>(bit)) != 0;
			};
		if (has(spv::FPFastMathModeMask::Fast))
			allowed.setFast();
		if (has(spv::FPFastMathModeMask::NotNaN))
			allowed.setNoNaNs();
		if (has(spv::FPFastMathModeMask::NotInf))
			allowed.setNoInfs();
		if (has(spv::FPFastMathModeMask::NSZ))
			allowed.setNoSignedZeros();
		if (has(spv::FPFastMathModeMask::AllowRecip))
			allowed.setAllowReciprocal();
		if (has(spv::FPFastMathModeMask::AllowContractFastINTEL))
			allowed.setAllowContract();
		if (has(spv::FPFastMathModeMask::AllowReassocINTEL))
			allowed.setAllowReassoc();
	}
	builder.setFastMathFlags(allowed);
}

void FunctionReader::readInstruction(const Instruction &instruction)
{
	/* Each reads some operations. */
	static constexpr bool (*readers[])(FunctionReader &, const Instruction &) = {
		readMemory,
		readAccessChain,
		readArithmetic,
		readComparison,
		readRoundedConversion,
		readConversion,
		readComposite,
		readControlFlow,
		readCall,
		readExtendedInstruction,
		readSynchronization,
		readAtomic,
		readGroup,
		readSubGroup,
		readSubGroupBlock,
		readImage,
		readCopy,
		readPipe,
		readDeviceEnqueue,
		readDotProduct,
		readNumberFunction,
		readBits,
		readGenericPointer,
		readHint,
	};

	if (instruction.opcode == spv::Op::OpNop)
		return;
	setFlags(instruction);
	for (auto *read : readers) {
		if (read(*this, instruction))
			return;
	}
	instruction.fail("this operation is not offered");
}

} // namespace weft::spirv
