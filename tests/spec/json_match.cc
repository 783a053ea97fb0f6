#include "json_match.h"

#include <boost/json.hpp>
#include <regex>

namespace glovebox::spec {
namespace {

namespace json = boost::json;

// `exact`: inside a result, an unexpected member is a difference too.
std::string differ(const json::value& expected, const json::value& actual, const std::string& path, bool exact) {
  const auto unlike = [&] {
    return path + ": expected " + json::serialize(expected) + ", got " + json::serialize(actual);
  };
  if (expected.is_object()) {
    if (!actual.is_object()) return unlike();
    for (const auto& member : expected.get_object()) {
      const auto* found = actual.get_object().if_contains(member.key());
      const std::string inner = path + "." + std::string(member.key());
      if (!found) return inner + ": missing, in " + json::serialize(actual);
      const bool inner_exact = exact || inner == "$.result";
      if (std::string difference = differ(member.value(), *found, inner, inner_exact); !difference.empty())
        return difference;
    }
    if (exact && expected.get_object().size() != actual.get_object().size()) return unlike();
    return {};
  }
  if (expected.is_array()) {
    if (!actual.is_array() || expected.get_array().size() != actual.get_array().size()) return unlike();
    for (std::size_t i = 0; i < expected.get_array().size(); ++i) {
      const std::string inner = path + "[" + std::to_string(i) + "]";
      if (std::string difference = differ(expected.get_array()[i], actual.get_array()[i], inner, exact);
          !difference.empty()) {
        return difference;
      }
    }
    return {};
  }
  if (expected.is_string() && actual.is_string()) {
    const std::string pattern(expected.get_string());
    if (pattern.size() > 2 && pattern.front() == '/' && pattern.back() == '/') {
      const std::regex expression(pattern.substr(1, pattern.size() - 2));
      if (std::regex_search(std::string(actual.get_string()), expression)) return {};
      return unlike();
    }
  }
  if (expected.is_number() && actual.is_number()) {
    if (expected.to_number<double>() == actual.to_number<double>()) return {};
    return unlike();
  }
  return expected == actual ? std::string() : unlike();
}

}  // namespace

std::string difference(const std::string& expected_json, const std::string& actual_json) {
  json::error_code error;
  const json::value expected = json::parse(expected_json, error);
  if (error) return "the expectation is not JSON: " + expected_json;
  // Results may nest deeper than Boost.JSON reads by itself.
  json::parse_options options;
  options.max_depth = 256;
  const json::value actual = json::parse(actual_json, error, {}, options);
  if (error) return "the result is not JSON: " + actual_json;
  // A failed run has a null result as well: to expect a result is to expect no error.
  const bool expects_success = expected.as_object().contains("result") && !expected.as_object().contains("error");
  if (expects_success && actual.as_object().contains("error")) return "$.error: unexpected, " + actual_json;
  return differ(expected, actual, "$", false);
}

}  // namespace glovebox::spec
