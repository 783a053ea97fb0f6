// The guest's URL against the WHATWG tests: url_wpt.js runs them inside a guest.
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>

#include "base/source_folder.h"
#include "glovebox/sandbox.h"

namespace glovebox {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

class UrlConformance : public testing::TestWithParam<const char*> {};

TEST_P(UrlConformance, EveryCasePasses) {
  const std::string data = read_file(base::source_folder() + "/build/wpt/" + GetParam());
  if (data.empty()) GTEST_SKIP() << "no test data; scripts/fetch_url_tests fetches it";
  Sandbox sandbox(SandboxOptions{.pool_size = 0});
  const Outcome outcome = sandbox.run({.code = read_file(base::source_folder() + "/tests/conformance/url_wpt.js"),
                                       .language = Language::kJavaScript,
                                       .name = "url_wpt.js",
                                       .context_json = data,
                                       .config = {.timeout = std::chrono::minutes(5)}});
  ASSERT_TRUE(outcome.ok()) << to_json(outcome);
  EXPECT_NE(outcome.result_json().find(R"("failed":0,)"), std::string::npos) << outcome.result_json();
  // A run that skipped everything would have no failures either.
  EXPECT_EQ(outcome.result_json().find(R"("passed":0,)"), std::string::npos) << outcome.result_json();
}

INSTANTIATE_TEST_SUITE_P(Whatwg, UrlConformance, testing::Values("urltestdata.json", "setters_tests.json"));

}  // namespace
}  // namespace glovebox
