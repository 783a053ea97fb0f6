#include "capability/calls/capability_tools.h"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "base/text/comma_list.h"
#include "base/text/json_slice.h"
#include "base/try.h"
#include "capability/limits.h"
#include "capability/metadata/variable_values.h"
#include "capability/registry/client_id.h"
#include "catalog/names.h"
#include "mcp/json/json_tree.h"
#include "mcp/json/schema.h"

namespace glovebox::capability {
namespace {

using catalog::CallFailure;
using catalog::Tool;

// Of the metadata, which holds that of the code; after a space what a person has to say first, so that a yes to one
// thing is none to another.
std::string hash_of(const Metadata& metadata, const std::optional<catalog::ToolSource::Need>& need) {
  const std::string own = Integrity::of(metadata.canonical()).text();
  return need ? own + " " + Integrity::of(need->kind + "\n" + need->text).text() : own;
}

// mcp.lock and the code that it names may have come with a repository, so being called by the rules is not enough for
// values of the owner's environment.
std::string wish_for_variables(const Metadata& metadata) {
  const std::string tools = metadata.tools.empty() ? "" : ", or pass them to " + base::comma_list(metadata.tools);
  return metadata.fqdn.text() +
         " has not had these variables of the gateway's environment before: " + base::comma_list(metadata.env) +
         ". Its code can return their values" + tools + ". Its digest is " + Integrity::of(metadata.canonical()).text();
}

std::string without_need(const std::string& hash) {
  return hash.substr(0, hash.find(' '));
}

}  // namespace

std::optional<std::string> why_not(const Metadata& metadata, const std::string& arguments_json) {
  const std::string name = metadata.fqdn.called();
  const auto arguments = mcp::parse_object(arguments_json.empty() ? "{}" : arguments_json);
  if (!arguments) return "the arguments of " + name + " cannot be used: " + arguments.failure().message;
  const auto schema = mcp::Schema::compile(mcp::parse_tree(metadata.input_schema).value());
  if (!schema) return "the schema of " + name + " cannot be used: " + schema.failure().message;
  const auto wrong = schema->check(*arguments);
  if (!wrong) return std::nullopt;
  return name + " does not take these arguments: " + (wrong->path.empty() ? "" : wrong->path + " ") + wrong->message;
}

CapabilityTools::CapabilityTools(boost::asio::any_io_executor executor, catalog::ToolSource& behind,
                                 CapabilityOptions options)
    : executor_(std::move(executor)),
      behind_(behind),
      options_(std::move(options)),
      library_(options_.state_folder),
      deps_(options_.owners_folder),
      remote_(executor_, behind_, options_.remote, options_.call_remote) {}

CapabilityTools::~CapabilityTools() {
  *alive_ = false;
}

std::vector<config::ServerSpec> CapabilityTools::servers() {
  std::map<std::string, config::ServerSpec> found;
  if (!library_.refresh()) return {};
  std::size_t left = kMostLibraryBytes;
  for (const auto& [key, entry] : library_.lock().entries()) {
    const std::size_t bytes = library_.bytes_of(entry);
    if (bytes > left) continue;
    left -= bytes;
    const auto published = library_.load(entry);
    if (!published) continue;
    for (const Dependency& dependency : published->metadata.dependencies) {
      if (options_.is_configured(dependency.name)) continue;
      // Of what no one has agreed to, nothing is read: a repository may bring along thousands of large packages.
      if (const auto known = deps_.has_command(dependency); !known || !*known) continue;
      const PackageFacts& package = package_of(dependency);
      const auto state = deps_.state_of(dependency, package.files);
      if (!package.problem.empty() || !state || *state != DepsFile::State::kInstalled) continue;
      config::ServerSpec spec;
      spec.name = dependency.name;
      spec.command = dependency.command;
      spec.args = dependency.args;
      spec.url = dependency.url;
      spec.idle_timeout = kDependencyIdleTime;
      VariableValues values = values_of(dependency.env_required, options_.variables);
      if (!values.missing.empty()) spec.problem = "these variables are not set: " + base::comma_list(values.missing);
      spec.env = std::move(values.values);
      found[dependency.name] = std::move(spec);
    }
  }
  std::vector<config::ServerSpec> all;
  for (auto& [name, spec] : found) all.push_back(std::move(spec));
  return all;
}

// Not at every call: reading a package takes longer than most calls do.
const PackageFacts& CapabilityTools::package_of(const Dependency& dependency) {
  const auto now = std::chrono::steady_clock::now();
  Inspected& inspected = packages_[dependency.integrity().text()];
  const bool is_first = inspected.at == std::chrono::steady_clock::time_point();
  if (!is_first && now - inspected.at < kPackageTime) return inspected.facts;
  const std::string before = inspected.facts.files;
  if (now - budget_since_ >= kPackageTime) {
    budget_ = PackageBudget();
    budget_since_ = now;
  }
  inspected = {inspect_package(dependency, options_.workspace, budget_), now};
  // What runs or may be started is no longer what was approved.
  if (!is_first && before != inspected.facts.files) {
    boost::asio::post(executor_, [this, alive = alive_] {
      if (*alive && options_.on_servers_changed) options_.on_servers_changed();
    });
  }
  return inspected.facts;
}

const LockEntry* CapabilityTools::meant(const std::string& space, const std::string& action) {
  if (!library_.refresh()) return nullptr;
  if (const LockEntry* exact = library_.lock().find(space, action)) return exact;
  // An alias that two would have belongs to neither.
  const LockEntry* only = nullptr;
  for (const auto& [key, entry] : library_.lock().entries()) {
    const bool fits = (entry.fqdn.space == space || catalog::camel_case(entry.fqdn.space) == space) &&
                      (entry.fqdn.action == action || catalog::camel_case(entry.fqdn.action) == action);
    if (fits && only) return nullptr;
    if (fits) only = &entry;
  }
  return only;
}

std::vector<ToolNamespace> CapabilityTools::namespaces() const {
  std::vector<ToolNamespace> all = behind_.namespaces();
  std::map<std::string, std::vector<std::string>> own;
  if (!library_.refresh()) return all;
  for (const auto& [key, entry] : library_.lock().entries()) own[entry.fqdn.space].push_back(entry.fqdn.action);
  for (auto& [space, actions] : own) {
    const bool is_there =
        std::any_of(all.begin(), all.end(), [&, name = space](const ToolNamespace& one) { return one.server == name; });
    if (!is_there) all.push_back({space, std::move(actions)});
  }
  return all;
}

Tool CapabilityTools::remote_tool(const std::string& server, const std::string& tool) const {
  Tool remote;
  remote.server = server;
  remote.name = tool;
  remote.description = "a tool of the remote gateway " + remote_.name();
  remote.input_schema = R"({"type":"object"})";
  remote.hash = "remote " + Integrity::of(remote_.name() + "\n" + server + "\n" + tool).text();
  return remote;
}

bool CapabilityTools::is_remote_tool(const Tool& tool) const {
  return !options_.is_server(tool.server) && tool.hash.starts_with("remote ") &&
         tool.hash == remote_tool(tool.server, tool.name).hash;
}

bool CapabilityTools::runs_here(const Metadata& metadata) const {
  return metadata.routing == Metadata::Routing::kClient || options_.is_server_role;
}

bool CapabilityTools::is_client_tool(const std::string& space, const std::string& action, std::size_t depth) {
  if (options_.is_server(space)) return false;
  const LockEntry* entry = meant(space, action);
  if (!entry || depth > kMostDepth) return true;
  const auto published = library_.load(*entry);
  // What cannot be read here is no reason to send code away; the call says what is wrong.
  if (!published) return false;
  const Metadata& metadata = published->metadata;
  if (metadata.routing == Metadata::Routing::kClient) return true;
  return std::any_of(metadata.tools.begin(), metadata.tools.end(), [&](const std::string& tool) {
    const std::size_t colon = tool.find(':');
    const std::string server = tool.substr(0, colon);
    const auto& needed = metadata.dependencies;
    const bool is_dependency =
        std::any_of(needed.begin(), needed.end(), [&](const Dependency& one) { return one.name == server; });
    return !is_dependency && colon != tool.npos && is_client_tool(server, tool.substr(colon + 1), depth + 1);
  });
}

Tool CapabilityTools::tool_of(std::shared_ptr<const Published> published) {
  const Metadata& metadata = published->metadata;
  Tool tool;
  tool.server = metadata.fqdn.space;
  tool.name = metadata.fqdn.action;
  tool.description = metadata.description;
  tool.input_schema = metadata.input_schema;
  tool.hash = hash_of(metadata, need_of(metadata));
  if (!runs_here(metadata) && remote_.name().empty()) {
    tool.state = Tool::State::kRefused;
    tool.reason = "it runs on a remote gateway, and the config names none";
  }
  // Its code is read again when it is called: what was judged of all capabilities is in memory.
  judged_[tool.server + ":" + tool.name] = std::make_shared<const Published>(Published{metadata, ""});
  return tool;
}

std::shared_ptr<const Published> CapabilityTools::published_of(const Tool& tool) const {
  if (options_.is_server(tool.server)) return nullptr;  // it may have become one while a person was asked
  const auto found = judged_.find(tool.server + ":" + tool.name);
  if (found == judged_.end()) return nullptr;
  const bool same = Integrity::of(found->second->metadata.canonical()).text() == without_need(tool.hash);
  return same ? found->second : nullptr;
}

Result<std::shared_ptr<const Published>> CapabilityTools::load(const Fqdn& fqdn) {
  GLOVEBOX_TRY_VOID(library_.refresh());
  const LockEntry* entry = library_.lock().find(fqdn);
  if (!entry) return Failure{ErrorCode::kNotFound, "there is no capability " + fqdn.text() + " in this workspace"};
  return std::make_shared<const Published>(GLOVEBOX_TRY(library_.load(*entry)));
}

CapabilityRegistry* CapabilityTools::registry() {
  const std::string address = options_.registry ? options_.registry() : std::string();
  std::erase_if(former_, [](const Source& one) { return one.uses.use_count() == 1; });
  auto digests = options_.digests ? options_.digests() : std::nullopt;
  if (address == registry_address_ && digests == digests_) return source_.registry.get();
  registry_address_ = address;
  digests_ = digests;
  if (source_.uses.use_count() > 1) former_.push_back(std::move(source_));
  source_ = {};
  if (address.empty()) return nullptr;
  const auto client = client_id(options_.state_folder);
  auto made = make_registry(executor_, {address, kRegistryTime, client ? *client : "", std::move(digests)});
  if (made) source_.registry = std::move(made).value();
  return source_.registry.get();
}

void CapabilityTools::prepare(const Fqdn& fqdn, Prepared done) {
  auto loaded = load(fqdn);
  const auto fail = [&](std::string message) { done(CallFailure{"CAPABILITY_UNAVAILABLE", std::move(message)}); };
  if (loaded) return done(std::move(loaded).value());
  if (loaded.failure().code != ErrorCode::kNotFound || !library_.lock().find(fqdn))
    return fail(loaded.failure().message);
  CapabilityRegistry* const from = registry();
  if (!from) return fail(loaded.failure().message + ", and there is no registry");
  from->fetch(fqdn, [this, uses = source_.uses, done = std::move(done),
                     lost = loaded.failure().message](Result<Published> fetched) {
    if (!fetched) return done(CallFailure{"CAPABILITY_UNAVAILABLE", lost + "; " + fetched.failure().message});
    const std::string name = fetched->metadata.fqdn.text();
    if (!library_.refresh() || library_.compare(*fetched).state != Library::Comparison::State::kSame) {
      return done(CallFailure{
          "CAPABILITY_CHANGED",
          "the registry has a different " + name + " than mcp.lock; see `glovebox capability update " + name + "`"});
    }
    if (const auto restored = library_.restore(*fetched); !restored)
      return done(CallFailure{"CAPABILITY_UNAVAILABLE", restored.failure().message});
    done(std::make_shared<const Published>(std::move(fetched).value()));
  });
}

void CapabilityTools::find(const std::string& server, const std::string& tool, Found done) {
  // The name of a server is the server's alone: a rule about it does not cover published code with the same name.
  if (options_.is_server(server)) return behind_.find(server, tool, std::move(done));
  const LockEntry* entry = meant(server, tool);
  if (!entry) {
    if (remote_.name().empty()) return behind_.find(server, tool, std::move(done));
    // Nothing here has this name. The remote gateway says itself whether it has.
    return boost::asio::post(executor_, [alive = alive_, done = std::move(done), found = remote_tool(server, tool)] {
      if (*alive) done(found);
    });
  }
  const auto own = [this, alive = alive_, fqdn = entry->fqdn, done] {
    if (!*alive) return;
    prepare(fqdn, [this, done](Result<std::shared_ptr<const Published>, CallFailure> prepared) {
      if (!prepared) return done(std::move(prepared).failure());
      done(tool_of(std::move(prepared).value()));
    });
  };
  boost::asio::post(executor_, own);
}

catalog::ToolSource& CapabilityTools::source_of(const std::string& server, const std::string& tool) {
  const bool is_ours = !options_.is_server(server) && (meant(server, tool) || !remote_.name().empty());
  return is_ours ? *this : behind_.source_of(server, tool);
}

CallFailure CapabilityTools::changed(const Tool& tool) {
  return {"TOOL_CHANGED", tool.server + "." + tool.name + " was changed after it was reviewed"};
}

std::optional<CallFailure> CapabilityTools::why_not(const Tool& tool, const std::string& arguments_json) {
  if (is_remote_tool(tool)) return std::nullopt;
  const auto published = published_of(tool);
  if (!published) return changed(tool);
  auto wrong = capability::why_not(published->metadata, arguments_json);
  if (!wrong) return std::nullopt;
  return CallFailure{"INVALID_ARGUMENTS", std::move(*wrong)};
}

// What it needs is needed where it runs.
std::optional<catalog::ToolSource::Need> CapabilityTools::need_of(const Metadata& metadata) {
  return runs_here(metadata) ? need_here(metadata) : std::nullopt;
}

std::optional<catalog::ToolSource::Need> CapabilityTools::need_here(const Metadata& metadata) {
  const std::string name = metadata.fqdn.text();
  std::vector<std::string> missing = values_of(metadata.env, options_.variables).missing;
  std::string servers;
  for (const Dependency& dependency : metadata.dependencies) {
    if (options_.is_configured(dependency.name)) continue;
    const PackageFacts& package = package_of(dependency);
    if (!package.problem.empty())
      return Need{"dependency", name + " needs " + dependency.name + ": " + package.problem, false};
    const auto state = deps_.state_of(dependency, package.files);
    if (!state) return Need{"dependency", state.failure().message, false};
    for (std::string& variable : values_of(dependency.env_required, options_.variables).missing)
      missing.push_back(std::move(variable));
    if (*state == DepsFile::State::kInstalled) continue;
    servers += "\n  " + dependency.name + (dependency.version.empty() ? "" : " " + dependency.version) +
               (*state == DepsFile::State::kChanged ? " (with a different command or different files)" : "") + ": " +
               dependency.launch();
    if (!package.remark.empty()) servers += "\n    " + package.remark;
    if (!package.files.empty()) servers += ", " + package.files;
    if (!dependency.env_required.empty()) servers += "\n    with " + base::comma_list(dependency.env_required);
  }
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  if (!missing.empty()) {
    return Need{"api_key_required",
                name + " needs values for these variables in the gateway's environment: " + base::comma_list(missing) +
                    ". Set them where glovebox is started; placeholders such as changeme are ignored.",
                false};
  }
  std::string text;
  if (!metadata.env.empty()) {
    const auto agreed = deps_.may_have_variables(metadata);
    if (!agreed) return Need{"dependency", agreed.failure().message, false};
    if (!*agreed) text = wish_for_variables(metadata);
  }
  if (!servers.empty())
    text += (text.empty() ? "" : "\n") + name + " needs servers that have not run here before:" + servers;
  if (!text.empty()) return Need{"dependency", std::move(text), true};
  return std::nullopt;
}

std::optional<catalog::ToolSource::Need> CapabilityTools::need(const Tool& tool) {
  if (is_remote_tool(tool)) return std::nullopt;
  const auto published = published_of(tool);
  return published ? need_of(published->metadata) : std::nullopt;
}

// A run that this one began is in the store, by a name that the same call of the same run has again.
bool CapabilityTools::is_found_again(const Tool& tool) {
  if (is_remote_tool(tool)) return false;
  const auto published = published_of(tool);
  return published && runs_here(published->metadata);
}

Result<void> CapabilityTools::install_dependencies(const Metadata& metadata) {
  if (!metadata.env.empty() && !GLOVEBOX_TRY(deps_.may_have_variables(metadata)))
    GLOVEBOX_TRY_VOID(deps_.let_have_variables(metadata));
  for (const Dependency& dependency : metadata.dependencies) {
    if (options_.is_configured(dependency.name)) continue;
    const PackageFacts& package = package_of(dependency);
    if (!package.problem.empty()) return Failure{ErrorCode::kConflict, dependency.name + ": " + package.problem};
    if (GLOVEBOX_TRY(deps_.state_of(dependency, package.files)) == DepsFile::State::kInstalled) continue;
    GLOVEBOX_TRY_VOID(deps_.install(dependency, package.files));
  }
  if (options_.on_servers_changed) options_.on_servers_changed();
  return {};
}

Result<void> CapabilityTools::meet(const Tool& tool) {
  const auto published = published_of(tool);
  if (!published) return Failure{ErrorCode::kConflict, changed(tool).message};
  const auto now = need_of(published->metadata);
  if (now && hash_of(published->metadata, now) != tool.hash)
    return Failure{ErrorCode::kConflict,
                   "what " + tool.server + "." + tool.name + " needs has changed in the meantime"};
  return install_dependencies(published->metadata);
}

}  // namespace glovebox::capability
