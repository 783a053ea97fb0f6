#include "cli/capability/capability_command.h"

#include "cli/capability/capability_library.h"
#include "cli/capability/capability_publish.h"
#include "cli/capability/capability_run.h"
#include "cli/capability/route_command.h"
#include "terminal/command.h"

namespace glovebox::cli {
namespace {

int run_with_flags(const CapabilityFlags& options) {
  const bool json = options.where.json;
  auto opened = CapabilityDesk::open(options);
  if (!opened) return fail(opened.failure(), json);
  const auto fqdn = (*opened)->named(options.name);
  if (!fqdn) return fail(fqdn.failure(), json);
  CapabilityRunOptions run;
  run.workspace = (*opened)->workspace;
  run.workspace.config.gateway.registry = (*opened)->registry();
  run.fqdn = *fqdn;
  run.arguments = options.arguments;
  run.approve = options.approve;
  run.degraded = options.degraded;
  run.json = json;
  return run_capability(std::move(run));
}

}  // namespace

void add_capability_command(Command& app) {
  const auto options = std::make_shared<CapabilityFlags>();
  Command* command = app.add_subcommand("capability", "Add, run and publish capabilities");
  command->footer(
      "\nA capability is code with a description, from a registry; see docs/capabilities.md. What was added is pinned "
      "in\n"
      ".glovebox/mcp.lock and runs in the sandbox, with the tools that it declares and nothing else.");
  command->require_subcommand();
  const auto verb = [&](const char* name, const char* what, int (*act)(const CapabilityFlags&)) {
    Command* sub = command->add_subcommand(name, what);
    add_workspace_flags(*sub, options->where);
    sub->runs([options, act] { return act(*options); });
    return sub;
  };
  const auto registry = [&](Command* sub) {
    sub->add_option("--registry", options->registry, "A registry other than the config's")->type_name("URL|DIR");
  };
  const auto approve = [&](Command* sub) {
    sub->add_option("--approve", options->approve, "Approve the change that has this digest")->type_name("DIGEST");
  };

  verb("ls", "List those of this workspace", list_capabilities);
  Command* sub = verb("add", "Fetch one, verify it and pin it", add_capability);
  sub->add_option("name", options->name, "org.project.namespace.action.hash4")->required()->type_name("FQDN");
  registry(sub);
  sub = verb("show", "Show its description and its code", show_capability);
  sub->add_option("name", options->name, "Its full name, or namespace:action")->required()->type_name("NAME");
  registry(sub);
  sub = verb("run", "Run it in the sandbox", run_with_flags);
  sub->add_option("name", options->name, "Its full name, or namespace:action")->required()->type_name("NAME");
  sub->add_option("arguments", options->arguments, "A JSON object")->type_name("JSON");
  sub->add_option("--degraded", options->degraded, "Layers that may be missing, separated by commas")
      ->type_name("NAMES");
  approve(sub);
  registry(sub);
  sub = verb("update", "Compare with the registry; a change has to be approved", update_capabilities);
  sub->add_option("names", options->names, "The capability; by default all")->type_name("NAME");
  approve(sub);
  registry(sub);
  sub = verb("rm", "Remove one", remove_capability);
  sub->add_option("name", options->name, "Its full name, or namespace:action")->required()->type_name("NAME");

  const auto described = [&](Command* publishes) {
    publishes->add_option("--to", options->registry, "The folder; by default the config's registry")->type_name("DIR");
    publishes->add_option("--description", options->description, "What it does")->type_name("TEXT");
    publishes->add_option("--env", options->env, "A variable that it receives in args.env")->type_name("NAME");
  };
  sub = verb("publish", "Write one to a registry folder", publish_capability);
  sub->add_option("name", options->name, "org.project.namespace.action, with or without a hash")
      ->required()
      ->type_name("NAME");
  sub->add_option("file", options->file, "Its code")->required()->type_name("FILE");
  sub->add_option("--tool", options->tools, "A tool that it calls")->type_name("SERVER:TOOL");
  sub->add_option("--schema", options->schema, "JSON Schema of its arguments")->type_name("FILE");
  sub->add_option("--deps", options->dependencies, "Servers that it needs: a list as in mcp_deps")->type_name("FILE");
  sub->add_option("--routing", options->routing, "client or server")->type_name("WHERE");
  described(sub);
  sub = verb("save", "Make one from a run that succeeded", save_capability);
  sub->add_option("run", options->file, "The run")->required()->type_name("RUN");
  sub->add_option("--as", options->name, "org.project.namespace.action")->required()->type_name("NAME");
  described(sub);

  Command* way = app.add_subcommand("route", "Explain where a call in code is routed");
  way->add_option("name", options->name, "namespace:action")->required()->type_name("NAME");
  add_workspace_flags(*way, options->where);
  way->runs([options] { return explain_route(*options); });
}

}  // namespace glovebox::cli
