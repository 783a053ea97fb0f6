// CatalogRun: a catalog for the length of one command.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/text/json_builder.h"
#include "catalog/catalog.h"
#include "workspace/workspace.h"

namespace glovebox::cli {

class CatalogRun {
 public:
  // With `sign_in`, a person at this terminal can be led to a server's sign-in page.
  explicit CatalogRun(const Workspace& workspace, bool sign_in = false);
  ~CatalogRun();

  catalog::Catalog& catalog() { return *catalog_; }
  std::shared_ptr<catalog::Catalog> shared_catalog() { return catalog_; }
  boost::asio::any_io_executor executor() { return loop_.get_executor(); }

  Result<std::vector<catalog::Tool>, catalog::CallFailure> list(const std::string& server);
  Result<catalog::Tool, catalog::CallFailure> find(const std::string& server, const std::string& tool);
  // On behalf of the person who types the command: no rule is consulted.
  Result<catalog::ToolResult, catalog::CallFailure> call(const catalog::Tool& tool, const std::string& arguments,
                                                         catalog::CallOptions options);
  catalog::ServerHealth health(const std::string& server) const;

  // What something on the loop will say.
  template <typename T>
  T wait_for(std::optional<T>& outcome) {
    while (!outcome) loop_.run_one();
    return std::move(*outcome);
  }

 private:
  boost::asio::io_context loop_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{loop_.get_executor()};
  std::shared_ptr<catalog::Catalog> catalog_;
};

// Shows `each` of the tools that servers list now, server by server: of `only` that one, or with an empty name of all
// that are not turned off. A server that cannot be listed is reported to people, and does not stop the others.
struct ListingFailures {
  base::ListText list;
  int exit_code = 0;  // the worst of them
};
ListingFailures list_servers(CatalogRun& run, const std::string& only,
                             const std::function<void(const catalog::Tool&)>& each);

// For a workspace without any. Silent where its config is not trusted: it may have some, and that has been reported.
void explain_missing_servers(const Workspace& workspace);

// SERVER.TOOL or SERVER:TOOL; a server's name has neither in it. Nothing when it is neither.
struct ToolName {
  std::string server;
  std::string tool;
};
std::optional<ToolName> split_tool_name(const std::string& text);

}  // namespace glovebox::cli
