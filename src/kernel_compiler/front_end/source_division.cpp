/* SPDX-License-Identifier: MIT
 *
 * Goes through the functions' statements. What is not known to be plain is not.
 */
#include "front_end/source_division.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/Type.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

using namespace clang;

namespace weft
{

namespace
{

constexpr double builtinSize = 20;     /* as in kernel_units.cpp */
constexpr double mostInKernel = 10000; /* the same, with room for what is counted otherwise here */
constexpr uint64_t mostOfVariable = 4096, mostOfConstant = 1 << 20; /* bytes */
constexpr uint64_t mostOfConstants =
	16 << 20; /* far from what is refused as too large (module_checks.cpp) */

struct FunctionNote {
	uint32_t place = 0;
	double size = 0;
	llvm::SmallVector<const FunctionDecl *, 4> calls; /* their definitions */
	enum { Unseen, Open, Done } state = Unseen;
};

bool isPlainAttribute(const Attr &attribute)
{
	switch (attribute.getKind()) {
	case attr::AlwaysInline:
	case attr::Const:
	case attr::Convergent:
	case attr::DeviceKernel:
	case attr::NoInline:
	case attr::NoThrow:
	case attr::OpenCLAccess:
	case attr::Overloadable:
	case attr::Pure:
	case attr::ReqdWorkGroupSize:
	case attr::Unused:
	case attr::VecTypeHint:
	case attr::WorkGroupSizeHint:
		return true;
	default:
		return false;
	}
}

bool hasPlainAttributes(const Decl &declaration)
{
	return llvm::all_of(declaration.attrs(),
			    [](const Attr *attribute) { return isPlainAttribute(*attribute); });
}

bool isPlainBuiltin(const BuiltinType &type)
{
	switch (type.getKind()) {
	case BuiltinType::Int128:
	case BuiltinType::UInt128:
	case BuiltinType::OCLQueue:
	case BuiltinType::OCLClkEvent:
	case BuiltinType::OCLReserveID:
		return false;
	default:
		return type.isInteger() || type.getKind() == BuiltinType::Void ||
		       type.getKind() == BuiltinType::Half ||
		       type.getKind() == BuiltinType::Float ||
		       type.getKind() == BuiltinType::Double ||
		       type.getKind() == BuiltinType::OCLSampler ||
		       type.getKind() == BuiltinType::OCLEvent || QualType(&type, 0)->isImageType();
	}
}

class Divider
{
      public:
	Divider(ASTContext &tree, llvm::function_ref<bool(const std::string &)> builtin)
	    : context(tree), isBuiltin(builtin), names(tree.createMangleContext())
	{
	}

	SourceDivision divide(llvm::ArrayRef<Decl *> declarations);

      private:
	bool isPlain(QualType type);
	bool isPlainRecord(const RecordDecl &record);
	bool isPlainDeclaration(const Decl &declaration);
	bool isPlainVariable(const VarDecl &variable);
	bool hasPlainSize(QualType type, uint64_t most);
	bool isPlainConstant(const VarDecl &variable);
	bool isPlainLocal(const Decl &declaration);
	bool isPlainStatement(const Stmt &statement);
	bool isPlainSignature(const FunctionDecl &function);
	void addBody(const FunctionDecl &function, uint32_t place);
	bool addFunction(const FunctionDecl &function);
	bool addStatements(const Stmt &body, FunctionNote &note);
	bool addCall(const CallExpr &call, FunctionNote &note);
	bool hasBuiltin(const FunctionDecl &function);
	/* The places of it and of all that it calls, each once. */
	void addNeeds(const FunctionDecl &function, std::vector<uint32_t> &needs);
	/* To a function's size those of what it calls; false: it calls itself, or is too large. */
	bool addSizes(const FunctionDecl &function);

