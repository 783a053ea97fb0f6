// How the regions of the world write telephone numbers: tables that the build makes from libphonenumber's metadata
// (scripts/make_numbering_plans.mjs).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace glovebox::privacy {

struct CallingCode {
  std::uint16_t code;
  std::uint32_t lengths;  // of what follows it, one bit for each
};
extern const std::span<const CallingCode> kCallingCodes;  // in ascending order

struct Grouping {
  std::uint64_t sizes;                        // of the groups as they are written in the country, four bits for each
  std::array<std::uint64_t, 2> first_digits;  // which first two digits such numbers have, one bit for each
};
extern const std::span<const Grouping> kGroupings;  // in ascending order

// Whether the digits after a plus are a calling code and as many digits as its numbers have.
bool is_international(std::string_view digits);
// Whether some region writes numbers in these groups, with these first two digits.
bool is_national(std::span<const std::size_t> sizes, std::string_view first_digits);

}  // namespace glovebox::privacy
