/* SPDX-License-Identifier: MIT
 *
 * Walks what the source declares; Clang has said by then what OpenCL C says about it.
 */
#include "front_end/declarations.h"

#include "front_end/source_files.h"
#include "functions/internal_functions.h"
#include "functions/reserved_names.h"
#include "functions/source_place.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/IR/Module.h"

namespace
{

struct RefusedAttribute {
	clang::attr::Kind kind;
	const char *reason;
};

constexpr RefusedAttribute refused[] = {
	{clang::attr::Naked, "a function without a prologue cannot be a part of a kernel"},
	{clang::attr::Constructor, "nothing of a program runs before its kernels"},
	{clang::attr::Destructor, "nothing of a program runs behind its kernels"},
};

bool declaresKernel(const clang::Decl &declaration)
{
	return declaration.hasAttr<clang::DeviceKernelAttr>();
}

bool isReserved(llvm::StringRef name)
{
	return weft::isReservedName(name) || name.starts_with(weft::kernelBodyPrefix);
}

/* A kernel's function has the kernel's name and is called as a kernel is, whatever else attributes would make of it. */
void keepKernel(clang::FunctionDecl &kernel)
{
	const auto *type = kernel.getType()->castAs<clang::FunctionType>();

	kernel.dropAttr<clang::AsmLabelAttr>();
	kernel.dropAttr<clang::OverloadableAttr>();
	kernel.dropAttr<clang::InternalLinkageAttr>();
	if (type->getCallConv() == clang::CC_DeviceKernel && !type->getNoReturnAttr())
		return;
	const clang::FunctionType *adjusted = kernel.getASTContext().adjustFunctionType(
		type,
		type->getExtInfo().withCallingConv(clang::CC_DeviceKernel).withNoReturn(false));
	kernel.setType(clang::QualType(adjusted, 0));
}

} // namespace

namespace weft
{

void CheckDeclarations::refuse(const clang::Attr &attribute, const char *reason)
{
	unsigned id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
						  "attribute '%0' is not supported: %1");

	diagnostics.Report(attribute.getLocation(), id) << attribute.getSpelling() << reason;
}

void CheckDeclarations::checkName(const clang::NamedDecl &declaration)
{
	const clang::ASTContext &context = declaration.getASTContext();
	llvm::StringRef file = context.getSourceManager().getFilename(declaration.getLocation());
	const auto *label = declaration.getAttr<clang::AsmLabelAttr>();
	const clang::IdentifierInfo *name = declaration.getIdentifier();
	bool isOurs = file == baseHeader || file == declarationsHeader;

	if (label && !declaresKernel(declaration) && isReserved(label->getLabel()))
		refuse(*label, "the name is the compiler's own");
	if (label || isOurs || llvm::isa<clang::FieldDecl>(declaration) ||
	    declaration.isCXXClassMember() || !name || name->getBuiltinID() ||
	    !isReserved(name->getName()))
		return;
	unsigned id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
						  "the name '%0' is the compiler's own");
	diagnostics.Report(declaration.getLocation(), id) << name->getName();
}

void CheckDeclarations::check(clang::Decl &declaration)
{
	for (const clang::Attr *attribute : declaration.attrs()) {
		for (const RefusedAttribute &row : refused) {
			if (attribute->getKind() == row.kind)
				refuse(*attribute, row.reason);
		}
		if (llvm::isa<clang::WeakRefAttr>(attribute) &&
		    llvm::isa<clang::ParmVarDecl>(declaration))
			refuse(*attribute, "a parameter is not another name of anything");
	}
	if (const auto *alias = declaration.getAttr<clang::AliasAttr>();
	    alias && declaresKernel(declaration))
		refuse(*alias, "a kernel is not another name of one");
	if (const auto *named = llvm::dyn_cast<clang::NamedDecl>(&declaration))
		checkName(*named);
	if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(&declaration)) {
		if (declaresKernel(*function))
			keepKernel(*function);
		for (clang::ParmVarDecl *parameter : function->parameters())
			check(*parameter);
	}
	/* Of functions, and in C++ of classes and namespaces. */
	if (const auto *pattern = llvm::dyn_cast<clang::TemplateDecl>(&declaration);
	    pattern && pattern->getTemplatedDecl())
		check(*pattern->getTemplatedDecl());
	if (auto *context = llvm::dyn_cast<clang::DeclContext>(&declaration)) {
		for (clang::Decl *inner : context->decls())
			check(*inner);
	}
}

bool CheckDeclarations::HandleTopLevelDecl(clang::DeclGroupRef group)
{
	for (clang::Decl *declaration : group)
		check(*declaration);
	return true;
}

static std::string placeIn(const clang::SourceManager &sources, const clang::Decl &declaration)
{
	clang::PresumedLoc place = sources.getPresumedLoc(declaration.getLocation());

	if (place.isInvalid())
		return "";
	return (llvm::Twine(place.getFilename()) + ":" + llvm::Twine(place.getLine()) + ":" +
		llvm::Twine(place.getColumn()))
		.str();
}

/* The source says so by __attribute__((annotate("weft_host"))). */
static bool isHostFunction(const clang::Decl &declaration)
{
	return llvm::isa<clang::FunctionDecl>(declaration) &&
	       llvm::any_of(declaration.specific_attrs<clang::AnnotateAttr>(),
			    [](const clang::AnnotateAttr *attribute) {
				    return attribute->getAnnotation() == "weft_host";
			    });
}

void notePlaces(llvm::Module &module, clang::CodeGenerator &generator,
		const clang::SourceManager &sources)
{
	for (llvm::GlobalObject &object : module.global_objects()) {
		const clang::Decl *declaration = generator.GetDeclForMangledName(object.getName());
		if (!declaration)
			continue;
		auto *function = llvm::dyn_cast<llvm::Function>(&object);
		if (function && isHostFunction(*declaration))
			function->addFnAttr(hostFunctionAttribute,
					    llvm::cast<clang::NamedDecl>(declaration)
						    ->getQualifiedNameAsString());
		std::string place = placeIn(sources, *declaration);
		if (function && !place.empty())
			function->addFnAttr(placeAttribute, place);
		else if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&object))
			variable->addAttribute(placeAttribute, place);
	}
}

void hideBlocks(llvm::Module &module, clang::CodeGenerator &generator)
{
	for (llvm::Function &function : module) {
		if (isKernel(function) && !generator.GetDeclForMangledName(function.getName()))
			function.setLinkage(llvm::GlobalValue::InternalLinkage);
	}
}

} // namespace weft
