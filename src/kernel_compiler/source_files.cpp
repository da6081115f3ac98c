/* SPDX-License-Identifier: MIT
 *
 * A memory file system over a filtered view of the host's.
 */
#include "source_files.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

namespace weft
{

/* Generated: the texts of opencl-c-base.h, and of lib/builtins' declarations.h. */
extern const unsigned char opencl_c_base_h[];
extern const size_t opencl_c_base_h_size;
extern const unsigned char declarations_h[];
extern const size_t declarations_h_size;

} // namespace weft

namespace
{

/* The host's files, regular ones only: opening a pipe would block, reading a device never end. */
class HostFiles : public llvm::vfs::ProxyFileSystem
{
      public:
	explicit HostFiles(std::vector<std::string> &list)
	    : ProxyFileSystem(llvm::vfs::getRealFileSystem()), files(list)
	{
	}

	llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override
	{
		auto found = ProxyFileSystem::status(path);

		if (found && !found->isRegularFile() && !found->isDirectory())
			return std::make_error_code(std::errc::no_such_file_or_directory);
		return found;
	}

	llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
	openFileForRead(const llvm::Twine &path) override
	{
		auto found = status(path);

		if (!found)
			return found.getError();
		auto file = ProxyFileSystem::openFileForRead(path);
		if (file)
			note(path);
		return file;
	}

      private:
	void note(const llvm::Twine &path)
	{
		llvm::SmallString<256> absolute;

		path.toVector(absolute);
		if (makeAbsolute(absolute))
			return; /* no working folder: nothing can be opened by this path again */
		if (seen.insert(absolute).second)
			files.push_back(absolute.str().str());
	}

	std::vector<std::string> &files;
	llvm::StringSet<> seen;
};

std::unique_ptr<llvm::MemoryBuffer> bufferOf(llvm::StringRef text, llvm::StringRef name)
{
	return llvm::MemoryBuffer::getMemBufferCopy(text, name); /* Clang wants a zero at the end */
}

std::unique_ptr<llvm::MemoryBuffer> embedded(const unsigned char *text, size_t size,
					     llvm::StringRef name)
{
	return llvm::MemoryBuffer::getMemBuffer({reinterpret_cast<const char *>(text), size}, name);
}

} // namespace

namespace weft
{

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
createSourceFiles(const weft_header *headers, size_t numHeaders, std::vector<std::string> &files)
{
	auto host = llvm::makeIntrusiveRefCnt<HostFiles>(files);
	auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
	auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(host);

	memory->addFile(baseHeader, 0, embedded(opencl_c_base_h, opencl_c_base_h_size, baseHeader));
	memory->addFile(declarationsHeader, 0,
			embedded(declarations_h, declarations_h_size, declarationsHeader));
	/* Specification, clCompileProgram: of entries with the same name the last counts; adding a
	 * name again does nothing. */
	for (size_t i = numHeaders; i-- > 0;) {
		llvm::SmallString<256> path(givenHeadersDir);

		llvm::sys::path::append(path, headers[i].name);
		memory->addFile(path, 0,
				bufferOf({headers[i].text, headers[i].size}, headers[i].name));
	}
	overlay->pushOverlay(memory);
	return overlay;
}

} // namespace weft
