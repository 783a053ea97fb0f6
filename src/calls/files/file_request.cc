#include "calls/files/file_request.h"

#include <simdjson.h>

#include <errno.h>

#include <climits>
#include <utility>

#include "base/text/json_builder.h"
#include "base/text/json_text.h"
#include "base/text/utf8.h"
#include "replay/replay.h"

namespace glovebox::calls {
namespace {

using Kind = FileRequest::Kind;

constexpr std::pair<std::string_view, Kind> kOps[] = {
    {"fs.read", Kind::kRead},
    {"fs.write", Kind::kWrite},
    {"fs.readDir", Kind::kReadDirectory},
    {"fs.stat", Kind::kStat},
    {"fs.lstat", Kind::kLstat},
    {"fs.realPath", Kind::kRealPath},
    {"fs.mkdir", Kind::kMakeDirectory},
    {"fs.remove", Kind::kRemove},
    {"fs.rename", Kind::kRename},
    {"fs.copy", Kind::kCopy},
    {"fs.makeTempDir", Kind::kMakeTempDirectory},
    {"fs.makeTempFile", Kind::kMakeTempFile},
    {"fs.cwd", Kind::kCurrentFolder},
};

struct ErrorClass {
  int number;
  const char* code;
  const char* name;
};

// Deno's classes. An error that has none is an Error with its code.
constexpr ErrorClass kErrorClasses[] = {
    {ENOENT, "ENOENT", "NotFound"},
    {EEXIST, "EEXIST", "AlreadyExists"},
    {EISDIR, "EISDIR", "IsADirectory"},
    {ENOTDIR, "ENOTDIR", "NotADirectory"},
    {ELOOP, "ELOOP", "FilesystemLoop"},
    {EACCES, "EACCES", "PermissionDenied"},
    {EPERM, "EPERM", "PermissionDenied"},
    {EBUSY, "EBUSY", "Busy"},
    {ETXTBSY, "ETXTBSY", "Busy"},
    {EINTR, "EINTR", "Interrupted"},
    {EAGAIN, "EAGAIN", "WouldBlock"},
    {ETIMEDOUT, "ETIMEDOUT", "TimedOut"},
    {ENOTSUP, "ENOTSUP", "NotSupported"},
    {EINVAL, "EINVAL", "TypeError"},
    {ENOTEMPTY, "ENOTEMPTY", "Error"},
    {ENAMETOOLONG, "ENAMETOOLONG", "Error"},
    {ENOSPC, "ENOSPC", "Error"},
    {EROFS, "EROFS", "Error"},
    {EXDEV, "EXDEV", "Error"},
    {EFBIG, "EFBIG", "Error"},
    {EMFILE, "EMFILE", "Error"},
    {EIO, "EIO", "Error"},
};

// A path beyond PATH_MAX is refused anyway, so a longer one is cut, between UTF-8 characters, to save memory.
constexpr std::size_t kMaxPathBytes = 2 * PATH_MAX;

std::optional<std::string> path_of(const CallArguments& arguments, std::string_view field) {
  auto path = arguments.text(field);
  if (!path || path->size() <= kMaxPathBytes) return path;
  return std::string(base::beginning_of(*path, kMaxPathBytes));
}

std::optional<std::uint32_t> mode_of(const CallArguments& arguments) {
  const auto mode = arguments.integer("mode");
  if (!mode) return std::nullopt;
  return static_cast<std::uint32_t>(*mode) & 07777;
}

const char* name_of(vfs::FileKind kind) {
  switch (kind) {
    case vfs::FileKind::kFile: return "file";
    case vfs::FileKind::kDirectory: return "directory";
    case vfs::FileKind::kSymlink: return "symlink";
    case vfs::FileKind::kOther: return "other";
  }
  return "other";
}

std::string to_json(const vfs::FileInfo& info) {
  base::ObjectText out;
  out.text("kind", name_of(info.kind))
      .number("size", info.size)
      .number("mode", info.mode)
      .number("mtime", info.modified_ms)
      .number("atime", info.accessed_ms)
      .number("ctime", info.changed_ms);
  if (info.born_ms) out.number("birthtime", *info.born_ms);
  // Some file systems use all 64 bits of these two.
  return out.json("dev", std::to_string(info.device))
      .json("ino", std::to_string(info.inode))
      .number("nlink", info.links)
      .number("uid", info.user)
      .number("gid", info.group)
      .number("blksize", info.block_size)
      .number("blocks", info.blocks)
      .done();
}

std::string to_json(const std::vector<vfs::DirectoryEntry>& entries) {
  return base::json_list(entries, [](const vfs::DirectoryEntry& entry) {
    return base::ListText().text(entry.name).text(name_of(entry.kind)).done();
  });
}

template <typename T>
vfs::FileResult<std::string> as_json(vfs::FileResult<T> result) {
  if (!result) return std::move(result).failure();
  if constexpr (std::is_void_v<T>) {
    return std::string("null");
  } else if constexpr (std::is_same_v<T, std::string>) {
    return base::json_string(result.value());
  } else {
    return to_json(result.value());
  }
}

}  // namespace

std::optional<FileRequest> FileRequest::parse(const Call& call) {
  for (const auto& [op, kind] : kOps) {
    if (op != call.op) continue;
    const CallArguments& arguments = call.arguments;
    FileRequest request{};
    request.kind = kind;
    if (kind == Kind::kMakeTempDirectory || kind == Kind::kMakeTempFile) {
      request.temp = {path_of(arguments, "dir").value_or(""), path_of(arguments, "prefix").value_or(""),
                      path_of(arguments, "suffix").value_or("")};
      return request;
    }
    if (kind == Kind::kCurrentFolder) return request;
    const auto path = path_of(arguments, "path");
    if (!path) return std::nullopt;
    request.path = *path;
    request.recursive = arguments.flag("recursive");
    request.mode = mode_of(arguments);
    request.write = {arguments.flag("append"), arguments.flag("create"), arguments.flag("createNew"), request.mode};
    if (kind == Kind::kRename || kind == Kind::kCopy) {
      const auto to = path_of(arguments, "to");
      if (!to) return std::nullopt;
      request.to = *to;
    }
    return request;
  }
  return std::nullopt;
}

bool FileRequest::changes_files() const {
  switch (kind) {
    case Kind::kWrite:
    case Kind::kMakeDirectory:
    case Kind::kRemove:
    case Kind::kRename:
    case Kind::kCopy:
    case Kind::kMakeTempDirectory:
    case Kind::kMakeTempFile: return true;
    default: return false;
  }
}

std::optional<FileRequest> FileRequest::again(const replay::RecordedReply& reply) const {
  if (kind != Kind::kMakeTempDirectory && kind != Kind::kMakeTempFile) return *this;
  simdjson::dom::parser parser;
  std::string_view name;
  const simdjson::padded_string text(reply.value_json);
  if (!reply.ok || parser.parse(text).get_string().get(name) != simdjson::SUCCESS) return std::nullopt;
  FileRequest request{};
  request.path = name;
  request.kind = kind == Kind::kMakeTempDirectory ? Kind::kMakeDirectory : Kind::kWrite;
  request.write.create_new = true;
  return request;
}

std::string FileRequest::target() const {
  if (kind == Kind::kCurrentFolder) return "<CWD>";
  if (kind == Kind::kMakeTempDirectory || kind == Kind::kMakeTempFile) return temp.folder;
  return to.empty() ? path : path + " -> " + to;
}

vfs::FileResult<std::string> perform(vfs::FileView& view, const FileRequest& request) {
  switch (request.kind) {
    case Kind::kReadDirectory: return as_json(view.read_directory(request.path));
    case Kind::kStat: return as_json(view.stat(request.path));
    case Kind::kLstat: return as_json(view.lstat(request.path));
    case Kind::kRealPath: return as_json(view.real_path(request.path));
    case Kind::kMakeDirectory: return as_json(view.make_directory(request.path, request.recursive, request.mode));
    case Kind::kRemove: return as_json(view.remove(request.path, request.recursive));
    case Kind::kRename: return as_json(view.rename(request.path, request.to));
    case Kind::kCopy: return as_json(view.copy(request.path, request.to));
    case Kind::kMakeTempDirectory: return as_json(view.make_temp_directory(request.temp));
    case Kind::kMakeTempFile: return as_json(view.make_temp_file(request.temp));
    case Kind::kCurrentFolder: return as_json(view.current_folder());
    case Kind::kRead:
    case Kind::kWrite: break;
  }
  return vfs::FileError{vfs::FileError::Kind::kRefused, ENOTSUP, "not an operation without bytes"};
}

CallError to_call_error(const vfs::FileError& error) {
  if (error.kind == vfs::FileError::Kind::kQuota) return {"QuotaExceeded", "ENOSPC", error.message};
  for (const ErrorClass& known : kErrorClasses) {
    if (known.number == error.error_number) return {known.name, known.code, error.message};
  }
  return {"Error", "", error.message};
}

}  // namespace glovebox::calls
