// CatalogRun: a catalog for the length of one command.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "frontend/gateway_cli/workspace.h"

namespace glovebox::frontend {

class CatalogRun {
 public:
  // With `sign_in`, a person at this terminal can be led to a server's sign-in page.
  explicit CatalogRun(const Workspace& workspace, bool sign_in = false);
  ~CatalogRun();

  catalog::Catalog& catalog() { return *catalog_; }

  Result<std::vector<catalog::Tool>, catalog::CallFailure> list(const std::string& server);
  Result<catalog::Tool, catalog::CallFailure> find(const std::string& server, const std::string& tool);
  Result<catalog::ToolResult, catalog::CallFailure> call(const catalog::Tool& tool, const std::string& arguments,
                                                         catalog::CallOptions options);
  catalog::ServerHealth health(const std::string& server) const;

 private:
  template <typename T>
  T wait_for(std::optional<T>& outcome) {
    while (!outcome) loop_.run_one();
    return std::move(*outcome);
  }

  boost::asio::io_context loop_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{loop_.get_executor()};
  std::shared_ptr<catalog::Catalog> catalog_;
};

// SERVER.TOOL or SERVER:TOOL; a server's name has neither in it. Nothing when it is neither.
struct ToolName {
  std::string server;
  std::string tool;
};
std::optional<ToolName> split_tool_name(const std::string& text);

}  // namespace glovebox::frontend
