/* SPDX-License-Identifier: MIT
 *
 * A header with a digest of what follows: numbers of 32 bits, and texts behind their lengths.
 */
#include "front_end/kept_source.h"

#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

extern "C" {
#include "digest.h"
}

namespace weft
{

namespace
{

struct Header {
	char magic[8];
	uint64_t digest[2]; /* of the rest */
};

constexpr char magic[8] = "WEFTSRC";

class Writer
{
      public:
	explicit Writer(llvm::raw_ostream &to) : stream(to), numbers(to, llvm::endianness::little)
	{
	}

	void add(size_t number)
	{
		numbers.write(static_cast<uint32_t>(number));
	}

	void add(llvm::StringRef text)
	{
		add(text.size());
		stream << text;
	}

      private:
	llvm::raw_ostream &stream;
	llvm::support::endian::Writer numbers;
};

class Reader
{
      public:
	explicit Reader(llvm::StringRef bytes) : data(bytes, true, 8)
	{
	}

	uint32_t number()
	{
		return data.getU32(at);
	}

	std::string text()
	{
		const uint32_t size = number();
		return data.getBytes(at, size).str();
	}

	/* Of what follows, with at least four bytes for each. */
	uint32_t count()
	{
		const uint32_t stated = number();
		return at && data.isValidOffsetForDataOfSize(at.tell(), uint64_t{stated} * 4)
			       ? stated
			       : 0;
	}

	bool isAtEnd()
	{
		const bool isEnd = at && data.eof(at);
		llvm::consumeError(at.takeError());
		return isEnd;
	}

      private:
	llvm::DataExtractor data;
	llvm::DataExtractor::Cursor at{0};
};

} // namespace

void writeKeptSource(const weft_compile_desc &desc, const SourceDivision &division,
		     llvm::SmallVectorImpl<char> &bytes)
{
	llvm::raw_svector_ostream stream(bytes);
	Header header = {};

	stream.write(reinterpret_cast<const char *>(&header), sizeof(header));
	Writer writer(stream);
	writer.add(size_t{desc.zero_private});
	writer.add(size_t{desc.zero_local});
	writer.add(llvm::StringRef(desc.options ? desc.options : ""));
	writer.add(llvm::StringRef(desc.source, desc.source_size));
	writer.add(division.bodies.size());
	for (const FunctionBody &body : division.bodies) {
		for (uint32_t number : {body.function, body.begin, body.end})
			writer.add(size_t{number});
	}
	writer.add(division.kernels.size());
	for (const KernelSource &kernel : division.kernels) {
		writer.add(llvm::StringRef(kernel.name));
		writer.add(kernel.needs.size());
		for (uint32_t place : kernel.needs)
			writer.add(size_t{place});
	}
	const weft_digest digest =
		weft_digest_bytes(bytes.data() + sizeof(header), bytes.size() - sizeof(header));
	memcpy(header.magic, magic, sizeof(magic));
	header.digest[0] = digest.low;
	header.digest[1] = digest.high;
	memcpy(bytes.data(), &header, sizeof(header));
}

bool isKeptSource(llvm::StringRef bytes)
{
	return bytes.size() >= sizeof(Header) && memcmp(bytes.data(), magic, sizeof(magic)) == 0;
}

bool readKeptSource(llvm::StringRef bytes, KeptSource &source)
{
	Header header;

	if (!isKeptSource(bytes))
		return false;
	memcpy(&header, bytes.data(), sizeof(header));
	bytes = bytes.drop_front(sizeof(header));
	const weft_digest digest = weft_digest_bytes(bytes.data(), bytes.size());
	if (digest.low != header.digest[0] || digest.high != header.digest[1])
		return false;
	Reader reader(bytes);
	source.zeroPrivate = reader.number() != 0;
	source.zeroLocal = reader.number() != 0;
	source.options = reader.text();
	source.text = reader.text();
	source.division.bodies.resize(reader.count());
	for (FunctionBody &body : source.division.bodies) {
		for (uint32_t *number : {&body.function, &body.begin, &body.end})
			*number = reader.number();
	}
	source.division.kernels.resize(reader.count());
	for (KernelSource &kernel : source.division.kernels) {
		kernel.name = reader.text();
		kernel.needs.resize(reader.count());
		for (uint32_t &place : kernel.needs)
			place = reader.number();
	}
	return reader.isAtEnd();
}

void keepBodies(KeptSource &source, const FunctionPlaces &functions)
{
	for (const FunctionBody &body : source.division.bodies) {
		if (functions.contains(body.function) || body.begin >= body.end ||
		    body.end > source.text.size())
			continue;
		source.text[body.begin] = ';';
		for (uint32_t i = body.begin + 1; i < body.end; i++) {
			if (source.text[i] != '\n' && source.text[i] != '\r')
				source.text[i] = ' ';
		}
	}
}

} // namespace weft
