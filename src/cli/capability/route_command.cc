#include "cli/capability/route_command.h"

#include "capability/calls/route.h"
#include "capability/metadata/deps_file.h"
#include "capability/registry/npm_package.h"
#include "cli/session/catalog_run.h"
#include "terminal/exit_codes.h"
#include "workspace/report.h"

namespace glovebox::cli {

int explain_route(const CapabilityFlags& options) {
  const bool json = options.where.json;
  const auto opened = CapabilityDesk::open(options);
  if (!opened) return fail(opened.failure(), json);
  CapabilityDesk& desk = **opened;
  const auto name = split_tool_name(options.name);
  if (!name) return fail_usage("a name has the form namespace:action", json);
  std::vector<std::string> configured;
  for (const auto& server : desk.workspace.config.servers) configured.push_back(server.spec.name);
  std::vector<std::string> needed;
  const capability::DepsFile deps(desk.workspace.state_folder);
  capability::PackageBudget budget;
  for (const auto& [key, entry] : desk.library.lock().entries()) {
    const auto published = desk.library.load(entry);
    for (const auto& dependency :
         published ? published->metadata.dependencies : std::vector<capability::Dependency>()) {
      if (const auto known = deps.has_command(dependency); !known || !*known) continue;
      const auto state =
          deps.state_of(dependency, capability::inspect_package(dependency, desk.workspace.folder, budget).files);
      if (state && *state == capability::DepsFile::State::kInstalled) needed.push_back(dependency.name);
    }
  }
  const auto found = capability::route_of(name->server, name->tool, configured, needed,
                                          desk.workspace.config.gateway.remote, desk.library);
  if (json) {
    ObjectText out;
    out.flag("ok", true).text("to", capability::name_of(found.to)).text_or_null("target", found.target);
    print_json(out.text("explanation", found.explanation).done());
  } else {
    print_line(found.explanation);
  }
  return found.to == capability::CallRoute::To::kNothing ? kCodeFailed : kOk;
}

}  // namespace glovebox::cli
