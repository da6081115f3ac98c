/* SPDX-License-Identifier: MIT
 *
 * Splits an option string into words and matches them with the list. Quotes, single or double, may
 * enclose a word or a part of one; a backslash before a quote, a backslash or a space takes it
 * literally, and stands for itself before anything else (a Windows-style path, "\n" in a macro's
 * string).
 */
#include "front_end/build_options.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <cctype>

namespace
{

using weft::BuildOptions;
using weft::ForCompile;
using weft::ForLink;

struct FlagRow {
	llvm::StringRef name;
	bool BuildOptions::*field;
	unsigned uses;
};

constexpr FlagRow flags[] = {
#define WEFT_BUILD_FLAG(name, field, uses) {name, &BuildOptions::field, uses},
#include "front_end/build_options.def"
#undef WEFT_BUILD_FLAG
};

bool isSpace(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Words of an option string, one at a time. */
class Words
{
      public:
	explicit Words(llvm::StringRef string) : text(string)
	{
		skipSpaces();
	}

	bool atEnd() const
	{
		return text.empty();
	}

	/* False when a quote is not closed. */
	bool next(std::string &word)
	{
		char quote = 0;

		word.clear();
		while (!text.empty() && (quote || !isSpace(text[0]))) {
			char c = text[0];
			if (c == '\\' && text.size() > 1 && isEscapable(text[1], quote)) {
				word += text[1];
				text = text.drop_front(2);
				continue;
			}
			text = text.drop_front();
			if (quote ? c == quote : (c == '"' || c == '\''))
				quote = quote ? 0 : c;
			else
				word += c;
		}
		skipSpaces();
		return quote == 0;
	}

      private:
	static bool isEscapable(char c, char quote)
	{
		return c == '"' || c == '\'' || c == '\\' || (!quote && c == ' ');
	}

	void skipSpaces()
	{
		text = text.drop_while(isSpace);
	}

	llvm::StringRef text;
};

bool fail(std::string &log, const char *what, const llvm::Twine &option)
{
	log += (llvm::Twine("error: ") + what + " '" + option + "'\n").str();
	return false;
}

bool isMacroName(llvm::StringRef name)
{
	auto isNameChar = [](char c) {
		return isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
		       static_cast<unsigned char>(c) >= 0x80;
	};

	return !name.empty() && !isdigit(static_cast<unsigned char>(name[0])) &&
	       name.find_if_not(isNameChar) == llvm::StringRef::npos;
}

/* "name", "name=definition" or "name(parameters)=definition"; specification 5.8.6.1 cuts the
 * definition at a line's end. */
bool addMacro(llvm::StringRef text, BuildOptions &options, std::string &log)
{
	auto [head, definition] = text.split('=');
	auto [name, parameters] = head.split('(');
	bool isFunction = name.size() != head.size();

	if (!isMacroName(name) || (isFunction && !parameters.ends_with(")")))
		return fail(log, "not a macro definition in option", "-D " + text);
	if (head.size() == text.size())
		definition = "1";
	definition = definition.take_until([](char c) { return c == '\n' || c == '\r'; });
	options.macros.emplace_back(head, definition);
	return true;
}

bool addLanguageVersion(llvm::StringRef option, llvm::StringRef value, BuildOptions &options,
			std::string &log)
{
	static constexpr struct {
		llvm::StringRef name;
		unsigned version;
		bool isCxx;
	} versions[] = {{"CL1.0", 100, false}, {"CL1.1", 110, false},   {"CL1.2", 120, false},
			{"CL2.0", 200, false}, {"CL3.0", 300, false},   {"CL3.1", 310, false},
			{"CLC++", 200, true},  {"CLC++1.0", 200, true}, {"CLC++2021", 300, true}};

	for (const auto &row : versions) {
		if (value == row.name) {
			options.languageVersion = row.version;
			options.isCxx = row.isCxx;
			return true;
		}
	}
	return fail(log, "unknown language version in option", option);
}

/* The value of -D or -I: the rest of the word, or the next one. */
bool takeValue(Words &words, llvm::StringRef word, std::string &value, std::string &log)
{
	value = word.drop_front(2).str();
	if (!value.empty())
		return true;
	if (words.atEnd())
		return fail(log, "a value is missing after option", word);
	if (!words.next(value))
		return fail(log, "a quote is not closed in option", word + " " + value);
	if (value.empty())
		return fail(log, "a value is missing after option", word);
	return true;
}

bool parseFlag(llvm::StringRef word, unsigned use, BuildOptions &options, std::string &log)
{
	for (const FlagRow &row : flags) {
		if (row.name != word)
			continue;
		if (!(row.uses & use))
			return fail(log,
				    use & ForLink ? "not an option for linking:"
						  : "not an option for compiling:",
				    word);
		options.*row.field = true;
		return true;
	}
	return fail(log, "unknown option", word);
}

bool parseWord(Words &words, llvm::StringRef word, unsigned use, BuildOptions &options,
	       std::string &log)
{
	std::string value;

	if (!(use & ForCompile))
		return parseFlag(word, use, options, log);
	if (word.starts_with("-D"))
		return takeValue(words, word, value, log) && addMacro(value, options, log);
	if (word.starts_with("-I")) {
		if (!takeValue(words, word, value, log))
			return false;
		options.includeDirs.push_back(value);
		return true;
	}
	if (word.starts_with("-cl-std="))
		return addLanguageVersion(word, word.drop_front(8), options, log);
	return parseFlag(word, use, options, log);
}

} // namespace

namespace weft
{

bool parseBuildOptions(const char *text, OptionUse use, BuildOptions &options, std::string &log)
{
	Words words(text ? text : "");
	std::string word;

	while (!words.atEnd()) {
		if (!words.next(word))
			return fail(log, "a quote is not closed in option", word);
		if (!parseWord(words, word, use, options, log))
			return false;
	}
	/* Specification 5.8.7.1: the one must come with the other. */
	if (options.enableLinkOptions && !options.createLibrary)
		return fail(log, "needs -create-library: option", "-enable-link-options");
	return true;
}

} // namespace weft
