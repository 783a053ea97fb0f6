#include "agent_tools/run_artifacts.h"

#include <algorithm>

#include "agent_tools/answer/media_blocks.h"
#include "assembly/own_things.h"
#include "base/text/json_builder.h"
#include "base/text/utf8.h"
#include "mcp/json/base64.h"
#include "mcp/limits.h"
#include "store/thread/ask_store.h"

namespace glovebox::agent_tools {
namespace {

constexpr std::string_view kFirstWithLinks = "2025-06-18";

// What can be read as text goes out as text, whatever its type says: so the filter of what goes out sees it.
std::string contents_of(const std::string& uri, const Artifact& artifact) {
  const bool is_text = base::is_utf8(artifact.bytes()) && artifact.bytes().find('\0') == std::string::npos;
  base::ObjectText item;
  item.text("uri", uri).text("mimeType", artifact.type);
  is_text ? item.text("text", artifact.bytes()) : item.text("blob", mcp::base64(artifact.bytes()));
  return base::ObjectText().json("contents", base::ListText().json(item.done()).done()).done();
}

// A run of another client is answered as one that never was.
void read_artifact(assembly::GatewayProcess& process, const std::shared_ptr<mcp::ServerCall>& call) {
  const auto find = [principal = call->facts().principal, id = std::string(call->argument("run")),
                     name = std::string(call->argument("name"))](store::Store& store) {
    return assembly::OwnThings(store, principal).run(id) ? store.find_artifact(id, name)
                                                         : Result<std::optional<Artifact>>(std::nullopt);
  };
  store::ask_store(process.store(), process.executor(), find, [call](const Result<std::optional<Artifact>>& artifact) {
    if (!artifact) return call->fail({mcp::kInternalError, "the artifact cannot be read", {}});
    if (!artifact.value()) return call->fail_as_unknown_resource();
    call->reply(contents_of(call->facts().name, **artifact));
  });
}

}  // namespace

Result<void> add_artifact_resources(mcp::ServerCore& core, assembly::GatewayProcess& process) {
  return core.add_resource_template(
      {.uri_template = kArtifactTemplate, .name = "artifact", .description = "What a run of yours has emitted."},
      [&process](const std::shared_ptr<mcp::ServerCall>& call) { read_artifact(process, call); });
}

std::vector<Artifact> stored_pictures(store::Store& store, const std::string& run) {
  std::vector<Artifact> pictures;
  std::size_t room = kMostBlockBytes;
  const auto listed = store.artifacts(run);
  for (const auto& one : listed ? listed.value() : std::vector<store::ArtifactRecord>()) {
    if (!is_picture(one.type) || static_cast<std::size_t>(one.size) > room || pictures.size() >= kMostBlocks) continue;
    auto found = store.find_artifact(run, one.name);
    if (!found || !found.value()) continue;
    room -= static_cast<std::size_t>(one.size);
    pictures.push_back(std::move(**found));
  }
  return pictures;
}

ArtifactAccess access_to(std::vector<Artifact> artifacts, const mcp::ServerCall& call) {
  return {[artifacts = std::move(artifacts)](const std::string& name) -> std::optional<Artifact> {
            const auto found =
                std::find_if(artifacts.begin(), artifacts.end(), [&](const Artifact& one) { return one.name == name; });
            return found == artifacts.end() ? std::nullopt : std::optional(*found);
          },
          call.facts().revision >= kFirstWithLinks};
}

}  // namespace glovebox::agent_tools
