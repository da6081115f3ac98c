/* SPDX-License-Identifier: MIT
 *
 * Definitions of one line each may be left out: #define, and typedef of a vector. Macros of extensions and features never are, since
 * Clang asks for them when a built-in function is named.
 */
#include "front_end/needed_text.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <atomic>
#include <memory>

namespace
{

/* Whether a line goes on in the next one: behind a backslash Clang passes over white space. */
bool splicesLines(llvm::StringRef text)
{
	for (size_t at; (at = text.find('\\')) != llvm::StringRef::npos;) {
		text = text.drop_front(at + 1);
		if (!text.empty() && llvm::isSpace(text.front()))
			return true;
	}
	return false;
}

bool isOfWord(char c)
{
	return llvm::isAlnum(c) || c == '_';
}

llvm::StringRef firstWord(llvm::StringRef text)
{
	return text.ltrim(' ').take_while(isOfWord);
}

struct Line {
	llvm::StringRef text;
	llvm::StringRef name; /* that it defines; none: the line stays */
};

using Lines = llvm::SmallVector<Line, 0>;

/* The name that a line defines if it may be left out. */
llvm::StringRef definedName(llvm::StringRef text)
{
	if (text.ends_with("\\"))
		return "";
	if (text.consume_front("#define ")) {
		llvm::StringRef name = firstWord(text);
		return name.starts_with("cl_") || name.starts_with("__opencl") ? "" : name;
	}
	size_t end = text.find(" __attribute__((ext_vector_type(");
	if (!text.starts_with("typedef ") || end == llvm::StringRef::npos)
		return "";
	return text.take_front(end).rsplit(' ').second;
}

/* Of the header, without comments that are lines of their own. */
Lines linesOf(llvm::StringRef text)
{
	llvm::SmallVector<llvm::StringRef, 0> texts;
	Lines lines;
	bool isComment = false, goesOn = false;

	text.split(texts, '\n');
	for (llvm::StringRef line : texts) {
		llvm::StringRef start = line.ltrim(" \t");
		isComment = isComment || (!goesOn && start.starts_with("/*"));
		const bool isLeft = isComment || (!goesOn && start.starts_with("//"));
		lines.push_back({isLeft ? "" : line, isLeft || goesOn ? "" : definedName(line)});
		isComment = isComment && !line.contains("*/");
		goesOn = line.ends_with("\\");
	}
	return lines;
}

/* Words that lines have which always stay. */
weft::Words alwaysNeeded(llvm::ArrayRef<Line> lines)
{
	weft::Words words;

	for (const Line &line : lines) {
		if (line.name.empty())
			words.addText(line.text);
	}
	return words;
}

/* Which lines are needed, and in `words` what these need. */
llvm::BitVector neededLines(llvm::ArrayRef<Line> lines, weft::Words &words)
{
	llvm::BitVector needed(unsigned(lines.size()));

	for (bool isMore = true; isMore;) {
		isMore = false;
		for (auto [i, line] : llvm::enumerate(lines)) {
			const auto number = unsigned(i);
			if (line.name.empty()) {
				needed.set(number);
			} else if (!needed.test(number) && words.mayHave(line.name)) {
				needed.set(number);
				words.addText(line.text);
				isMore = true;
			}
		}
	}
	return needed;
}

/* A header in lines. */
struct HeaderLines {
	Lines lines;
	weft::Words words; /* of lines that always stay */
};

/* Made once, without a lock: a thread may leave its job here. */
const HeaderLines &linesOfOnce(llvm::StringRef text)
{
	static std::atomic<const HeaderLines *> made;
	const HeaderLines *found = made.load(std::memory_order_acquire);

	if (found)
		return *found;
	auto header = std::make_unique<HeaderLines>();
	header->lines = linesOf(text);
	header->words = alwaysNeeded(header->lines);
	if (made.compare_exchange_strong(found, header.get(), std::memory_order_acq_rel))
		return *header.release();
	return *found;
}

} // namespace

namespace weft
{

bool mayHideWords(llvm::StringRef text)
{
	return text.contains("##") || text.contains("%:%:") || text.contains("include") ||
	       text.contains("import") || text.contains("??") || splicesLines(text);
}

static size_t bitsOf(llvm::StringRef word)
{
	uint32_t bits = 0;

	for (char c : word)
		bits = (bits ^ static_cast<unsigned char>(c)) * 16777619U;
	return bits ^ bits >> 15;
}

void Words::addText(llvm::StringRef text)
{
	for (size_t at = 0; at < text.size();) {
		llvm::StringRef word = text.substr(at).take_while(isOfWord);
		if (!word.empty())
			seen.set(bitsOf(word) % size);
		at += word.size() + 1;
	}
}

bool Words::mayHave(llvm::StringRef word) const
{
	return seen.test(bitsOf(word) % size);
}

void Words::addWords(const Words &others)
{
	seen |= others.seen;
}

std::string neededHeader(llvm::StringRef text, Words &words)
{
	const HeaderLines &header = linesOfOnce(text);
	std::string rest;

	words.addWords(header.words);
	const llvm::BitVector needed = neededLines(header.lines, words);
	for (auto [i, line] : llvm::enumerate(header.lines)) {
		if (needed.test(unsigned(i)))
			rest.append(line.text.begin(), line.text.end());
		rest += '\n';
	}
	return rest;
}

std::string neededMacros(llvm::StringRef macros, Words &words)
{
	const size_t options = macros.find("# 1 \"<command line>\"");
	llvm::SmallVector<llvm::StringRef, 0> texts;
	Lines lines;
	std::string rest;

	macros.take_front(options).split(texts, '\n');
	for (llvm::StringRef line : texts) {
		llvm::StringRef name = definedName(line);
		lines.push_back({line, name.starts_with("__") ? name : ""});
	}
	words.addWords(alwaysNeeded(lines));
	const llvm::BitVector needed = neededLines(lines, words);
	for (unsigned i : needed.set_bits()) {
		rest.append(lines[i].text.begin(), lines[i].text.end());
		rest += '\n';
	}
	if (options != llvm::StringRef::npos)
		rest += macros.drop_front(options);
	return rest;
}

} // namespace weft
