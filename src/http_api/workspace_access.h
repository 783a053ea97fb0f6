// A workspace as the API reaches it: its store, and what lies beside it in the owner's state folder. Whether a gateway
// runs in this process or in another one makes no difference: what is said goes into the store, and the gateway that
// drives a run is woken.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

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
};

}  // namespace glovebox::http_api
