#include "base/text/twice_said.h"

#include "base/text/utf8.h"

namespace glovebox::base {

std::string with_text(std::string json, const TwiceSaid& places) {
  const std::string text = json_text(std::string_view(json).substr(places.begin, places.end - places.begin));
  json.insert(places.text, text, 1, text.size() - 2);
  return json;
}

}  // namespace glovebox::base
