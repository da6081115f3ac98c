// SPDX-License-Identifier: MIT
//
// Itanium's mangling, as far as built-in functions need it: a part that has occurred before is a reference to it.
#include "spirv/builtins/builtin_names.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Type.h"

using namespace llvm;

namespace weft::spirv
{

namespace
{

// Clang qualifies what a private pointer leads to, but does not write it: it counts as a part of the name all the same.
constexpr StringRef privateSpace = "U3AS0";

class Mangler
{
	std::string text;
	SmallVector<std::string, 8>
		parts; // in the order of their first occurrence, each without references

	bool refer(const std::string &part)
	{
		for (size_t i = 0; i < parts.size(); i++) {
			if (parts[i] != part)
				continue;
			text += i == 0 ? "S_"
				       : "S" + utostr(i - 1) +
						 "_"; // base 36: never more than ten parts here
			return true;
		}
		return false;
	}

	// The forms of a type, the innermost last: each is a prefix before the next one.
	void add(ArrayRef<std::string> prefixes, const std::string &element)
	{
		if (prefixes.empty()) {
			bool hasName = isDigit(element.front());
			if (hasName && refer(element))
				return;
			text += element;
			if (hasName)
				parts.push_back(element);
			return;
		}
		std::string whole = join(prefixes, "") + element;
		if (refer(whole))
			return;
		StringRef prefix = prefixes.front();
		prefix.consume_front(privateSpace);
		text += prefix;
		add(prefixes.drop_front(), element);
		parts.push_back(whole);
	}

      public:
	explicit Mangler(StringRef name) : text("_Z" + utostr(name.size()) + name.str())
	{
	}

	void add(const BuiltinType &type)
	{
		SmallVector<std::string, 4> prefixes;
		if (type.isPointer) {
			prefixes.push_back("P");
			prefixes.push_back("U3AS" + utostr(type.addressSpace) +
					   (type.isVolatile ? "V" : "") +
					   (type.isConst ? "K" : ""));
		}
		if (type.isAtomic)
			prefixes.push_back("U7_Atomic");
		if (type.lanes > 1)
			prefixes.push_back("Dv" + utostr(type.lanes) + "_");
		add(prefixes, type.element);
	}

	std::string take()
	{
		return std::move(text);
	}
};

std::optional<std::string> scalarName(const llvm::Type &type, Sign sign)
{
	if (type.isHalfTy())
		return "Dh";
	if (type.isFloatTy())
		return "f";
	if (type.isDoubleTy())
		return "d";
	if (!type.isIntegerTy())
		return std::nullopt;
	bool isSigned = sign == Sign::Signed;
	switch (type.getIntegerBitWidth()) {
	case 8:
		return isSigned ? "c" : "h";
	case 16:
		return isSigned ? "s" : "t";
	case 32:
		return isSigned ? "i" : "j";
	case 64:
		return isSigned ? "l" : "m";
	default:
		return std::nullopt;
	}
}

// The operands of OpTypeImage behind the sampled type, which are the target type's numbers.
enum ImageOperand { Dim, Depth, Arrayed, MultiSampled, Sampled, Format, Access, NumImageOperands };

std::optional<std::string> imageName(const TargetExtType &type)
{
	if (type.getNumIntParameters() < NumImageOperands)
		return std::nullopt;
	static constexpr StringRef dimensions[] = {"1d", "2d", "3d"};
	static constexpr StringRef accesses[] = {"ro", "wo", "rw"};
	constexpr unsigned buffer = 5; // DimBuffer
	unsigned dim = type.getIntParameter(Dim), access = type.getIntParameter(Access);
	if ((dim >= std::size(dimensions) && dim != buffer) || access >= std::size(accesses))
		return std::nullopt;
	std::string name = "image" + (dim == buffer ? "1d" : dimensions[dim]).str();
	if (type.getIntParameter(Arrayed) == 1)
		name += "_array";
	if (dim == buffer)
		name += "_buffer";
	if (type.getIntParameter(MultiSampled) == 1)
		name += "_msaa";
	if (type.getIntParameter(Depth) == 1)
		name += "_depth";
	return "ocl_" + name + "_" + accesses[access].str();
}

std::optional<std::string> targetTypeName(const TargetExtType &type)
{
	if (type.getName() == "spirv.Image")
		return imageName(type);
	static constexpr struct {
		StringRef type, name;
	} names[] = {
		{"spirv.Sampler", "ocl_sampler"},      {"spirv.Event", "ocl_event"},
		{"spirv.DeviceEvent", "ocl_clkevent"}, {"spirv.Queue", "ocl_queue"},
		{"spirv.ReserveId", "ocl_reserveid"},
	};
	for (const auto &row : names)
		if (type.getName() == row.type)
			return row.name.str();
	return std::nullopt;
}

} // namespace

BuiltinType BuiltinType::pointer(unsigned space) const
{
	BuiltinType type = *this;
	type.isPointer = true;
	type.addressSpace = space;
	return type;
}

BuiltinType BuiltinType::constPointer(unsigned space) const
{
	BuiltinType type = pointer(space);
	type.isConst = true;
	return type;
}

BuiltinType BuiltinType::atomicPointer(unsigned space) const
{
	BuiltinType type = pointer(space);
	type.isAtomic = type.isVolatile = true;
	return type;
}

BuiltinType namedType(StringRef name)
{
	return {utostr(name.size()) + name.str()};
}

std::optional<BuiltinType> builtinType(const llvm::Type &type, Sign sign)
{
	if (const auto *target = dyn_cast<TargetExtType>(&type)) {
		std::optional<std::string> name = targetTypeName(*target);
		return name ? std::optional(namedType(*name)) : std::nullopt;
	}
	std::optional<std::string> element = scalarName(*type.getScalarType(), sign);
	if (!element)
		return std::nullopt;
	BuiltinType result{*element};
	if (const auto *vector = dyn_cast<FixedVectorType>(&type))
		result.lanes = vector->getNumElements();
	return result;
}

std::string mangleBuiltin(StringRef name, ArrayRef<BuiltinType> parameters)
{
	Mangler mangler(name);
	if (parameters.empty())
		mangler.add(BuiltinType{"v"});
	for (const BuiltinType &type : parameters)
		mangler.add(type);
	return mangler.take();
}

} // namespace weft::spirv
