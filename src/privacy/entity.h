// What the detector searches for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace glovebox::privacy {

// In the order of precedence where two findings overlap.
enum class Entity : std::uint8_t {
  kSecret,
  kUrlCredentials,
  kCustom,
  kEmail,
  kIban,
  kCard,
  kWallet,
  kSsn,
  kNationalId,
  kIpAddress,
  kMacAddress,
  kBirthDate,
  kPhone,
  kDomainName,
};
constexpr std::size_t kEntityCount = 14;

// EMAIL_ADDRESS: its name for people and programs.
std::string_view entity_name(Entity entity);
// EMAIL: the beginning of its tokens.
std::string_view token_name(Entity entity);
// Either of the two names.
std::optional<Entity> entity_of(std::string_view name);

}  // namespace glovebox::privacy
