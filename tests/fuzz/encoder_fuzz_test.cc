// The result encoder, which is in the guest, driven by random programs: what comes back matches the reference, down to
// the last bit of each number and the last byte of each string.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <cstdlib>

#include "glovebox/sandbox.h"
#include "random_value.h"
#include "wire/limits.h"

namespace glovebox::fuzz {
namespace {

namespace dom = simdjson::dom;

std::uint64_t seed() {
  const char* chosen = std::getenv("GLOVEBOX_FUZZ_SEED");
  return chosen ? std::strtoull(chosen, nullptr, 10) : 20260131;
}

// The first place where they differ, or nothing. Boost.JSON rounds some doubles; simdjson does not.
std::string difference(const Json& expected, dom::element actual, const std::string& path) {
  const auto unlike = [&](const char* what) {
    return path + ": expected " + what + ", got " + simdjson::to_string(actual).substr(0, 200);
  };
  if (std::holds_alternative<std::nullptr_t>(expected.value)) return actual.is_null() ? "" : unlike("null");
  if (const auto* flag = std::get_if<bool>(&expected.value)) {
    bool got = !*flag;
    return actual.get_bool().get(got) == simdjson::SUCCESS && got == *flag ? "" : unlike(*flag ? "true" : "false");
  }
  if (const auto* number = std::get_if<double>(&expected.value)) {
    double got = 0;
    return actual.get_double().get(got) == simdjson::SUCCESS && got == *number
               ? ""
               : unlike(std::to_string(*number).c_str());
  }
  if (const auto* text = std::get_if<std::string>(&expected.value)) {
    std::string_view got;
    return actual.get_string().get(got) == simdjson::SUCCESS && got == *text ? ""
                                                                             : unlike(("the text " + *text).c_str());
  }
  if (const auto* array = std::get_if<JsonArray>(&expected.value)) {
    dom::array got;
    if (actual.get_array().get(got) != simdjson::SUCCESS || got.size() != array->size()) return unlike("another array");
    std::size_t index = 0;
    for (const dom::element item : got) {
      const std::string inner = difference((*array)[index], item, path + "[" + std::to_string(index) + "]");
      if (!inner.empty()) return inner;
      ++index;
    }
    return "";
  }
  const auto& object = std::get<JsonObject>(expected.value);
  dom::object got;
  if (actual.get_object().get(got) != simdjson::SUCCESS || got.size() != object.size()) return unlike("another object");
  for (const auto member : got) {
    const auto found = object.find(std::string(member.key));
    if (found == object.end()) return path + ": an unexpected member " + std::string(member.key);
    const std::string inner = difference(found->second, member.value, path + "." + std::string(member.key));
    if (!inner.empty()) return inner;
  }
  return "";
}

class EncoderFuzz : public testing::Test {
 protected:
  EncoderFuzz() { RecordProperty("seed", std::to_string(seed())); }
  Sandbox sandbox_{SandboxOptions{.pool_size = 2}};
};

TEST_F(EncoderFuzz, ReturnsWhatTheReferenceSays) {
  constexpr int kBatches = 40;
  constexpr int kValuesPerBatch = 250;
  for (int batch = 0; batch < kBatches; ++batch) {
    ValueGenerator generator(seed() + static_cast<std::uint64_t>(batch));
    std::string code = "return [\n";
    JsonArray expected;
    std::vector<std::string> sources;
    for (int i = 0; i < kValuesPerBatch; ++i) {
      // The array around them takes one level of depth.
      RandomValue value = generator.value(wire::kMaxValueDepth - 1);
      code += value.source + ",\n";
      sources.push_back(value.source);
      expected.push_back(std::move(value.expected));
    }
    const Outcome outcome = sandbox_.run({.code = code + "]", .language = Language::kJavaScript});
    ASSERT_TRUE(outcome.ok()) << "seed " << seed() << " batch " << batch << ": " << outcome.error()->message;
    dom::parser parser;
    dom::array results;
    const simdjson::padded_string text(outcome.result_json());
    ASSERT_EQ(parser.parse(text).get_array().get(results), simdjson::SUCCESS);
    ASSERT_EQ(results.size(), expected.size());
    std::size_t index = 0;
    for (const dom::element result : results) {
      ASSERT_EQ(difference(expected[index], result, "value"), "") << "seed " << seed() << " batch " << batch << "\n"
                                                                  << sources[index].substr(0, 1000);
      ++index;
    }
  }
}

TEST_F(EncoderFuzz, RefusesWithThePathOfTheCulprit) {
  ValueGenerator generator(seed());
  for (int i = 0; i < 300; ++i) {
    const auto refused = generator.refused(12);
    const Outcome outcome =
        sandbox_.run({.code = "const value = " + refused.source + "\nreturn { then: undefined, value }.value",
                      .language = Language::kJavaScript});
    ASSERT_FALSE(outcome.ok()) << refused.source;
    const RunError& error = *outcome.error();
    if (refused.thrown) {
      ASSERT_EQ(error.code.text(), "RUNTIME_ERROR") << refused.source;
      ASSERT_NE(error.message.find(refused.what), std::string::npos) << error.message << "\n" << refused.source;
    } else {
      ASSERT_EQ(error.code.text(), "RESULT_NOT_SERIALIZABLE") << error.message << "\n" << refused.source;
      ASSERT_TRUE(error.message.starts_with(refused.path + " cannot be returned: " + refused.what))
          << error.message << "\nexpected " << refused.path << "\n"
          << refused.source;
    }
  }
}

// Exactly at the limit it passes, one level or one byte beyond it does not.
TEST_F(EncoderFuzz, KeepsTheLimitsExactly) {
  std::mt19937_64 random(seed());
  for (int i = 0; i < 60; ++i) {
    std::string opening, closing;
    for (int level = 0; level < wire::kMaxValueDepth; ++level) {
      const bool array = random() % 2;
      opening += array ? "[" : "{\"k\":";
      closing.insert(closing.begin(), array ? ']' : '}');
    }
    const std::string deepest = opening + "0" + closing;
    const Outcome at_limit = sandbox_.run({.code = "return " + deepest, .language = Language::kJavaScript});
    ASSERT_TRUE(at_limit.ok()) << at_limit.error()->message;
    ASSERT_EQ(at_limit.result_json(), deepest);
    const Outcome beyond = sandbox_.run({.code = "return [" + deepest + "]", .language = Language::kJavaScript});
    ASSERT_FALSE(beyond.ok());
    ASSERT_EQ(beyond.error()->code.text(), "RESULT_TOO_LARGE");

    ValueGenerator generator(random());
    const std::string source = generator.value(5).source;
    const Outcome whole = sandbox_.run({.code = "return [" + source + "]", .language = Language::kJavaScript});
    ASSERT_TRUE(whole.ok()) << whole.error()->message << "\n" << source;
    const std::size_t size = whole.result_json().size();
    const auto run_with = [&](std::size_t limit) {
      return sandbox_.run({.code = "return [" + source + "]",
                           .language = Language::kJavaScript,
                           .config = {.max_output_bytes = limit}});
    };
    ASSERT_EQ(run_with(size).result_json(), whole.result_json()) << source;
    const Outcome too_small = run_with(size - 1);
    ASSERT_FALSE(too_small.ok()) << source;
    ASSERT_EQ(too_small.error()->code.text(), "RESULT_TOO_LARGE");
  }
}

}  // namespace
}  // namespace glovebox::fuzz
