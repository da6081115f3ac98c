/* SPDX-License-Identifier: MIT
 *
 * Values of which LLVM knows nothing.
 */
#ifndef WEFT_PASSES_HIDDEN_VALUE_H
#define WEFT_PASSES_HIDDEN_VALUE_H

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>

namespace weft
{

/* What an empty statement of the assembler gives: the value, in a register of the class: "r", of integers, "k", of masks. */
inline llvm::Value *hideValue(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::StringRef kind)
{
	llvm::Type *type = value->getType();
	auto *nothing = llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, false), "",
					     ("=" + kind + ",0").str(), false);
	llvm::CallInst *same = builder.CreateCall(nothing, {value});
	same->setDoesNotAccessMemory();
	same->setDoesNotThrow();
	same->addFnAttr(llvm::Attribute::WillReturn);
	return same;
}

} // namespace weft

#endif
