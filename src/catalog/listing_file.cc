#include "catalog/listing_file.h"

#include <unistd.h>

#include "base/text/json_builder.h"
#include "base/text/json_slice.h"
#include "base/text/json_text.h"
#include "base/whole_file.h"
#include "catalog/pins/definition.h"
#include "mcp/limits.h"

namespace glovebox::catalog {
namespace {

constexpr std::size_t kMostListingBytes = 32 << 20;

std::string path_of(const std::string& state_folder, const std::string& server) {
  return state_folder + "/listings/" + server + ".json";
}

// How the server is reached, without what may be secret.
std::string fingerprint(const config::ServerSpec& server) {
  std::string text = server.command + '\0' + server.cwd + '\0' + server.url;
  for (const std::string& argument : server.args) text += '\0' + argument;
  return sha256_text(text);
}

}  // namespace

std::optional<Listing> read_listing(const std::string& state_folder, const config::ServerSpec& server) {
  if (state_folder.empty()) return std::nullopt;
  const auto text = base::read_whole_file(path_of(state_folder, server.name), kMostListingBytes);
  if (!text) return std::nullopt;
  const auto members = base::JsonSlices::of(*text, {.max_depth = mcp::kMaxMessageDepth});
  if (!members || members->raw("version") != "1") return std::nullopt;
  if (members->raw("server") != base::json_string(fingerprint(server))) return std::nullopt;
  Listing listing;
  listing.era = members->raw("era") == "\"modern\"" ? "modern" : "legacy";
  const auto tools = base::slice_array(members->raw("tools"), {.max_depth = mcp::kMaxMessageDepth});
  if (!tools) return std::nullopt;
  for (const std::string_view tool : *tools) listing.tools.emplace_back(tool);
  const auto problems = base::slice_array(members->has("problems") ? members->raw("problems") : "[]");
  if (!problems) return std::nullopt;
  for (const std::string_view problem : *problems) {
    if (auto text = base::unquote(problem)) listing.problems.push_back(std::move(text).value());
  }
  return listing;
}

void keep_listing(const std::string& state_folder, const config::ServerSpec& server, const Listing& listing) {
  if (state_folder.empty()) return;
  base::ObjectText object;
  object.number("version", 1).text("server", fingerprint(server)).text("era", listing.era);
  object.json("tools", base::json_list(listing.tools, [](const std::string& tool) { return "\n" + tool; }));
  if (!listing.problems.empty()) object.json("problems", base::text_list(listing.problems));
  const std::string text = object.done() + "\n";
  const std::string path = path_of(state_folder, server.name);
  // Most starts find an unchanged listing; that needs no write.
  if (const auto before = base::read_whole_file(path, kMostListingBytes); before && *before == text) return;
  (void)base::make_folder(state_folder);
  (void)base::make_folder(state_folder + "/listings");
  (void)base::replace_file(path, text, 0600);
}

void forget_listing(const std::string& state_folder, const std::string& server) {
  if (!state_folder.empty()) ::unlink(path_of(state_folder, server).c_str());
}

}  // namespace glovebox::catalog
