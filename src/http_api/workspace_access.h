// A workspace as the API reaches it: its store, and the files beside it in the owner's state folder. Whether a gateway
// runs in this process or in another one makes no difference: requests go into the store, and the gateway that drives a
// run is woken.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "mcp/http/caller.h"
#include "mcp/json/json_tree.h"
#include "policy/tool_rules.h"
#include "store/store.h"

namespace glovebox::http_api {

struct WorkspaceAccess {
  std::string id;  // in paths: "1"
  std::string name;
  std::string folder;
  std::string state_folder;
  // Null where nothing has run there yet.
  std::function<Result<store::Store*>()> store;
  // Of the config in force.
  std::function<Result<policy::ToolRules>()> rules;
  // Of its servers and tools, as they were last listed; asking for them starts no server. Absent: nothing is known of
  // them.
  std::function<Result<std::shared_ptr<catalog::Catalog>>()> catalog{};
  // Tools that serve an intent, with what their scores are made of; says so later, once.
  std::function<void(const std::string& intent, std::size_t most, std::function<void(mcp::json::object)> done)>
      search{};
  // The declaration that code is checked against; says so later, once.
  std::function<void(const catalog::Catalog& catalog, const catalog::Tool& tool, std::function<void(std::string)> done)>
      declaration{};
  // Its config file as it is in force, and where it is.
  struct Config {
    std::string path;
    std::string text;
    std::string untrusted;  // why only a part of it counts; empty: all of it does
  };
  std::function<Result<Config>()> config{};
  // Where mcp.lock and published code are. Empty: nothing is known of them.
  std::string lock_folder{};
  // Begins a run for this person, under the rules, and gives its id. Absent: a gateway of another process is asked to.
  std::function<Result<std::string>(const mcp::json::object& wish, const mcp::Caller& caller)> execute{};
};

}  // namespace glovebox::http_api
