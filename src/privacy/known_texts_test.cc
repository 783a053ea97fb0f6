// Texts with known answers, if they are present beside the repository.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <map>

#include "base/source_folder.h"
#include "privacy/code_points.h"
#include "privacy/detector.h"

namespace glovebox::privacy {
namespace {

TEST(KnownTexts, ArePreciselyAndCompletelyRead) {
  std::ifstream file(base::source_folder() + "/../shared/pii/texts.json");
  if (!file) GTEST_SKIP() << "there are no texts in ../shared/pii";
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  const Detector detector;
  struct Figures {
    int expected = 0;
    int found = 0;
    int right = 0;
  };
  std::map<std::string, Figures, std::less<>> figures;
  const boost::json::value texts = boost::json::parse(content);
  for (const auto& entry : texts.as_array()) {
    const std::string text(entry.at("full_text").as_string());
    for (const auto& span : entry.at("spans").as_array())
      ++figures[std::string(span.at("entity_type").as_string())].expected;
    CodePointCounter count(text);
    for (const Finding& finding : detector.scan(text)) {
      const std::size_t begin = count.before(finding.begin);
      const std::size_t end = count.before(finding.end);
      Figures& of = figures[std::string(entity_name(finding.entity))];
      ++of.found;
      for (const auto& span : entry.at("spans").as_array()) {
        of.right += std::string_view(span.at("entity_type").as_string()) == entity_name(finding.entity) &&
                    span.at("start_position").as_int64() == static_cast<std::int64_t>(begin) &&
                    span.at("end_position").as_int64() == static_cast<std::int64_t>(end);
      }
    }
  }
  const std::map<std::string, double> least = {{"EMAIL_ADDRESS", 0.97}, {"CREDIT_CARD", 1.0}, {"IBAN_CODE", 1.0},
                                               {"US_SSN", 0.97},        {"IP_ADDRESS", 0.97}, {"PHONE_NUMBER", 0.9}};
  for (const auto& [entity, share] : least) {
    const Figures& of = figures[entity];
    ASSERT_GT(of.expected, 0) << entity;
    EXPECT_GE(of.right, share * of.expected) << entity;
    EXPECT_GE(of.right, std::min(share, 0.97) * of.found) << entity;
  }
}

}  // namespace
}  // namespace glovebox::privacy
