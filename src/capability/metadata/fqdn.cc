#include "capability/metadata/fqdn.h"

#include <algorithm>
#include <vector>

#include "base/characters/ascii.h"
#include "base/try.h"
#include "capability/registry/integrity.h"
#include "catalog/plain_text.h"
#include "config/server_name.h"

namespace glovebox::capability {
namespace {

constexpr std::size_t kMostPart = 64;
constexpr std::size_t kHash = 4;

// What came is shown, so that the person sees it, but not what would move a cursor or fill the screen.
Failure no_capability_name(std::string_view text, const std::string& why) {
  std::string shown = catalog::plain_text(text, 200);
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return {ErrorCode::kInvalidArgument, "\"" + shown + "\" is not the name of a capability: " + why};
}

std::string why_no_part(std::string_view part) {
  if (part.empty()) return "one of its parts is empty";
  if (part.size() > kMostPart) return "one of its parts is longer than 64 characters";
  if (!base::is_word(part, "-_")) return "its parts consist of letters, digits, - and _";
  if (!base::is_letter(part.front())) return "its parts begin with a letter";
  if (config::is_reserved_name(part)) return "one of its parts is reserved in code";
  return "";
}

Result<std::vector<std::string>> parts_of(std::string_view text, std::size_t count, const char* form) {
  std::vector<std::string> parts;
  std::string_view left = text;
  // One more than there can be is enough to know.
  while (parts.size() <= count) {
    const std::size_t dot = left.find('.');
    parts.emplace_back(left.substr(0, std::min(dot, kMostPart + 1)));
    if (dot == left.npos) break;
    left.remove_prefix(dot + 1);
  }
  if (parts.size() != count) return no_capability_name(text, std::string("it must have the form ") + form);
  return parts;
}

}  // namespace

Result<Fqdn> Fqdn::parse(std::string_view text) {
  const auto parts = GLOVEBOX_TRY(parts_of(text, 5, "org.project.namespace.action.hash4"));
  for (std::size_t i = 0; i < 4; ++i)
    if (const std::string why = why_no_part(parts[i]); !why.empty()) return no_capability_name(text, why);
  const std::string& hash = parts[4];
  const bool is_hash = hash.size() == kHash && std::all_of(hash.begin(), hash.end(), [](char c) {
                         return base::hex_value(c) >= 0 && !base::is_upper(c);
                       });
  if (!is_hash) return no_capability_name(text, "its last part must be four lower-case hex digits");
  return Fqdn{parts[0], parts[1], parts[2], parts[3], hash};
}

std::string Fqdn::text() const {
  return org + "." + project + "." + space + "." + action + "." + hash;
}

Result<Fqdn> fqdn_for(std::string_view name, std::string_view code) {
  (void)GLOVEBOX_TRY(parts_of(name, 4, "org.project.namespace.action"));
  return Fqdn::parse(std::string(name) + "." + Integrity::of(code).hex().substr(0, kHash));
}

}  // namespace glovebox::capability
