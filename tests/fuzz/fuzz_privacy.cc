// Any text: findings are within it, in order, and do not overlap. Filtered JSON is still JSON.
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "expect.h"
#include "privacy/detector.h"
#include "privacy/filter.h"

namespace fuzz_privacy {

FUZZ_TARGET(privacy) {
  using namespace glovebox::privacy;
  static const Detector detector = [] {
    DetectorSettings settings;
    settings.entities = every_entity();
    settings.custom = {{"NUMBER", "N[0-9]+", "luhn"}};
    return std::move(Detector::make(std::move(settings))).value();
  }();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::size_t last = 0;
  for (const Finding& finding : detector.scan(text)) {
    FUZZ_EXPECT(finding.begin >= last);
    FUZZ_EXPECT(finding.end > finding.begin && finding.end <= text.size());
    FUZZ_EXPECT(finding.score >= kReportedFrom && finding.score <= 1);
    last = finding.end;
  }
  boost::json::error_code error;
  (void)boost::json::parse(text, error);
  if (error) return 0;
  static const Filter filter(std::make_shared<Detector>(), std::make_shared<TokenVault>(), Mode::kTokenize);
  (void)boost::json::parse(filter.json(std::string(text)).text, error);
  FUZZ_EXPECT(!error);
  return 0;
}

}  // namespace fuzz_privacy
