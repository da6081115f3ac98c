/* SPDX-License-Identifier: MIT
 *
 * A memory file system over a filtered view of the host's.
 */
#include "front_end/source_files.h"

#include "llvm/ADT/StringMap.h"
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

/* The host's files, regular ones only: opening a pipe would block, reading a device never end. Paths count from a working
 * folder of the compilation's own, since another thread may change the process's at any time. */
class HostFiles : public llvm::vfs::ProxyFileSystem
{
      public:
	/* `folder`: NULL: the process's. */
	HostFiles(const char *folder, weft::Surroundings &into)
	    : ProxyFileSystem(llvm::vfs::createPhysicalFileSystem()), surroundings(into)
	{
		isLost = folder && setCurrentWorkingDirectory(folder);
	}

	llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override
	{
		if (isOwn(path))
			return absent;
		if (isLost && !llvm::sys::path::is_absolute(path)) {
			note(path, WEFT_PLACE_NOTHING);
			return absent;
		}
		auto found = ProxyFileSystem::status(path);
		bool isFolder = found && found->isDirectory();
		bool isFile = found && found->isRegularFile();

		note(path, isFolder ? WEFT_PLACE_FOLDER
			   : isFile ? WEFT_PLACE_FILE
				    : WEFT_PLACE_NOTHING);
		if (found && !isFile && !isFolder)
			return absent;
		return found;
	}

	llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
	openFileForRead(const llvm::Twine &path) override
	{
		auto found = status(path);

		if (!found)
			return found.getError();
		auto file = ProxyFileSystem::openFileForRead(path);
		if (!file)
			note(path, WEFT_PLACE_NOTHING);
		return file;
	}

	bool exists(const llvm::Twine &path) override
	{
		return static_cast<bool>(status(path));
	}

	/* If the working folder was removed, compilation goes on: relative paths lead nowhere. */
	llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override
	{
		auto folder = ProxyFileSystem::getCurrentWorkingDirectory();

		return folder ? folder : std::string("/");
	}

      private:
	/* Files in memory are not looked for on the host. */
	static bool isOwn(const llvm::Twine &path)
	{
		llvm::SmallString<256> text;
		llvm::StringRef rest = path.toStringRef(text);

		return rest.consume_front(weft::ownFolder) && (rest.empty() || rest[0] == '/');
	}

	/* The last look counts: a file may be there, and yet not be readable. What is not there is not there in other working
	 * folders either, as a rule: so a result may serve them, too, and the path stays relative. */
	void note(const llvm::Twine &path, weft_place_kind kind)
	{
		llvm::SmallString<256> text;

		path.toVector(text);
		if (!llvm::sys::path::is_absolute(text) && kind != WEFT_PLACE_NOTHING) {
			if (text == "." && kind == WEFT_PLACE_FOLDER)
				return; /* as everywhere */
			surroundings.usesFolder = true;
			if (makeAbsolute(text))
				return;
		}
		auto [known, isNew] = numbers.try_emplace(text, surroundings.places.size());
		if (isNew)
			surroundings.places.push_back({text.str().str(), kind});
		else
			surroundings.places[known->second].kind = kind;
	}

	const std::error_code absent = std::make_error_code(std::errc::no_such_file_or_directory);
	weft::Surroundings &surroundings;
	bool isLost;                     /* the working folder was removed */
	llvm::StringMap<size_t> numbers; /* of places */
};

std::unique_ptr<llvm::MemoryBuffer> bufferOf(llvm::StringRef text, llvm::StringRef name)
{
	return llvm::MemoryBuffer::getMemBufferCopy(text, name); /* Clang wants a zero at the end */
}

llvm::StringRef embedded(const unsigned char *text, size_t size)
{
	return {reinterpret_cast<const char *>(text), size};
}

} // namespace

namespace weft
{

llvm::StringRef baseHeaderText()
{
	return embedded(opencl_c_base_h, opencl_c_base_h_size);
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
createSourceFiles(const weft_compile_desc &desc, llvm::StringRef base, Surroundings &surroundings)
{
	auto host = llvm::makeIntrusiveRefCnt<HostFiles>(desc.folder, surroundings);
	auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
	auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(host);

	memory->addFile(baseHeader, 0, llvm::MemoryBuffer::getMemBuffer(base, baseHeader));
	memory->addFile(declarationsHeader, 0,
			llvm::MemoryBuffer::getMemBuffer(
				embedded(declarations_h, declarations_h_size), declarationsHeader));
	/* Specification, clCompileProgram: of entries with the same name the last counts; adding a
	 * name again does nothing. */
	for (size_t i = desc.num_headers; i-- > 0;) {
		const weft_header &header = desc.headers[i];
		llvm::SmallString<256> path(givenHeadersDir);

		llvm::sys::path::append(path, header.name);
		memory->addFile(path, 0, bufferOf({header.text, header.size}, header.name));
	}
	overlay->pushOverlay(memory);
	return overlay;
}

} // namespace weft
