// A file operation that a guest requests, and its execution, except for the bytes, which file_calls.h moves.
#pragma once

#include <optional>
#include <string>

#include "calls/call.h"
#include "vfs/file_view.h"

namespace glovebox::calls {

struct FileRequest {
  enum class Kind {
    kRead,
    kWrite,
    kReadDirectory,
    kStat,
    kLstat,
    kRealPath,
    kMakeDirectory,
    kRemove,
    kRename,
    kCopy,
    kMakeTempDirectory,
    kMakeTempFile,
    kCurrentFolder
  };
  Kind kind;
  std::string path;
  std::string to;  // of a rename or copy
  bool recursive = false;
  std::optional<std::uint32_t> mode;
  vfs::WriteOptions write;
  vfs::TempOptions temp;

  // Nothing for a call that our bridge would not make.
  static std::optional<FileRequest> parse(const Call& call);
  // For the trace.
  std::string target() const;
  bool changes_files() const;
  // The request that repeats this one when its answer is known: a temporary file gets its recorded name. Nothing if
  // there is nothing to repeat.
  std::optional<FileRequest> again(const replay::RecordedReply& reply) const;
};

// Everything but kRead and kWrite. The answer is JSON.
vfs::FileResult<std::string> perform(vfs::FileView& view, const FileRequest& request);

// What the guest throws for it. Not for denials.
CallError to_call_error(const vfs::FileError& error);

}  // namespace glovebox::calls
