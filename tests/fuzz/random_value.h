// Random JavaScript values as source text, each with the expected output of the encoder. The reference is written from
// the contract (wire/README.md and value_encoder.h), not from the encoder.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace glovebox::fuzz {

struct Json;
using JsonArray = std::vector<Json>;
using JsonObject = std::map<std::string, Json>;  // UTF-8 keys; order is not compared
struct Json {
  std::variant<std::nullptr_t, bool, double, std::string, JsonArray, JsonObject> value = nullptr;
};

struct RandomValue {
  std::string source;  // a JavaScript expression
  Json expected;
};

class ValueGenerator {
 public:
  explicit ValueGenerator(std::uint64_t seed) : random_(seed) {}

  // At most `depth` containers deep.
  RandomValue value(int depth);

  // A value with one thing in it that cannot be returned: the source, and the path that the refusal must name.
  struct Refused {
    std::string source;
    std::string path;
    std::string what;  // how the refusal continues, or the message that the guest's own code threw
    bool thrown = false;
  };
  Refused refused(int depth);

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  bool chance(int percent) { return below(100) < static_cast<std::uint64_t>(percent); }

  RandomValue scalar();
  RandomValue number();
  RandomValue text();
  RandomValue array(int depth);
  RandomValue object(int depth);
  RandomValue disguised(int depth);
  std::u16string random_units(std::size_t longest);
  std::u16string random_key();

  std::mt19937_64 random_;
};

// A JavaScript string literal with exactly these UTF-16 units.
std::string literal_of(const std::u16string& units);
// As it leaves the guest: UTF-8, with U+FFFD for each lone surrogate.
std::string utf8_of(const std::u16string& units);

}  // namespace glovebox::fuzz