	ASTContext &context;
	llvm::function_ref<bool(const std::string &)> isBuiltin;
	std::unique_ptr<MangleContext> names;
	llvm::DenseMap<const Type *, bool> types;                 /* whether they are plain */
	llvm::DenseMap<const FunctionDecl *, bool> builtins;      /* whether they are there */
	llvm::DenseMap<const FunctionDecl *, FunctionNote> notes; /* of definitions */
	llvm::DenseSet<uint32_t> places;
	uint64_t constants =
		0; /* bytes of all variables: a beginning may be a constant in memory */
	std::vector<FunctionBody> bodies;
};

bool Divider::isPlainRecord(const RecordDecl &record)
{
	return record.isCompleteDefinition() && !record.hasFlexibleArrayMember() &&
	       llvm::all_of(record.attrs(),
			    [](const Attr *attribute) { return isa<PackedAttr>(attribute); }) &&
	       llvm::all_of(record.fields(), [&](const FieldDecl *field) {
		       return !field->hasAttrs() && !field->isBitField() &&
			      isPlain(field->getType());
	       });
}

bool Divider::isPlain(QualType asked)
{
	const QualType canonical = context.getCanonicalType(asked);
	const Type *type = canonical.getTypePtr();
	if (canonical.isVolatileQualified() && isa<RecordType>(type))
		return false;
	auto [known, isNew] = types.insert({type, true}); /* a record may point to itself */
	if (!isNew)
		return known->second;
	bool plain = false;
	if (const auto *builtin = dyn_cast<BuiltinType>(type))
		plain = isPlainBuiltin(*builtin);
	else if (const auto *pointer = dyn_cast<PointerType>(type))
		plain = isPlain(pointer->getPointeeType());
	else if (const auto *array = dyn_cast<ConstantArrayType>(type))
		plain = isPlain(array->getElementType());
	else if (const auto *vector = dyn_cast<ExtVectorType>(type))
		plain = vector->getNumElements() <= 16 && isPlain(vector->getElementType());
	else if (const RecordDecl *record = canonical->getAsRecordDecl())
		plain = isPlainRecord(*record);
	else
		plain = canonical->isEnumeralType();
	types[type] = plain;
	return plain;
}

bool Divider::hasPlainSize(QualType type, uint64_t most)
{
	const auto size = uint64_t(context.getTypeSizeInChars(type).getQuantity());
	if (size > most)
		return false;
	constants += size;
	return constants <= mostOfConstants;
}

bool Divider::isPlainConstant(const VarDecl &variable)
{
	return variable.getType().getAddressSpace() == LangAS::opencl_constant &&
	       variable.hasInit() && hasPlainSize(variable.getType(), mostOfConstant);
}

/* Of a function. */
bool Divider::isPlainVariable(const VarDecl &variable)
{
	if (!hasPlainAttributes(variable) || !isPlain(variable.getType()) ||
	    variable.hasExternalStorage())
		return false;
	const LangAS space = variable.getType().getAddressSpace();
	if (space == LangAS::opencl_constant)
		return isPlainConstant(variable);
	return (variable.hasLocalStorage() || space == LangAS::opencl_local) &&
	       hasPlainSize(variable.getType(), mostOfVariable);
}

/* A typedef may have an alignment. What a record has counts where it is the type of something. */
bool isPlainType(const Decl &declaration)
{
	return isa<TypedefDecl>(declaration) ? hasPlainAttributes(declaration)
					     : isa<RecordDecl, EnumDecl>(declaration);
}

bool Divider::isPlainLocal(const Decl &declaration)
{
	if (const auto *variable = dyn_cast<VarDecl>(&declaration))
		return isPlainVariable(*variable);
	return isPlainType(declaration);
}

bool Divider::isPlainStatement(const Stmt &statement)
{
	switch (statement.getStmtClass()) {
	case Stmt::DeclStmtClass:
		return llvm::all_of(cast<DeclStmt>(statement).decls(),
				    [&](const Decl *inner) { return isPlainLocal(*inner); });
	case Stmt::CStyleCastExprClass:
	case Stmt::AsTypeExprClass:
		return isPlain(cast<Expr>(statement).getType());
	case Stmt::CompoundLiteralExprClass:
		return isPlain(cast<Expr>(statement).getType()) &&
		       hasPlainSize(cast<Expr>(statement).getType(), mostOfVariable);
	case Stmt::DeclRefExprClass: /* of a function: addCall does not come here */
		return !isa<FunctionDecl>(cast<DeclRefExpr>(statement).getDecl());
	case Stmt::ArraySubscriptExprClass:
	case Stmt::AttributedStmtClass:
	case Stmt::BinaryOperatorClass:
	case Stmt::BreakStmtClass:
	case Stmt::CaseStmtClass:
	case Stmt::CharacterLiteralClass:
	case Stmt::CompoundAssignOperatorClass:
	case Stmt::CompoundStmtClass:
	case Stmt::ConditionalOperatorClass:
	case Stmt::ConstantExprClass:
	case Stmt::ContinueStmtClass:
	case Stmt::DefaultStmtClass:
	case Stmt::DoStmtClass:
	case Stmt::ExtVectorElementExprClass:
	case Stmt::FloatingLiteralClass:
	case Stmt::ForStmtClass:
	case Stmt::IfStmtClass:
	case Stmt::ImplicitCastExprClass:
	case Stmt::ImplicitValueInitExprClass:
	case Stmt::InitListExprClass:
	case Stmt::IntegerLiteralClass:
	case Stmt::MemberExprClass:
	case Stmt::NullStmtClass:
	case Stmt::ParenExprClass:
	case Stmt::ReturnStmtClass:
	case Stmt::SwitchStmtClass:
	case Stmt::UnaryExprOrTypeTraitExprClass:
	case Stmt::UnaryOperatorClass:
	case Stmt::WhileStmtClass:
		return true;
	default:
		return false;
	}
}

/* How many instructions are made of it, about. */
double sizeOf(const Stmt &statement)
{
	switch (statement.getStmtClass()) {
	case Stmt::DeclStmtClass: { /* a place in memory, its beginning and its end, a store */
		const auto &declarations = cast<DeclStmt>(statement).getDeclGroup();
		return 4.0 * double(std::distance(declarations.begin(), declarations.end()));
	}
	case Stmt::DoStmtClass:
	case Stmt::ForStmtClass:
	case Stmt::IfStmtClass:
	case Stmt::WhileStmtClass:
		return 3;
	case Stmt::CharacterLiteralClass:
	case Stmt::CompoundStmtClass:
	case Stmt::ConstantExprClass:
	case Stmt::DeclRefExprClass:
	case Stmt::FloatingLiteralClass:
	case Stmt::IntegerLiteralClass:
	case Stmt::ParenExprClass:
		return 0;
	default:
		return 1;
	}
}

bool Divider::hasBuiltin(const FunctionDecl &function)
{
	auto [known, isNew] = builtins.insert({&function, false});
	if (!isNew)
		return known->second;
	std::string name;
	llvm::raw_string_ostream stream(name);
	if (!function.getIdentifier() || function.getBuiltinID() ||
	    function.getName().contains("enqueue_") || function.getName() == "printf" ||
	    (!function.isImplicit() && /* Clang's own stand where they are used first */
	     placeOfFunction(context.getSourceManager(), function) != UINT32_MAX))
		return false;
	if (names->shouldMangleDeclName(&function))
		names->mangleName(GlobalDecl(&function), stream);
	else
		stream << function.getName();
	known->second = isBuiltin(name);
	return known->second;
}

bool Divider::addCall(const CallExpr &call, FunctionNote &note)
{
	const FunctionDecl *callee = nullptr;
	if (const auto *named = dyn_cast<DeclRefExpr>(call.getCallee()->IgnoreParenImpCasts()))
		callee = dyn_cast<FunctionDecl>(named->getDecl());
	if (!callee || call.getStmtClass() != Stmt::CallExprClass)
		return false;
	if (const FunctionDecl *definition = callee->getDefinition()) {
		note.calls.push_back(definition);
		return !definition->hasAttr<DeviceKernelAttr>();
	}
	note.size += builtinSize;
	return hasBuiltin(*callee);
}

bool Divider::addStatements(const Stmt &body, FunctionNote &note)
{
	llvm::SmallVector<const Stmt *, 64> work = {&body};
	while (!work.empty()) {
		const Stmt *next = work.pop_back_val();
		const auto *call = dyn_cast<CallExpr>(next);
		note.size += sizeOf(*next);
		if (call ? !addCall(*call, note) : !isPlainStatement(*next))
			return false;
		if (call) {
			work.append(call->arg_begin(), call->arg_end());
			continue;
		}
		for (const Stmt *child : next->children()) {
			if (child)
				work.push_back(child);
		}
	}
	return true;
}

/* Types of parameters between them and the body would stand alone when the body is a blank. An inline kernel is none when nothing else declares it. */
bool Divider::isPlainSignature(const FunctionDecl &function)
{
	return !function.isVariadic() &&
	       (function.hasWrittenPrototype() || function.param_empty()) &&
	       !(function.isInlined() && function.hasAttr<DeviceKernelAttr>()) &&
	       function.getIdentifier() && hasPlainAttributes(function) &&
	       isPlain(function.getReturnType()) &&
	       llvm::all_of(function.parameters(), [&](const ParmVarDecl *parameter) {
		       return hasPlainAttributes(*parameter) && isPlain(parameter->getType());
	       });
}

void Divider::addBody(const FunctionDecl &function, uint32_t place)
{
	const SourceManager &sources = context.getSourceManager();
	const SourceRange range = function.getBody()->getSourceRange();
	if (!range.getBegin().isFileID() || !range.getEnd().isFileID())
		return;
	const auto [file, begin] = sources.getDecomposedLoc(range.getBegin());
	const auto [last, end] = sources.getDecomposedLoc(range.getEnd());
	if (file != sources.getMainFileID() || last != file || begin >= end)
		return;
	const StringRef text = sources.getBufferData(file).slice(begin, end + 1);
	const bool isPlainText = text.starts_with("{") && text.ends_with("}") &&
				 !text.contains('#') && !text.contains("%:") &&
				 !text.contains("??");
	if (isPlainText)
		bodies.push_back({place, begin, end + 1});
}

bool Divider::addFunction(const FunctionDecl &function)
{
	if (!isPlainSignature(function))
		return false;
	if (!function.doesThisDeclarationHaveABody())
		return true;
	FunctionNote note;
	note.place = placeOfFunction(context.getSourceManager(), function);
	note.size = 2.0 * function.getNumParams();
	if (note.place == UINT32_MAX || !places.insert(note.place).second ||
	    !addStatements(*function.getBody(), note))
		return false;
	addBody(function, note.place);
	notes[&function] = std::move(note);
	return true;
}

bool Divider::isPlainDeclaration(const Decl &declaration)
{
	if (const auto *function = dyn_cast<FunctionDecl>(&declaration))
		return addFunction(*function);
	if (const auto *variable = dyn_cast<VarDecl>(&declaration)) {
		FunctionNote unused;
		return hasPlainAttributes(*variable) && isPlain(variable->getType()) &&
		       isPlainConstant(*variable) && addStatements(*variable->getInit(), unused) &&
		       unused.calls.empty();
	}
	return isPlainType(declaration) || isa<EmptyDecl>(declaration);
}

bool Divider::addSizes(const FunctionDecl &function)
{
	FunctionNote &note = notes[&function]; /* none is added any more */
	if (note.state != FunctionNote::Unseen)
		return note.state == FunctionNote::Done;
	note.state = FunctionNote::Open;
	for (const FunctionDecl *callee : note.calls) {
		if (!notes.contains(callee) || !addSizes(*callee))
			return false;
		note.size += notes[callee].size;
	}
	note.state = FunctionNote::Done;
	return note.size <= mostInKernel;
}

void Divider::addNeeds(const FunctionDecl &function, std::vector<uint32_t> &needs)
{
	llvm::SmallVector<const FunctionDecl *, 16> work = {&function};
	llvm::DenseSet<uint32_t> seen;
	while (!work.empty()) {
		const FunctionNote &note = notes[work.pop_back_val()];
		if (!seen.insert(note.place).second)
			continue;
		needs.push_back(note.place);
		work.append(note.calls.begin(), note.calls.end());
	}
}

SourceDivision Divider::divide(llvm::ArrayRef<Decl *> declarations)
{
	SourceDivision division;
	const SourceManager &sources = context.getSourceManager();
	const auto isOfSource = [&](const Decl *declaration) {
		return placeOfFunction(sources, *declaration) != UINT32_MAX;
	};
	for (const Decl *declaration : declarations) {
		if (isOfSource(declaration) && !isPlainDeclaration(*declaration))
			return {};
	}
	for (const Decl *declaration : declarations) {
		const auto *function = dyn_cast<FunctionDecl>(declaration);
		if (function && notes.contains(function) && !addSizes(*function))
			return {};
	}
	for (const Decl *declaration : declarations) {
		const auto *function = dyn_cast<FunctionDecl>(declaration);
		if (!function || !function->hasAttr<DeviceKernelAttr>() ||
		    !notes.contains(function))
			continue;
		KernelSource kernel = {function->getName().str(), {}, 0};
		addNeeds(*function, kernel.needs);
		kernel.size = notes[function].size;
		division.kernels.push_back(std::move(kernel));
	}
	division.bodies = std::move(bodies);
	return division;
}

} // namespace

SourceDivision divideTree(ASTContext &tree, llvm::ArrayRef<Decl *> declarations,
			  llvm::function_ref<bool(const std::string &)> isBuiltin)
{
	return Divider(tree, isBuiltin).divide(declarations);
}

uint32_t placeOfFunction(const SourceManager &sources, const Decl &function)
{
	if (function.getLocation().isInvalid())
		return UINT32_MAX;
	const auto [file, offset] = sources.getDecomposedExpansionLoc(function.getLocation());
	return file == sources.getMainFileID() ? offset : UINT32_MAX;
}

} // namespace weft
