#include "capability/calls/route.h"

#include <algorithm>

namespace glovebox::capability {

std::string_view name_of(CallRoute::To to) {
  switch (to) {
    case CallRoute::To::kServer: return "server";
    case CallRoute::To::kDependency: return "dependency";
    case CallRoute::To::kCapability: return "capability";
    case CallRoute::To::kRemote: return "remote";
    case CallRoute::To::kNothing: return "nothing";
  }
  return "nothing";
}

CallRoute route_of(const std::string& space, const std::string& action, const std::vector<std::string>& configured,
                   const std::vector<std::string>& dependencies, const std::string& remote, const Library& library) {
  const auto has = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), space) != names.end();
  };
  const LockEntry* entry = library.lock().find(space, action);
  const std::string otherwise =
      entry ? "; the capability " + entry->fqdn.text() + " has the same name and is not called" : std::string();
  if (has(configured))
    return {CallRoute::To::kServer, space,
            space + " is a server of the config, which runs or is reached here" + otherwise};
  if (has(dependencies))
    return {CallRoute::To::kDependency, space,
            space + " is a server that a capability needs; it runs here" + otherwise};
  if (!entry && !remote.empty())
    return {CallRoute::To::kRemote, remote,
            "nothing here is called " + space + ":" + action + ", so the gateway " + remote +
                " is asked to call it, under its own rules"};
  if (!entry) return {CallRoute::To::kNothing, "", "no server or capability is called " + space + ":" + action};
  const auto published = library.load(*entry);
  const std::string name = entry->fqdn.text();
  if (published && published->metadata.routing == Metadata::Routing::kServer)
    return {CallRoute::To::kRemote, name,
            remote.empty() ? name + " runs on a remote gateway, and the config names none: it cannot be called"
                           : name + " is forwarded to the gateway " + remote + ", which runs it under its own rules"};
  std::string words = name + " runs here, in the sandbox";
  if (!published)
    return {CallRoute::To::kCapability, name, words + ", once its code is here: " + published.failure().message};
  words += published->metadata.tools.empty() ? ", without any tool" : ", with only these tools:";
  for (const std::string& tool : published->metadata.tools)
    words += (&tool == &published->metadata.tools.front() ? " " : ", ") + tool;
  return {CallRoute::To::kCapability, name, words};
}

}  // namespace glovebox::capability
