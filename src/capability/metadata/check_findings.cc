#include "capability/metadata/check_findings.h"

#include <algorithm>
#include <set>

#include "catalog/names.h"

namespace glovebox::capability {
namespace {

// A name or property that is not there, with or without one that may have been meant.
constexpr std::string_view kMissing[] = {"TS2304", "TS2339", "TS2551", "TS2552", "UNKNOWN_TOOL", "UNKNOWN_SERVER"};

// What TypeScript says is missing stands first in its message, in quotes.
std::string missing_name(const Diagnostic& found) {
  const bool is_missing = std::find(std::begin(kMissing), std::end(kMissing), found.code) != std::end(kMissing);
  const std::size_t begin = is_missing ? found.message.find('\'') : std::string::npos;
  const std::size_t end = begin == std::string::npos ? begin : found.message.find('\'', begin + 1);
  return end == std::string::npos ? std::string() : found.message.substr(begin + 1, end - begin - 1);
}

}  // namespace

void drop_findings_about(const CapabilityLock& lock, std::vector<Diagnostic>& found) {
  std::set<std::string> names;
  for (const auto& [key, entry] : lock.entries()) {
    for (const std::string& name : {entry.fqdn.space, entry.fqdn.action}) {
      names.insert(name);
      names.insert(catalog::camel_case(name));
    }
  }
  names.erase("");
  std::erase_if(found, [&](const Diagnostic& one) { return names.contains(missing_name(one)); });
}

}  // namespace glovebox::capability
