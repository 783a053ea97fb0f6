// `glovebox ui` as a person sees it: whole journeys in a real browser, in scripts under ui/.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/proving.h"
#include "base/source_folder.h"
#include "script.h"

namespace glovebox::e2e {
namespace {

const std::vector<std::string> kJourneys = {"a_yes_from_the_inbox",
                                            "a_no_with_its_reason_and_a_rule_for_the_run",
                                            "several_at_once_in_two_workspaces",
                                            "large_requests_hide_no_other",
                                            "a_workflow_is_decided",
                                            "a_run_of_ones_own",
                                            "servers_tools_rules_and_figures",
                                            "the_gateway_is_killed_and_comes_back",
                                            "a_viewer_sees_and_does_not_answer",
                                            "hostile_text_is_text_on_every_page"};
// Only in make prove.
const std::vector<std::string> kRare = {"rare/offline_back_forward_and_two_tabs",
                                        "rare/what_went_wrong_is_said",
                                        "rare/a_gateway_that_dies_while_it_is_answered",
                                        "rare/a_call_that_writes_a_file_is_compared_with_it",
                                        "rare/a_request_without_the_owners_seal_runs_nothing",
                                        "rare/other_ways_to_see",
                                        "speed/is_quick_with_much_to_show"};
// "files/their_types_hold": of a script that needs no browser.
const std::vector<std::string> kWithoutBrowser = {"files/their_types_hold",
                                                  "files/nothing_of_others_becomes_markup",
                                                  "files/they_are_small",
                                                  "parts/what_cannot_be_seen_is_marked",
                                                  "parts/numbers_are_what_will_be_sent",
                                                  "parts/edits_are_found_and_compared",
                                                  "parts/arguments_are_all_there_whatever_they_are_called",
                                                  "parts/a_yes_is_for_the_calls_on_the_screen",
                                                  "parts/figures_become_lines",
                                                  "parts/what_is_needed_first_makes_a_request_another",
                                                  "parts/spans_and_tasks_have_their_places"};

std::string name_of(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

// The cases of a script, each with a prefix.
std::vector<std::string> listed(const std::string& script, const std::string& before) {
  std::istringstream lines(run_script(script, "--list").text);
  std::vector<std::string> found;
  for (std::string name; std::getline(lines, name);) found.push_back(before + name);
  return found;
}

class UiPart : public testing::TestWithParam<std::string> {};

TEST_P(UiPart, Case) {
  const std::size_t slash = GetParam().find('/');
  const Outcome outcome = run_script("ui/" + GetParam().substr(0, slash), GetParam().substr(slash + 1));
  EXPECT_EQ(outcome.code, 0) << outcome.text;
}

INSTANTIATE_TEST_SUITE_P(Scripts, UiPart, testing::ValuesIn(kWithoutBrowser), name_of);

void skip_without_browser() {
  const std::string packages = base::source_folder() + "/tests/e2e/node_modules/";
  if (!std::filesystem::exists("/usr/bin/chromium") || !std::filesystem::exists(packages + "playwright-core")) {
    GTEST_SKIP() << "no browser; scripts/bootstrap test installs it";
  }
}

class UiJourney : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { skip_without_browser(); }
};

TEST_P(UiJourney, Case) {
  const Outcome outcome = run_script("ui/journeys", GetParam());
  EXPECT_EQ(outcome.code, 0) << outcome.text;
}

INSTANTIATE_TEST_SUITE_P(Scripts, UiJourney, testing::ValuesIn(kJourneys), name_of);

class UiProof : public UiPart {
 protected:
  void SetUp() override {
    if (!base::is_proving()) GTEST_SKIP() << "for make prove";
    skip_without_browser();
  }
};

TEST_P(UiProof, Case) {
  const std::size_t slash = GetParam().find('/');
  const Outcome outcome = run_script("ui/" + GetParam().substr(0, slash), GetParam().substr(slash + 1));
  EXPECT_EQ(outcome.code, 0) << outcome.text;
}

INSTANTIATE_TEST_SUITE_P(Scripts, UiProof, testing::ValuesIn(kRare), name_of);

// A case that is not run proves nothing.
TEST(UiScripts, HaveNoCaseThatIsNotRun) {
  skip_without_browser();
  if (IsSkipped()) return;
  std::vector<std::string> found = listed("ui/files", "files/");
  for (std::string& name : listed("ui/parts", "parts/")) found.push_back(std::move(name));
  EXPECT_EQ(found, kWithoutBrowser);
  EXPECT_EQ(listed("ui/journeys", ""), kJourneys);
  std::vector<std::string> rare = listed("ui/rare", "rare/");
  for (std::string& name : listed("ui/speed", "speed/")) rare.push_back(std::move(name));
  EXPECT_EQ(rare, kRare);
}

}  // namespace
}  // namespace glovebox::e2e
