// Capabilities as tools: mcp.<namespace>.<action>() is a run of its own, in the sandbox, whose only exit is the tools
// that its metadata declares. What is no capability is found in the source behind, and so is what a server has a tool
// for.
//
// A capability is called if mcp.lock has it. Code comes from the cache; where that has lost it, from the registry, if
// it still has what the lock means. A person is asked before a server that a capability needs is started for the first
// time and before it first gets variables, and shown which variables are not set.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capability/calls/remote_gateway.h"
#include "capability/library.h"
#include "capability/metadata/deps_file.h"
#include "capability/registry/npm_package.h"
#include "capability/registry/registry.h"
#include "catalog/tool_source.h"
#include "config/server_spec.h"
#include "config/variables.h"
#include "gateway/gateway.h"

namespace glovebox::capability {

// How the chain of a run begins whose code another gateway has sent.
inline constexpr std::string_view kGatewayLink = "gateway ";

struct CapabilityOptions {
  std::string state_folder;
  // Where it is kept what a person has approved. Not in the workspace: a repository could bring it along.
  std::string owners_folder;
  std::string workspace;                                    // where commands are started
  std::function<std::string()> registry;                    // its address, which may change; empty: there is none
  std::function<std::optional<ExpectedDigests>()> digests;  // what it has to be, which may change too
  std::function<std::string()> remote;    // a server: the gateway for capabilities that do not run here; empty: none
  RemoteGateway::CallServer call_remote;  // that server
  bool is_server_role = false;            // this is where capabilities with routing "server" run
  config::Variables variables = config::process_variable;
  std::function<SandboxConfig()> limits;                       // of any run; grants among them are not passed on
  std::function<bool(const std::string& name)> is_configured;  // the owner has a server of this name in the config
  std::function<bool(const std::string& server)> is_server;    // code may call it so
  std::function<void()> on_servers_changed;
};

class CapabilityTools final : public catalog::ToolSource {
 public:
  CapabilityTools(boost::asio::any_io_executor executor, catalog::ToolSource& behind, CapabilityOptions options);
  ~CapabilityTools() override;
  // What runs them; not before it is there.
  void set_gateway(std::weak_ptr<gateway::Gateway> gateway) { gateway_ = std::move(gateway); }

  // Servers that capabilities need, that a person has approved, and that the config does not have itself.
  std::vector<config::ServerSpec> servers();

  // A capability of the library; from the registry, if the cache has lost it and that still has what the lock means.
  using Prepared = std::function<void(Result<std::shared_ptr<const Published>, catalog::CallFailure>)>;
  void prepare(const Fqdn& fqdn, Prepared done);
  std::optional<Need> need_of(const Metadata& metadata);
  Result<void> install_dependencies(const Metadata& metadata);

  // Runs it now, with the arguments of the call; the caller has checked them and need_of. The run's id.
  struct Start {
    std::string id{};         // of the run; empty: any
    std::string report_to{};  // see gateway::RunSettings
  };
  Result<std::string> start(const catalog::PermittedCall& call, const Published& published,
                            const catalog::CallingRun& caller, gateway::RunEvents events, Start how);

  RemoteGateway& remote() { return remote_; }
  // Whether a gateway in the role of a server can make this call by itself. Names that nothing here has, capabilities
  // that run at clients and those that call such are the client's.
  bool is_client_tool(const std::string& space, const std::string& action, std::size_t depth = 0);

  // catalog::ToolSource
  std::vector<ToolNamespace> namespaces() const override;
  void find(const std::string& server, const std::string& tool, Found done) override;
  catalog::ToolSource& source_of(const std::string& server, const std::string& tool) override;
  std::optional<catalog::CallFailure> why_not(const catalog::Tool& tool, const std::string& arguments_json) override;
  std::optional<Need> need(const catalog::Tool& tool) override;
  bool is_found_again(const catalog::Tool& tool) override;
  Result<void> meet(const catalog::Tool& tool) override;
  std::function<void()> call(catalog::ApprovedCall approved, catalog::CallOptions options, Called done) override;

 private:
  Result<std::shared_ptr<const Published>> load(const Fqdn& fqdn);
  CapabilityRegistry* registry();  // null: there is none
  const PackageFacts& package_of(const Dependency& dependency);
  bool runs_here(const Metadata& metadata) const;
  std::optional<Need> need_here(const Metadata& metadata);
  catalog::Tool remote_tool(const std::string& server, const std::string& tool) const;
  bool is_remote_tool(const catalog::Tool& tool) const;
  using Approved = std::shared_ptr<const catalog::ApprovedCall>;
  std::function<void()> run_here(Approved approved, std::shared_ptr<const Published> published,
                                 const catalog::CallOptions& options, Called done, const std::string& report_to);
  std::function<void()> forward(Approved approved, std::shared_ptr<const Published> published,
                                const catalog::CallOptions& options, Called done);
  std::function<void()> forward_tool(const catalog::ApprovedCall& approved, const catalog::CallOptions& options,
                                     Called done);
  // A tool of ours that is not what it was when it was judged.
  static catalog::CallFailure changed(const catalog::Tool& tool);
  const LockEntry* meant(const std::string& space, const std::string& action);
  catalog::Tool tool_of(std::shared_ptr<const Published> published);
  std::shared_ptr<const Published> published_of(const catalog::Tool& tool) const;

  boost::asio::any_io_executor executor_;
  catalog::ToolSource& behind_;
  CapabilityOptions options_;
  mutable Library library_;  // which checks its file for changes before it is asked
  DepsFile deps_;
  struct Inspected {
    PackageFacts facts;
    std::chrono::steady_clock::time_point at;
  };
  std::map<std::string, Inspected> packages_;  // by the dependency's integrity
  PackageBudget budget_;                       // since then, for kPackageTime
  std::chrono::steady_clock::time_point budget_since_{};
  RemoteGateway remote_;
  struct Source {
    std::unique_ptr<CapabilityRegistry> registry;
    std::shared_ptr<char> uses = std::make_shared<char>();  // held by each fetch that is under way
  };
  Source source_;
  std::vector<Source> former_;              // that still fetch something
  std::string registry_address_;            // of `source_`
  std::optional<ExpectedDigests> digests_;  // likewise
  std::weak_ptr<gateway::Gateway> gateway_;
  std::map<std::string, std::shared_ptr<const Published>> judged_;  // by namespace:action, as last found
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

// What is wrong with the arguments of a capability, in words.
std::optional<std::string> why_not(const Metadata& metadata, const std::string& arguments_json);

}  // namespace glovebox::capability
