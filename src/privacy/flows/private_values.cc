#include "privacy/flows/private_values.h"

#include <algorithm>
#include <string>

#include "privacy/characters.h"
#include "privacy/disguises/broken_lines.h"
#include "privacy/disguises/plain_form.h"
#include "privacy/rules/spelled_mail.h"

namespace glovebox::privacy {
namespace {

// bob.miller of bob.miller@example.com identifies a person; info and support do not.
bool says_who(std::string_view name) {
  constexpr std::size_t kShortestName = 6;
  return name.size() >= kShortestName && std::any_of(name.begin(), name.end(), [](char c) { return !is_letter(c); });
}

void add_parts(Entity entity, std::string_view value, ValuePrints& prints) {
  if (entity == Entity::kEmail) {
    const std::string_view name = value.substr(0, value.find('@'));
    if (name.size() < value.size() && says_who(name)) prints.add_value(name);
  }
  if (entity != Entity::kPhone) return;
  // Without country and area code it is the same telephone.
  constexpr std::size_t kSubscriber = 8;
  std::string digits;
  std::copy_if(value.begin(), value.end(), std::back_inserter(digits), is_digit);
  if (digits.size() > kSubscriber) prints.add_value(std::string_view(digits).substr(digits.size() - kSubscriber));
}

}  // namespace

void add_private_values(const Detector& detector, std::string_view json, ValuePrints& prints) {
  for (const Finding& finding : detector.scan(json)) {
    const std::string_view surface = json.substr(finding.begin, finding.end - finding.begin);
    const auto plain = PlainForm::of_value(surface);
    std::string value = without_breaks(plain ? plain->text() : surface);
    if (finding.entity == Entity::kEmail) value = plain_email(value);
    prints.add_value(value);
    add_parts(finding.entity, value, prints);
  }
}

}  // namespace glovebox::privacy
