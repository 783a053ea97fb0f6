#include "agent_tools/run_artifacts.h"

#include "assembly/own_things.h"
#include "base/text/json_builder.h"
#include "base/text/utf8.h"
#include "mcp/json/base64.h"
#include "mcp/limits.h"

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
  const auto run = assembly::OwnThings(process, *call).run(std::string(call->argument("run")));
  auto artifact = run ? process.store().find_artifact(run->id, std::string(call->argument("name")))
                      : Result<std::optional<Artifact>>(std::nullopt);
  if (!artifact) return call->fail({mcp::kInternalError, "the artifact cannot be read", {}});
  if (!artifact.value()) return call->fail_as_unknown_resource();
  call->reply(contents_of(call->facts().name, **artifact));
}

}  // namespace

Result<void> add_artifact_resources(mcp::ServerCore& core, assembly::GatewayProcess& process) {
  return core.add_resource_template(
      {.uri_template = kArtifactTemplate, .name = "artifact", .description = "What a run of yours has emitted."},
      [&process](const std::shared_ptr<mcp::ServerCall>& call) { read_artifact(process, call); });
}

ArtifactAccess artifacts_of(assembly::GatewayProcess& process, const mcp::ServerCall& call, const std::string& run) {
  return {[&process, run](const std::string& name) -> std::optional<Artifact> {
            auto found = process.store().find_artifact(run, name);
            return found ? std::move(*found) : std::nullopt;
          },
          call.facts().revision >= kFirstWithLinks};
}

}  // namespace glovebox::agent_tools
