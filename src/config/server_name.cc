#include "config/server_name.h"

#include <algorithm>
#include <array>

#include "base/characters/ascii.h"

namespace glovebox::config {
namespace {

constexpr std::size_t kMostNameBytes = 64;

// What every JavaScript object has, what makes an object a promise, and what converts one to JSON.
constexpr std::array<std::string_view, 15> kReserved = {"__proto__",
                                                        "__defineGetter__",
                                                        "__defineSetter__",
                                                        "__lookupGetter__",
                                                        "__lookupSetter__",
                                                        "constructor",
                                                        "hasOwnProperty",
                                                        "isPrototypeOf",
                                                        "propertyIsEnumerable",
                                                        "prototype",
                                                        "then",
                                                        "toJSON",
                                                        "toLocaleString",
                                                        "toString",
                                                        "valueOf"};

}  // namespace

bool is_reserved_name(std::string_view name) {
  return std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end();
}

Result<std::string> server_name_for(std::string_view declared) {
  std::string name;
  for (const char c : declared) {
    if (base::is_alnum(c) || c == '-' || c == '_') {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  if (declared != name)
    while (!name.empty() && name.back() == '_') name.pop_back();
  const auto refused = [](const char* why) { return Failure{ErrorCode::kInvalidArgument, why}; };
  if (name.find_first_not_of("-_") == name.npos) return refused("a server's name needs a letter or a digit");
  if (name.size() > kMostNameBytes) return refused("a server's name is at most 64 characters long");
  if (is_reserved_name(name)) return refused("a server cannot have this name: it is reserved in code");
  return name;
}

}  // namespace glovebox::config
