// A tool of an upstream server, as the catalog knows it.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::catalog {

struct Tool {
  std::string server;
  std::string owner;  // the server in the config, where `server` is one of its classes; else empty
  std::string name;   // the server's name for it
  std::string alias;  // camelCase; empty where it is the name itself, or would be ambiguous
  std::string title;  // this and the following are untrusted text
  std::string description;
  std::string input_schema;   // JSON
  std::string output_schema;  // JSON, or empty
  std::string annotations;    // JSON, or empty. Hints that grant nothing
  std::string hash;           // sha256-…, over name, description, input and output schema

  enum class State {
    kUsable,
    kQuarantined,  // its definition is not the one that was pinned; see Catalog::diff and approve
    kRefused,      // its name or definition cannot be used; `reason` says why
  };
  State state = State::kUsable;
  std::string reason;  // for the state; for a usable tool a remark, such as that its arguments cannot be checked
};

// Names that begin so are ours (offers/built_in_tools.h); a tool of a server that has one is left out.
inline bool is_built_in(std::string_view name) {
  return name.starts_with('$');
}

}  // namespace glovebox::catalog
