// JsonMembers promises never to read outside its text, whatever that is; and on valid JSON to find what a real parser
// finds.
#include <simdjson.h>

#include <cstdint>
#include <string_view>

#include "expect.h"
#include "wire/json_members.h"

namespace fuzz_json_members {

namespace {

using glovebox::wire::JsonMembers;

bool lies_within(std::string_view part, std::string_view whole) {
  return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

}  // namespace

FUZZ_TARGET(json_members) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto members = JsonMembers::split(text);
  if (members) {
    for (const auto& [key, value] : members->all()) {
      FUZZ_EXPECT(lies_within(key, text) && lies_within(value, text));
      FUZZ_EXPECT(!value.empty() && members->raw(key) == value);
      (void)members->integer(key);
      if (const auto word = members->word(key))
        FUZZ_EXPECT(lies_within(*word, value) && word->size() + 2 == value.size());
    }
  }

  simdjson::dom::parser parser;
  simdjson::dom::object object;
  const simdjson::padded_string padded(text);
  if (parser.parse(padded).get_object().get(object) != simdjson::SUCCESS) return 0;
  // Valid JSON: only a repeated or an escaped key may be refused.
  if (!members) return 0;
  FUZZ_EXPECT(members->all().size() == object.size());
  std::size_t index = 0;
  for (const auto member : object) {
    const auto& [key, value] = members->all()[index++];
    FUZZ_EXPECT(key == member.key);
    simdjson::dom::parser value_parser;
    const simdjson::padded_string value_text(value);
    FUZZ_EXPECT(value_parser.parse(value_text).error() == simdjson::SUCCESS);
  }
  return 0;
}

}  // namespace fuzz_json_members
