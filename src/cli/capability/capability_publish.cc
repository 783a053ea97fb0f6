#include "cli/capability/capability_publish.h"

#include <set>

#include "base/try.h"
#include "base/whole_file.h"
#include "capability/limits.h"
#include "capability/metadata/inferred_schema.h"
#include "cli/session/catalog_run.h"
#include "mcp/json/json_tree.h"
#include "terminal/exit_codes.h"
#include "workspace/open_store.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

using capability::Fqdn;
using capability::Published;
using State = capability::Library::Comparison::State;

Result<std::string> folder_of(const CapabilityDesk& desk) {
  const std::string folder = desk.registry();
  if (folder.empty()) return Failure{ErrorCode::kInvalidArgument, "name the folder of a registry with --to"};
  if (folder.find("://") != folder.npos)
    return Failure{ErrorCode::kInvalidArgument,
                   "capabilities can only be published to a folder; " + folder + " is not one"};
  return folder;
}

Result<Fqdn> new_name(const std::string& text, const std::string& code) {
  auto full = Fqdn::parse(text);
  return full ? full : capability::fqdn_for(text, code);
}

// A description of `code`, read as one from a registry is.
Result<Published> described_capability(const CapabilityFlags& options, const std::string& code,
                                       const std::string& schema, const std::string& dependencies,
                                       const std::vector<std::string>& tools) {
  const Fqdn fqdn = GLOVEBOX_TRY(new_name(options.name, code));
  mcp::json::object object{{"fqdn", fqdn.text()},
                           {"type", "deno"},
                           {"description", options.description},
                           {"integrity", capability::Integrity::of(code).text()},
                           {"routing", options.routing}};
  if (!schema.empty()) object["inputSchema"] = GLOVEBOX_TRY(mcp::parse_tree(schema));
  if (!dependencies.empty()) object["mcp_deps"] = GLOVEBOX_TRY(mcp::parse_tree(dependencies));
  mcp::json::array used;
  for (const std::string& tool : tools) used.emplace_back(tool);
  object["tools_used"] = std::move(used);
  mcp::json::array env;
  for (const std::string& name : options.env) env.emplace_back(name);
  object["env"] = std::move(env);
  auto read = GLOVEBOX_TRY(capability::read_metadata(mcp::json::serialize(object)));
  return Published{std::move(read.metadata), code};
}

int tell_published(const Published& published, const std::string& folder, bool json) {
  const std::string name = published.metadata.fqdn.text();
  const std::string digest = capability::Integrity::of(published.metadata.canonical()).text();
  if (json) {
    ObjectText out;
    out.flag("ok", true).text("fqdn", name).text("integrity", published.metadata.integrity.text());
    out.text("digest", digest).text("registry", folder).json("metadata", published.metadata.canonical());
    print_json(out.done());
  } else {
    print_line(name + " is in " + folder);
    print_line("  digest " + digest);
  }
  return kOk;
}

// server:tool of every call in the trace that went well. What else a run did, a capability cannot do.
Result<std::vector<std::string>> tools_used(const std::string& outcome_json) {
  const auto outcome = GLOVEBOX_TRY(mcp::parse_object(outcome_json));
  std::set<std::string> tools;
  const auto* trace = mcp::array_member(outcome, "trace");
  for (const auto& item : trace ? *trace : mcp::json::array()) {
    const auto* call = item.if_object();
    if (!call) continue;
    const std::string op = mcp::string_member(*call, "op").value_or("");
    if (op != "tool" && op != "sleep")
      return Failure{ErrorCode::kInvalidArgument, "the run used " + op + ", and a capability can only use tools"};
    if (op != "tool" || mcp::string_member(*call, "outcome") != "ok") continue;
    const auto parts = split_tool_name(mcp::string_member(*call, "target").value_or(""));
    if (parts) tools.insert(parts->server + ":" + parts->tool);
  }
  return std::vector<std::string>(tools.begin(), tools.end());
}

}  // namespace

int publish_capability(const CapabilityFlags& options) {
  const bool json = options.where.json;
  const auto opened = CapabilityDesk::open(options);
  if (!opened) return fail(opened.failure(), json);
  const auto folder = folder_of(**opened);
  if (!folder) return fail(folder.failure(), json);
  const auto text_of = [&](const std::string& path) {
    return path.empty() ? Result<std::string>(std::string()) : base::read_whole_file(path, capability::kMostCodeBytes);
  };
  const auto code = text_of(options.file);
  const auto schema = text_of(options.schema);
  const auto dependencies = text_of(options.dependencies);
  for (const auto* one : {&code, &schema, &dependencies})
    if (!*one) return fail(one->failure(), json);
  const auto published = described_capability(options, *code, *schema, *dependencies, options.tools);
  if (!published) return fail_usage(published.failure().message, json);
  if (const auto written = capability::publish(*folder, published->metadata, *code); !written)
    return fail(written.failure(), json);
  return tell_published(*published, *folder, json);
}

int save_capability(const CapabilityFlags& options) {
  const bool json = options.where.json;
  const auto opened = CapabilityDesk::open(options);
  if (!opened) return fail(opened.failure(), json);
  CapabilityDesk& desk = **opened;
  const auto folder = folder_of(desk);
  if (!folder) return fail(folder.failure(), json);
  const auto store = open_store(desk.workspace);
  if (!store) return fail_with(kUnreachable, "STORE_UNAVAILABLE", store.failure().message, json);
  const auto found = *store ? (*store)->find_run(options.file) : Result<std::optional<store::RunRecord>>(std::nullopt);
  if (!found) return fail_with(kUnreachable, "STORE_UNAVAILABLE", found.failure().message, json);
  if (!*found) return fail_with(kUsage, "NOT_FOUND", "there is no run " + options.file, json);
  const store::RunRecord& record = **found;
  if (record.status != store::RunStatus::kFinished)
    return fail_usage(
        "only a run that succeeded can be saved; " + record.id + " is " + std::string(name_of(record.status)), json);
  const auto used = tools_used(record.outcome);
  if (!used) return fail(used.failure(), json);
  const auto context = mcp::parse_tree(record.context);
  if (!context) return fail(context.failure(), json);
  CapabilityFlags described = options;
  if (described.description.empty()) described.description = record.intent;
  const auto published = described_capability(described, record.code, capability::inferred_schema(*context), "", *used);
  if (!published) return fail_usage(published.failure().message, json);
  const auto seen = desk.library.compare(*published);
  if (const auto written = capability::publish(*folder, published->metadata, record.code); !written)
    return fail(written.failure(), json);
  const auto kept =
      seen.state == State::kSame ? desk.library.restore(*published) : desk.library.accept(*published, seen);
  if (!kept) return fail(kept.failure(), json);
  return tell_published(*published, *folder, json);
}

}  // namespace glovebox::cli
