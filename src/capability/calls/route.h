// Explains what mcp.<namespace>.<action> resolves to, in the same order as CapabilityTools.
#pragma once

#include <string>
#include <vector>

#include "capability/library.h"

namespace glovebox::capability {

struct CallRoute {
  enum class To {
    kServer,      // a server of the config
    kDependency,  // a server that a capability needs, and that a person has approved
    kCapability,  // a run of its own
    kRemote,      // a capability that runs at a remote gateway, or a name that only that may have
    kNothing,
  };
  To to = To::kNothing;
  std::string target;       // the server's name, or the capability's
  std::string explanation;  // a sentence
};
std::string_view name_of(CallRoute::To to);

// `library` is refreshed. `configured` and `dependencies` are names of servers, `remote` that of the remote gateway.
CallRoute route_of(const std::string& space, const std::string& action, const std::vector<std::string>& configured,
                   const std::vector<std::string>& dependencies, const std::string& remote, const Library& library);

}  // namespace glovebox::capability
