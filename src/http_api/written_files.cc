// Files that the calls of an approval request would write, as they are now: a person sees what changes.
#include <fcntl.h>
#include <unistd.h>

#include "base/text/utf8.h"
#include "base/try.h"
#include "http_api/problem.h"
#include "http_api/routes.h"
#include "vfs/paths/open_beneath.h"

namespace glovebox::http_api {
namespace {

namespace json = mcp::json;

constexpr std::size_t kMostWrittenBytes = std::size_t{256} << 10;
constexpr std::size_t kMostFiles = 20;

// What tools call the file that they write, and its new content.
constexpr std::string_view kPaths[] = {"path", "file_path", "filePath", "file", "filename"};
constexpr std::string_view kContents[] = {"content", "contents", "text", "file_text"};

template <std::size_t N>
std::optional<std::string> first_text(const json::object& arguments, const std::string_view (&names)[N]) {
  for (const std::string_view name : names)
    if (auto text = mcp::string_member(arguments, name)) return text;
  return std::nullopt;
}

// Beneath the workspace and through no link: the path is an agent's choice. Nothing: it is not there, or no text.
std::optional<std::string> text_of(const std::string& workspace, std::string path) {
  if (path.starts_with(workspace + "/")) path.erase(0, workspace.size() + 1);
  while (path.starts_with("./")) path.erase(0, 2);
  const bool leads_out = path.empty() || path.starts_with("/") || ("/" + path + "/").find("/../") != std::string::npos;
  if (leads_out || path.find('\0') != std::string::npos) return std::nullopt;
  const base::UniqueFd folder(::open(workspace.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return std::nullopt;
  const auto file = vfs::open_beneath(folder.get(), path, O_RDONLY);
  if (!file) return std::nullopt;
  const auto info = vfs::info_of(file->get());
  if (!info || info->kind != vfs::FileKind::kFile || info->size > kMostWrittenBytes) return std::nullopt;
  std::string text(kMostWrittenBytes + 1, '\0');
  std::size_t size = 0;
  for (ssize_t got = 1; got > 0 && size < text.size(); size += static_cast<std::size_t>(std::max<ssize_t>(got, 0)))
    got = ::read(file->get(), text.data() + size, text.size() - size);
  text.resize(size);
  if (size > kMostWrittenBytes || !base::is_utf8(text)) return std::nullopt;
  return text;
}

Result<json::object> found_files(const ApiRequest& request) {
  const auto approval = GLOVEBOX_TRY(request.store.find_approval(request.id));
  if (!approval) return Failure{ErrorCode::kNotFound, "there is no approval " + request.id};
  json::array files;
  for (const store::ApprovalCall& call : approval->calls) {
    const auto arguments = mcp::parse_object(call.arguments);
    const auto path = arguments ? first_text(arguments.value(), kPaths) : std::nullopt;
    if (!path || !first_text(arguments.value(), kContents) || files.size() >= kMostFiles) continue;
    if (auto text = text_of(request.folder, *path))
      files.push_back(json::object{{"call", call.call}, {"path", *path}, {"text", std::move(*text)}});
  }
  return json::object{{"approval", request.id}, {"files", std::move(files)}};
}

}  // namespace

mcp::PlainResponse show_written_files(const ApiRequest& request) {
  return respond_with(found_files(request));
}

}  // namespace glovebox::http_api
