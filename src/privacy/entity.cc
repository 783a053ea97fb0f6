#include "privacy/entity.h"

namespace glovebox::privacy {
namespace {

struct Names {
  std::string_view entity;
  std::string_view token;
};

constexpr std::array<Names, kEntityCount> kNames = {{
    {"SECRET", "SECRET"},
    {"URL_CREDENTIALS", "CREDENTIALS"},
    {"CUSTOM", "CUSTOM"},
    {"EMAIL_ADDRESS", "EMAIL"},
    {"IBAN_CODE", "IBAN"},
    {"CREDIT_CARD", "CARD"},
    {"CRYPTO_WALLET", "WALLET"},
    {"US_SSN", "SSN"},
    {"NATIONAL_ID", "NATIONAL_ID"},
    {"IP_ADDRESS", "IP"},
    {"MAC_ADDRESS", "MAC"},
    {"DATE_OF_BIRTH", "BIRTH_DATE"},
    {"PHONE_NUMBER", "PHONE"},
    {"DOMAIN_NAME", "DOMAIN"},
}};

}  // namespace

std::string_view entity_name(Entity entity) {
  return kNames[static_cast<std::size_t>(entity)].entity;
}

std::string_view token_name(Entity entity) {
  return kNames[static_cast<std::size_t>(entity)].token;
}

std::optional<Entity> entity_of(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i].entity == name || kNames[i].token == name) return static_cast<Entity>(i);
  return std::nullopt;
}

}  // namespace glovebox::privacy
