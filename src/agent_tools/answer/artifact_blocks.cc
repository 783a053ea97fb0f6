#include "agent_tools/answer/artifact_blocks.h"

#include "agent_tools/answer/image_size.h"
#include "agent_tools/answer/json_shape.h"
#include "agent_tools/answer/media_blocks.h"
#include "agent_tools/passed_on/offered_items.h"
#include "base/characters/ascii.h"
#include "base/text/json_builder.h"
#include "base/text/json_slice.h"
#include "calls/artifacts/artifact_kind.h"
#include "mcp/json/base64.h"

namespace glovebox::agent_tools {
namespace {

using base::ObjectText;

std::size_t bytes_of(const std::vector<std::string>& blocks) {
  std::size_t bytes = 0;
  for (const std::string& block : blocks) bytes += block.size();
  return bytes;
}

// "[image 1: 800×600 png]", and its block; nothing when it does not fit.
std::optional<std::string> shown_picture(const std::string& name, const ArtifactAccess& access,
                                         std::vector<std::string>& blocks) {
  const auto artifact = blocks.size() < kMostBlocks && access.read ? access.read(name) : std::nullopt;
  if (!artifact || artifact->bytes().size() * 4 / 3 > kMostBlockBytes - std::min(bytes_of(blocks), kMostBlockBytes))
    return std::nullopt;
  ObjectText block;
  block.text("type", "image").text("data", mcp::base64(artifact->bytes())).text("mimeType", artifact->type);
  blocks.push_back(block.done());
  std::string mark = "[image " + std::to_string(blocks.size()) + ": ";
  if (const auto size = image_size(artifact->bytes()))
    mark += std::to_string(size->width) + "×" + std::to_string(size->height) + " ";
  return mark + artifact->type.substr(artifact->type.find('/') + 1) + "]";
}

// Another gateway may say anything.
bool can_be_shown(const std::string& name, const std::string& type, const std::string& size) {
  return !calls::why_no_artifact_name(name) && calls::is_artifact_type(type) && base::is_number(size);
}

}  // namespace

bool is_picture(std::string_view type) {
  return type == "image/png" || type == "image/jpeg" || type == "image/gif" || type == "image/webp";
}

std::string artifact_uri(const std::string& run, const std::string& name) {
  return "glovebox://runs/" + run + "/artifacts/" + name;
}

ShownArtifacts show_artifacts(const std::string& run, std::string_view list, const ArtifactAccess& access,
                              std::vector<std::string>& blocks) {
  ShownArtifacts shown;
  const auto items = base::slice_array(list.empty() ? "[]" : list);
  if (!items || items->empty()) return shown;
  base::ListText artifacts;
  std::vector<std::string> links;
  for (const std::string_view item : *items) {
    const auto parts = base::JsonSlices::of(item);
    if (!parts) continue;
    const std::string name = parts->text("name");
    const std::string type = parts->text("type");
    const std::string size(parts->raw("size"));
    if (!can_be_shown(name, type, size)) continue;
    const std::string there = artifact_uri(run, name);
    const std::string address = access.gateway.empty() ? there : our_uri(access.gateway, there);
    const auto picture = is_picture(type) ? shown_picture(name, access, blocks) : std::nullopt;
    ObjectText shape;
    artifacts.json(shape.text("name", name).text("type", type).json("size", size).text("uri", address).done());
    shown.text += "\n" + name + ": " + (picture ? *picture : type + ", " + size + " bytes, " + address);
    if (!picture && access.takes_links) {
      ObjectText link;
      link.text("type", "resource_link").text("uri", address).text("name", name).text("mimeType", type);
      links.push_back(link.json("size", size).done());
    }
  }
  blocks.insert(blocks.end(), links.begin(), links.end());
  shown.json = artifacts.done();
  return shown;
}

}  // namespace glovebox::agent_tools
