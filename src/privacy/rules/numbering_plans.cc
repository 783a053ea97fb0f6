#include "privacy/rules/numbering_plans.h"

#include <algorithm>

namespace glovebox::privacy {

bool is_international(std::string_view digits) {
  unsigned code = 0;
  for (std::size_t size = 1; size <= 3 && size < digits.size(); ++size) {
    code = code * 10 + static_cast<unsigned>(digits[size - 1] - '0');
    const auto found = std::lower_bound(kCallingCodes.begin(), kCallingCodes.end(), code,
                                        [](const CallingCode& known, unsigned wanted) { return known.code < wanted; });
    if (found == kCallingCodes.end() || found->code != code) continue;
    // Calling codes are prefix-free.
    return (found->lengths >> (digits.size() - size) & 1) != 0;
  }
  return false;
}

bool is_national(std::span<const std::size_t> sizes, std::string_view first_digits) {
  if (sizes.size() < 2 || first_digits.size() < 2) return false;
  std::uint64_t key = 0;
  for (const std::size_t size : sizes) {
    if (size > 15) return false;
    key = key << 4 | size;
  }
  const auto found = std::lower_bound(kGroupings.begin(), kGroupings.end(), key,
                                      [](const Grouping& known, std::uint64_t wanted) { return known.sizes < wanted; });
  if (found == kGroupings.end() || found->sizes != key) return false;
  const auto place = static_cast<unsigned>((first_digits[0] - '0') * 10 + (first_digits[1] - '0'));
  return (found->first_digits[place / 64] >> (place % 64) & 1) != 0;
}

}  // namespace glovebox::privacy
