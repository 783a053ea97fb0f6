// A gateway with everything it consists of, as the config of its workspace says: servers, rules, limits, sandbox. The
// config may be edited meanwhile.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>

#include "catalog/catalog.h"
#include "catalog/config_watch.h"
#include "frontend/gateway_cli/workspace.h"
#include "gateway/catalog_tools.h"
#include "gateway/gateway.h"
#include "gateway/runner.h"
#include "glovebox/sandbox.h"
#include "store/store.h"

namespace glovebox::frontend {

struct GatewayProcessOptions {
  Workspace workspace;
  SandboxOptions sandbox;
  std::string capabilities = "{}";                    // what upstream servers may ask us for
  std::function<void(const std::string&)> on_notice;  // what the owner should know, one line each
  std::function<void()> on_tools_changed;
};

class GatewayProcess {
 public:
  static Result<std::unique_ptr<GatewayProcess>> open(boost::asio::any_io_executor executor,
                                                      GatewayProcessOptions options);
  ~GatewayProcess();

  const Workspace& workspace() const { return options_.workspace; }
  // As it was last read without a problem.
  const config::ConfigFile& config() const { return options_.workspace.config; }
  // Limits and grants of a run that asks for nothing else.
  SandboxConfig sandbox_config() const;

  Sandbox& sandbox() { return sandbox_; }
  catalog::Catalog& catalog() { return *catalog_; }
  store::Store& store() { return *store_; }
  gateway::Gateway& gateway() { return *gateway_; }

  // Reads the config file again when it has changed, from now on.
  void watch_config();
  // Runs that wait for somebody stay in the store; everything else ends.
  void close();

 private:
  GatewayProcess(boost::asio::any_io_executor executor, GatewayProcessOptions options);
  Result<void> assemble();
  Result<void> apply_config(const config::ConfigFile& config);
  void on_config_changed(config::ConfigResult<config::ConfigFile> config);
  void plan(const std::string& code, Language language, std::function<void(std::string)> done);
  void notice(const std::string& text) const;

  boost::asio::any_io_executor executor_;
  GatewayProcessOptions options_;
  std::unique_ptr<store::Store> store_;
  std::shared_ptr<catalog::Catalog> catalog_;
  Sandbox sandbox_;
  std::unique_ptr<gateway::CatalogTools> tools_;
  std::unique_ptr<gateway::SandboxRunner> runner_;
  std::shared_ptr<gateway::Gateway> gateway_;
  std::unique_ptr<catalog::ConfigWatch> watch_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  bool closed_ = false;
};

}  // namespace glovebox::frontend
