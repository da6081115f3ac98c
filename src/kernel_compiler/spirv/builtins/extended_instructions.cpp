// SPDX-License-Identifier: MIT
//
// OpenCL.std: each row of opencl_std.def says how an instruction's operands are a function's arguments, and what it gives.
#include "spirv/builtins/extended_instructions.h"

#include "spirv/builtins/builtin_calls.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace weft::spirv
{

namespace
{

struct StdRow {
	uint32_t number;
	StringRef name;
	StringRef signature;
};

constexpr StdRow stdRows[] = {
#define OPENCL_STD(number, name, signature) {number, name, signature},
#include "spirv/builtins/opencl_std.def"
#undef OPENCL_STD
};
constexpr unsigned firstOperand = 2; // behind the set and the number
constexpr uint32_t printfNumber = 184, prefetchNumber = 185;

const StdRow *findStdRow(uint32_t number)
{
	for (const StdRow &row : stdRows)
		if (row.number == number)
			return &row;
	return nullptr;
}

// The same number of components, of another type.
llvm::Type *withElement(const llvm::Type &shape, llvm::Type *element)
{
	if (const auto *vector = dyn_cast<FixedVectorType>(&shape))
		return FixedVectorType::get(element, vector->getNumElements());
	return element;
}

llvm::Type *withLanes(llvm::Type *element, unsigned lanes)
{
	return lanes > 1 ? FixedVectorType::get(element, lanes) : element;
}

unsigned lanesOf(const llvm::Type &type)
{
	const auto *vector = dyn_cast<FixedVectorType>(&type);
	return vector ? vector->getNumElements() : 1;
}

llvm::Type *floatOfWidth(LLVMContext &llvm, unsigned bits)
{
	return bits == 16   ? llvm::Type::getHalfTy(llvm)
	       : bits == 32 ? llvm::Type::getFloatTy(llvm)
			    : llvm::Type::getDoubleTy(llvm);
}

class Call
{
	const ExtendedInstruction &extended;
	const Instruction &instruction;
	const StdRow &row;
	BuiltinCall call;
	unsigned next = firstOperand;
	unsigned lanes = 1; // the literal operand
	StringRef rounding;

	LLVMContext &llvm() const
	{
		return extended.builder.getContext();
	}

	llvm::Type &first() const
	{
		return *call.arguments().front()->getType();
	}

	// The type that a pointer of this letter leads to, as the numbers beside it or the result have it.
	BuiltinType pointee(char letter) const
	{
		llvm::Type *type = nullptr;
		if (letter == 'd' || letter == 'D')
			type = llvm::Type::getHalfTy(llvm());
		else if (letter == 'e')
			type = extended.result->getScalarType();
		else if (letter == 'i')
			type = withElement(first(), llvm::Type::getInt32Ty(llvm()));
		else
			type = letter == 'o' ? first().getScalarType() : &first();
		std::optional<BuiltinType> element =
			builtinType(*type, letter == 'i' ? Sign::Signed : Sign::Unsigned);
		if (!element)
			instruction.fail("the result is no number");
		return *element;
	}

	void addNumber(char letter, llvm::Value *value)
	{
		llvm::Type *type = value->getType();
		bool isFloat = type->isFPOrFPVectorTy(), isInteger = type->isIntOrIntVectorTy();
		if (letter == 'f' ? !isFloat : letter == 'x' ? !isFloat && !isInteger : !isInteger)
			instruction.fail("an operand of " + row.name + " is no " +
					 (letter == 'f' ? "floating-point number" : "integer"));
		call.add(value, letter == 's' ? Sign::Signed : Sign::Unsigned);
	}

	void addOperand(char letter)
	{
		llvm::Value *value = extended.operand(next++);
		if (letter == 'z')
			call.addSize(value);
		else if (letter == 'e' || letter == 'd')
			call.addConstPointer(value, pointee(letter));
		else if (StringRef("pioD").contains(letter))
			call.addPointer(value, pointee(letter));
		else
			addNumber(letter, value);
	}

	void readLiterals()
	{
		static constexpr StringRef modes[] = {"_rte", "_rtz", "_rtp", "_rtn"};
		// What stores vectors has no literal for the number of components.
		if (row.name.contains('#'))
			lanes = row.signature.front() == 'v' ? lanesOf(first())
							     : instruction.literal(next++);
		if (row.name.contains('%')) {
			uint32_t mode = instruction.literal(next++);
			instruction.require(mode < std::size(modes), "unknown rounding mode");
			rounding = modes[mode];
		}
		instruction.require(next == instruction.size(),
				    row.name + " has too many operands");
	}

	std::string functionName() const
	{
		std::string name;
		for (char letter : row.name) {
			if (letter == '%')
				name += rounding;
			else if (letter != '#')
				name += letter;
			else if (lanes > 1)
				name += utostr(lanes);
		}
		return name;
	}

	llvm::Type *resultType() const
	{
		switch (row.signature.front()) {
		case 'v':
			return llvm::Type::getVoidTy(llvm());
		case 'V':
			return withLanes(extended.result->getScalarType(), lanes);
		case 'h':
			return withLanes(llvm::Type::getFloatTy(llvm()), lanes);
		case '.':
			return first().getScalarType();
		case 'i':
			return withElement(first(), llvm::Type::getInt32Ty(llvm()));
		case 'n':
			return withElement(first(),
					   floatOfWidth(llvm(), first().getScalarSizeInBits()));
		case 'w':
			return withElement(
				first(),
				llvm::Type::getIntNTy(llvm(), 2 * first().getScalarSizeInBits()));
		case 'S':
			return withLanes(first().getScalarType(),
					 lanesOf(*call.arguments().back()->getType()));
		default:
			return &first();
		}
	}

      public:
	Call(const ExtendedInstruction &reader, const StdRow &entry)
	    : extended(reader), instruction(reader.instruction), row(entry),
	      call(reader.builder, reader.instruction, entry.name)
	{
	}

	llvm::Value *make()
	{
		for (char letter : row.signature.drop_front())
			addOperand(letter);
		readLiterals();
		// A vector of a length that OpenCL C does not have is not asked for.
		instruction.require(lanes <= 16, "a vector has too many components");
		instruction.require(resultType() == extended.result,
				    "the result type does not fit the operands of " + row.name);
		call.setName(functionName());
		return call.make(extended.result);
	}
};

// Arguments are promoted as C does it; the format says what they are.
llvm::Value *promoted(IRBuilderBase &builder, llvm::Value *value)
{
	llvm::Type *type = value->getType();
	if (type->isFloatTy() || type->isHalfTy())
		return builder.CreateFPExt(value, builder.getDoubleTy());
	if (type->isIntegerTy() && type->getIntegerBitWidth() < 32)
		return builder.CreateSExt(value, builder.getInt32Ty());
	return value;
}

llvm::Value *makePrintf(const ExtendedInstruction &extended)
{
	constexpr unsigned constantSpace = 2;
	const Instruction &instruction = extended.instruction;
	SmallVector<llvm::Value *, 8> arguments = {extended.operand(firstOperand)};
	llvm::Type *pointer = PointerType::get(extended.builder.getContext(), constantSpace);
	instruction.require(arguments.front()->getType() == pointer,
			    "the format of printf is no pointer to constant memory");
	instruction.require(extended.result->isIntegerTy(32),
			    "the result of printf is no integer of 32 bits");
	for (unsigned i = firstOperand + 1; i < instruction.size(); i++)
		arguments.push_back(promoted(extended.builder, extended.operand(i)));
	FunctionType *type = FunctionType::get(extended.result, {pointer}, true);
	Module &module = *extended.builder.GetInsertBlock()->getModule();
	auto *function = dyn_cast<Function>(module.getOrInsertFunction("printf", type).getCallee());
	instruction.require(function && function->getFunctionType() == type,
			    "another object of the module is named printf");
	function->setCallingConv(CallingConv::SPIR_FUNC);
	CallInst *call = extended.builder.CreateCall(function, arguments);
	call->setCallingConv(CallingConv::SPIR_FUNC);
	return call;
}

} // namespace

llvm::Value *readOpenCLStd(const ExtendedInstruction &extended)
{
	uint32_t number = extended.instruction.literal(firstOperand - 1);
	if (number == printfNumber)
		return makePrintf(extended);
	if (number == prefetchNumber) // a hint, of which the library makes nothing
		return nullptr;
	const StdRow *row = findStdRow(number);
	if (!row)
		extended.instruction.fail("OpenCL.std has no instruction " + Twine(number));
	return Call(extended, *row).make();
}

} // namespace weft::spirv
