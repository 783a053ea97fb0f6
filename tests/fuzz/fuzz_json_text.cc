// Our own reader and writers of JSON, against simdjson: both accept the same texts, a string comes back as it was, and
// indenting changes nothing but spaces.
#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/text/canonical_json.h"
#include "base/text/json_slice.h"
#include "base/text/json_text.h"
#include "base/text/log_text.h"
#include "base/text/utf8.h"
#include "expect.h"

namespace fuzz_json_text {

namespace {

using namespace glovebox;

std::string minified(std::string_view json) {
  std::string out(json.size(), '\0');
  std::size_t length = 0;
  FUZZ_EXPECT(simdjson::minify(json.data(), json.size(), out.data(), length) == simdjson::SUCCESS);
  out.resize(length);
  return out;
}

void check_string(std::string_view text) {
  const simdjson::padded_string json(base::json_string(text));
  simdjson::dom::parser parser;
  std::string_view back;
  FUZZ_EXPECT(parser.parse(json).get_string().get(back) == simdjson::SUCCESS);
  FUZZ_EXPECT(back == text);
}

simdjson::error_code judge(std::string_view text) {
  simdjson::dom::parser parser;
  return parser.parse(simdjson::padded_string(text)).error();
}

// simdjson also refuses integers beyond 64 bits.
void check_reader(std::string_view text) {
  const bool accepted = base::check_json(text, {.max_depth = 1100, .finite_numbers = true}).ok();
  const auto error = judge(text);
  if (error == simdjson::SUCCESS) FUZZ_EXPECT(accepted);
  if (accepted)
    FUZZ_EXPECT(error == simdjson::SUCCESS || error == simdjson::NUMBER_ERROR || error == simdjson::DEPTH_ERROR);
}

void check_document(std::string_view json) {
  const std::string pretty = base::pretty_json(json);
  FUZZ_EXPECT(minified(pretty) == minified(json));
  FUZZ_EXPECT(judge(pretty) == simdjson::SUCCESS);
  FUZZ_EXPECT(judge(base::neutralise_json(pretty)) == simdjson::SUCCESS);
}

}  // namespace

FUZZ_TARGET(json_text) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (base::is_utf8(text)) check_string(text);
  check_reader(text);
  if (judge(text) == simdjson::SUCCESS) check_document(text);
  if (const auto form = base::canonical_json(text)) {
    FUZZ_EXPECT(base::check_json(text, {.max_depth = 1100, .unique_keys = true}).ok());
    FUZZ_EXPECT(base::check_json(*form, {.max_depth = 1100, .unique_keys = true}).ok());
  }
  (void)base::pretty_json(text);  // must not crash, on any bytes
  return 0;
}

}  // namespace fuzz_json_text
