/* SPDX-License-Identifier: MIT
 *
 * Changes of SPIR-V modules, and what must hold of reading any.
 */
#include "module_changes.h"

#include "spirv/reader.h"

#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <iterator>
#include <random>

namespace
{

using weft::ModuleWords;

constexpr size_t headerWords = 5;

/* Where each instruction begins, and where the last one ends, as far as their lengths lead. */
std::vector<size_t> placesIn(const ModuleWords &words)
{
	std::vector<size_t> places;
	size_t next = headerWords;

	while (next < words.size()) {
		size_t length = words[next] >> 16;
		if (length == 0 || length > words.size() - next)
			break;
		places.push_back(next);
		next += length;
	}
	places.push_back(next);
	return places;
}

/* One change of a module. */
class Change
{
      public:
	Change(ModuleWords &module, std::minstd_rand &numbers)
	    : words(module), places(placesIn(module)), random(numbers)
	{
	}

	void run(const ModuleWords &other)
	{
		if (words.size() <= headerWords || places.size() < 2)
			return;
		switch (random() % 5) {
		case 0:
			return changeOperand();
		case 1:
			return remove();
		case 2:
			return putIn(other);
		case 3:
			return exchange();
		default:
			return changeOperation();
		}
	}

      private:
	/* The beginning of any instruction. */
	size_t any()
	{
		return places[random() % (places.size() - 1)];
	}

	/* Any operand of any instruction; NULL: the instruction has none. */
	uint32_t *anyOperand()
	{
		size_t place = any(), length = words[place] >> 16;
		return length < 2 ? nullptr : &words[place + 1 + random() % (length - 1)];
	}

	ModuleWords::iterator at(size_t place)
	{
		return words.begin() + static_cast<ptrdiff_t>(place);
	}

	void changeOperand()
	{
		static constexpr uint32_t numbers[] = {
			0, 1, 2, 7, 8, 16, 32, 33, 64, 0x3ff, 4096, 0xffff, 0x7fffffff, ~0u};
		uint32_t *operand = anyOperand();
		if (!operand)
			return;
		switch (random() % 3) {
		case 0:
			*operand = static_cast<uint32_t>(random() % (uint64_t{words[3]} + 1));
			return;
		case 1:
			*operand = numbers[random() % std::size(numbers)];
			return;
		default:
			*operand ^= 1u << random() % 32;
		}
	}

	void remove()
	{
		size_t place = any();
		words.erase(at(place), at(place + (words[place] >> 16)));
	}

	void putIn(const ModuleWords &from)
	{
		const std::vector<size_t> others = placesIn(from);
		if (others.size() < 2)
			return;
		size_t chosen = random() % (others.size() - 1);
		const ModuleWords copy(from.begin() + static_cast<ptrdiff_t>(others[chosen]),
				       from.begin() + static_cast<ptrdiff_t>(others[chosen + 1]));
		words.insert(at(any()), copy.begin(), copy.end());
	}

	void exchange()
	{
		uint32_t *first = anyOperand(), *second = anyOperand();
		if (first && second)
			std::swap(*first, *second);
	}

	void changeOperation()
	{
		uint32_t &word = words[any()];
		word = (word & 0xffff0000) | static_cast<uint32_t>(random() % 400);
	}

	ModuleWords &words;
	std::vector<size_t> places;
	std::minstd_rand &random;
};

} // namespace

namespace weft
{

ModuleWords wordsOf(const uint8_t *data, size_t size)
{
	ModuleWords words(size / sizeof(uint32_t));

	if (!words.empty())
		memcpy(words.data(), data, words.size() * sizeof(uint32_t));
	return words;
}

void changeModule(ModuleWords &words, const ModuleWords &other, unsigned count, unsigned seed)
{
	const ModuleWords from = other; /* it may be the module itself */
	std::minstd_rand random(seed);

	for (unsigned i = 0; i < count; i++)
		Change(words, random).run(from);
}

void readAnything(const uint8_t *data, size_t size)
{
	static const weft_target target = {};
	static const uint8_t value[] = {3, 0, 0, 0};
	const SpirvSpecialisation specialisation = {1, value};
	const SpirvInput input = {data, size, specialisation};
	llvm::LLVMContext context;
	std::string log;
	BuildOptions options;

	options.debugInfo = size / sizeof(uint32_t) % 2 != 0;
	std::unique_ptr<llvm::Module> module = readSpirv(input, options, target, context, log);
	if (!module && log.find("error: ") == std::string::npos) {
		llvm::errs() << "no module, and no reason\n";
		abort();
	}
	if (module && verifyModule(*module, &llvm::errs()))
		abort();
}

} // namespace weft
