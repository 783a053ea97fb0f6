#include "capability/registry/integrity.h"

#include "base/text/hex.h"
#include "catalog/pins/definition.h"
#include "catalog/plain_text.h"
#include "mcp/json/base64.h"

namespace glovebox::capability {
namespace {

constexpr std::string_view kPrefix = "sha256-";
constexpr std::size_t kDigestBytes = 32;

}  // namespace

Result<Integrity> Integrity::parse(std::string_view text) {
  const auto digest =
      text.starts_with(kPrefix) ? mcp::from_base64(text.substr(kPrefix.size())) : std::optional<std::string>();
  if (!digest || digest->size() != kDigestBytes) {
    return Failure{ErrorCode::kInvalidArgument, "the integrity \"" + catalog::plain_text(text, 100) +
                                                    "\" cannot be verified: it must be sha256- and a digest in base64"};
  }
  return Integrity(std::string(text));
}

Integrity Integrity::of(std::string_view bytes) {
  return Integrity(catalog::sha256_text(bytes));
}

bool Integrity::matches(std::string_view bytes) const {
  return of(bytes) == *this;
}

std::string Integrity::hex() const {
  return base::hex(*mcp::from_base64(std::string_view(text_).substr(kPrefix.size())));
}

}  // namespace glovebox::capability
