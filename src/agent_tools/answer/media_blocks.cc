#include "agent_tools/answer/media_blocks.h"

#include "agent_tools/answer/image_size.h"
#include "agent_tools/answer/json_shape.h"
#include "base/characters/ascii.h"
#include "base/text/log_text.h"
#include "mcp/json/base64.h"

namespace glovebox::agent_tools {
namespace {

using mcp::json::object;
using mcp::json::value;

// As in "image/png": what may stand in a mark.
bool is_mime_type(std::string_view text) {
  const std::size_t slash = text.find('/');
  return slash != text.npos && slash > 0 && slash + 1 < text.size() && text.size() <= 100 &&
         base::is_word(text, "/-+._");
}

struct Medium {
  std::string kind;  // image, audio, resource
  std::string mime;
  std::string bytes;
};

// What a content block carries, if it is one of these.
std::optional<Medium> medium_in(const object& block) {
  const std::string kind = mcp::string_member(block, "type").value_or("");
  const object* holder = kind == "resource" ? mcp::object_member(block, "resource") : &block;
  if (!holder || (kind != "image" && kind != "audio" && kind != "resource")) return std::nullopt;
  const auto data = mcp::string_member(*holder, kind == "resource" ? "blob" : "data");
  const std::string mime =
      mcp::string_member(*holder, "mimeType").value_or(kind == "resource" ? "application/octet-stream" : "");
  if (!data || !is_mime_type(mime) || (kind != "resource" && !mime.starts_with(kind + "/"))) return std::nullopt;
  if (kind == "resource" && !mcp::string_member(*holder, "uri")) return std::nullopt;
  auto bytes = mcp::from_base64(*data);
  if (!bytes || bytes->empty()) return std::nullopt;
  return Medium{kind, mime, std::move(*bytes)};
}

std::string size_text(std::size_t bytes) {
  return bytes < 10 * 1024 ? with_commas(bytes) + " bytes" : with_commas((bytes + 512) / 1024) + " KB";
}

std::string mark_of(const Medium& medium, std::size_t number) {
  std::string mark = medium.kind + " " + std::to_string(number) + ": ";
  if (const auto size = medium.kind == "image" ? image_size(medium.bytes) : std::nullopt)
    mark += std::to_string(size->width) + "×" + std::to_string(size->height) + " ";
  return mark + (medium.kind == "resource" ? medium.mime : medium.mime.substr(medium.mime.find('/') + 1));
}

class Taking {
 public:
  void visit(value& item) {
    if (auto* items = item.if_array()) {
      for (value& one : *items) visit(one);
      return;
    }
    object* const members = item.if_object();
    if (!members) return;
    const auto medium = medium_in(*members);
    if (!medium) {
      for (auto& member : *members) visit(member.value());
      return;
    }
    item = take(item, *medium);
  }
  std::vector<std::string> blocks;

 private:
  std::string take(const value& block, const Medium& medium) {
    const std::string mark = mark_of(medium, ++number_);
    std::string json = mcp::json::serialize(block);
    const bool fits = blocks.size() < kMostBlocks && bytes_ + json.size() <= kMostBlockBytes;
    if (!fits) return "[" + mark + ", " + size_text(medium.bytes.size()) + ", too large to show]";
    bytes_ += json.size();
    blocks.push_back(std::move(json));
    return "[" + mark + "]";
  }

  std::size_t number_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace

bool may_have_media(std::string_view json) {
  return json.find(R"("mimeType")") != json.npos || json.find(R"("blob")") != json.npos;
}

std::string without_media(std::string_view json, std::vector<std::string>& blocks) {
  if (!may_have_media(json)) return std::string(json);
  auto tree = parse_kept(json);
  if (!tree) return std::string(json);
  std::vector<std::string> taken = take_media(*tree);
  if (taken.empty()) return std::string(json);
  blocks.insert(blocks.end(), taken.begin(), taken.end());
  return mcp::json::serialize(*tree);
}

std::vector<std::string> take_media(value& value) {
  Taking taking;
  taking.visit(value);
  return std::move(taking.blocks);
}

}  // namespace glovebox::agent_tools
