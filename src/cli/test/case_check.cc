#include "cli/test/case_check.h"

#include <boost/json.hpp>

#include "base/text/canonical_json.h"
#include "base/text/json_slice.h"
#include "base/text/json_text.h"
#include "base/text/line_diff.h"
#include "base/try.h"
#include "catalog/catalog.h"
#include "catalog/listing_file.h"
#include "catalog/pins/definition.h"
#include "config/variables.h"
#include "gateway/runs/recorded_case.h"
#include "mcp/json/json_tree.h"
#include "mcp/json/schema.h"
#include "terminal/exit_codes.h"
#include "terminal/outcome_view.h"

namespace glovebox::cli {
namespace {

// The code sees the servers that it saw then. Their tools answer from the recording, so no call arrives here.
class NamesOnly final : public ToolHost {
 public:
  explicit NamesOnly(std::vector<ToolNamespace> servers) : servers_(std::move(servers)) {}
  std::vector<ToolNamespace> tools() const override { return servers_; }
  void call(ToolCall, ToolAnswer answer) override {
    answer.fail({ToolFailure::Kind::kToolError, "NOT_RECORDED", "a test calls nothing"});
  }

 private:
  std::vector<ToolNamespace> servers_;
};

std::string canonical(std::string_view json) {
  auto form = base::canonical_json(json);
  return form ? std::move(form).value() : std::string(json);
}

// A tool's name and arguments where it is one.
std::string call_line(const std::string& op, const std::string& arguments, const std::string& body_digest) {
  std::string line = op + " " + canonical(arguments);
  const auto members = base::JsonSlices::of(arguments);
  if (op == "tool" && members) {
    const auto server = base::unquote(members->raw("server"));
    const auto tool = base::unquote(members->raw("tool"));
    if (server && tool) line = server.value() + "." + tool.value() + " " + canonical(members->raw("arguments"));
  }
  if (!body_digest.empty()) line += " with bytes of sha256 " + body_digest;
  return line;
}

// How long the code slept is not compared.
bool is_shown(const std::string& op) {
  return op != "sleep";
}

std::vector<std::string> diff_of_ends(const std::string& before, const std::string& after) {
  if (canonical(before) == canonical(after)) return {};
  return base::diff_lines(base::lines_of(base::pretty_json(canonical(before))),
                          base::lines_of(base::pretty_json(canonical(after))));
}

// Values of variables are never recorded: they come from the environment of the test.
std::string context_of(const CaseFile& file) {
  if (file.settings.variables.empty()) return file.context_json;
  auto input = mcp::parse_object(file.context_json);
  boost::json::object whole = input ? std::move(input).value() : boost::json::object();
  boost::json::object values;
  for (const std::string& name : file.settings.variables) {
    if (const auto value = config::process_variable(name)) values[name] = *value;
  }
  whole["env"] = std::move(values);
  return boost::json::serialize(whole);
}

// What has become of the tools that the run called.
std::vector<std::string> changes_of_tools(const CaseFile& file, const std::map<std::string, catalog::Tool>& tools) {
  std::vector<std::string> changes;
  for (const auto& [name, hash] : file.definitions) {
    const auto now = tools.find(name);
    if (now == tools.end() || now->second.hash == hash) continue;
    changes.push_back(name + ": its definition differs from the recorded one");
    const auto tree = mcp::parse_object(now->second.input_schema);
    const auto schema = tree ? mcp::Schema::compile(*tree) : Result<mcp::Schema>(tree.failure());
    if (!schema) continue;
    for (const RecordedCall& call : file.calls) {
      const auto members = base::JsonSlices::of(call.arguments);
      if (call.op != "tool" || !members) continue;
      const auto server = base::unquote(members->raw("server"));
      const auto tool = base::unquote(members->raw("tool"));
      const catalog::Tool& definition = now->second;
      if (!server || !tool || server.value() != definition.server ||
          (tool.value() != definition.name && tool.value() != definition.alias)) {
        continue;
      }
      const auto arguments = mcp::parse_object(members->raw("arguments"));
      const auto wrong = arguments ? schema->check(*arguments) : std::nullopt;
      if (!wrong) continue;
      changes.push_back(name + " does not take " + canonical(members->raw("arguments")) +
                        " any more: " + (wrong->path.empty() ? "" : wrong->path + " ") + wrong->message);
    }
  }
  return changes;
}

}  // namespace

std::map<std::string, catalog::Tool> listed_tools(const Workspace& workspace) {
  std::map<std::string, catalog::Tool> all;
  const std::size_t most = catalog::CatalogLimits().max_tools;
  for (const config::ServerSpec& server : workspace.config.prepared_servers()) {
    const auto listing = catalog::read_listing(workspace.state_folder, server);
    if (!listing || server.classes) continue;
    for (catalog::Tool& tool : catalog::read_tools(server.name, listing->tools, most)) {
      all.emplace(tool.server + ":" + tool.name, std::move(tool));
    }
  }
  return all;
}

Result<CaseDifferences> check_case(const CaseFile& file, Sandbox& sandbox,
                                   const std::map<std::string, catalog::Tool>& tools) {
  RunRequest request;
  request.code = file.code;
  request.language = file.language;
  request.name = file.name;
  request.context_json = context_of(file);
  request.seed = file.seed;
  request.now_ms = file.now_ms;
  request.config = file.settings.config;
  // Answers come from the recording: nothing of this machine is granted but its variables, which are not recorded.
  request.config.allow_read.clear();
  request.config.allow_write.clear();
  request.config.allow_net.clear();
  request.config.allow_run.clear();
  request.config.file_mode = FileMode::kDirect;
  request.tools = std::make_shared<NamesOnly>(file.servers);
  request.rehearsal = std::make_shared<Rehearsal>();
  request.rehearsal->calls = file.calls;
  const auto rehearsal = request.rehearsal;
  const Outcome outcome = sandbox.run(std::move(request));
  const RunError* error = outcome.error();
  if (error && exit_code_of(outcome) == kUnreachable) {
    return Failure{ErrorCode::kSandboxUnavailable, error->message};
  }

  CaseDifferences differences;
  std::vector<std::string> before;
  std::vector<std::string> after;
  for (const RecordedCall& call : file.calls) {
    if (is_shown(call.op)) before.push_back(call_line(call.op, call.arguments, call.body_digest));
  }
  for (const RehearsedCall& call : rehearsal->made) {
    if (is_shown(call.op)) after.push_back(call_line(call.op, call.arguments, call.body_digest));
  }
  differences.calls = base::diff_lines(before, after);
  differences.end = diff_of_ends(file.end_json, GLOVEBOX_TRY(gateway::recorded_end(to_json(outcome))));
  differences.tools = changes_of_tools(file, tools);
  return differences;
}

}  // namespace glovebox::cli
