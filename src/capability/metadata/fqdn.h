// The full name of a capability: org.project.namespace.action.hash4, such as acme.tools.text.summarise.a7f3.
//
// It becomes part of a path, a file name and a URL, and its namespace and action become names in code. So each part is
// letters, digits, - and _, and nothing of it needs escaping anywhere.
#pragma once

#include <string>
#include <string_view>

#include "glovebox/result.h"

namespace glovebox::capability {

struct Fqdn {
  std::string org;
  std::string project;
  std::string space;  // the namespace: what code writes before the action
  std::string action;
  std::string hash;  // four hex digits in lower case. Distinguishes versions; proves nothing

  static Result<Fqdn> parse(std::string_view text);
  std::string text() const;
  // As code writes it after `mcp.`: text.summarise.
  std::string called() const { return space + "." + action; }
  bool operator==(const Fqdn&) const = default;
};

// org.project.namespace.action, for a name whose hash is yet to be made of `code`.
Result<Fqdn> fqdn_for(std::string_view name, std::string_view code);

}  // namespace glovebox::capability
