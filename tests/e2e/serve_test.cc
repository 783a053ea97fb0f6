// `glovebox serve` with real parts: the official clients and servers, in scripts under serve/. Each of their cases is
// one test here.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "base/sanitized.h"
#include "base/source_folder.h"
#include "script.h"

namespace glovebox::e2e {
namespace {

const std::string kFolder = base::source_folder() + "/tests/e2e/";

const bool kMemoryIsFlat = !base::is_sanitized();  // the sanitizer keeps freed memory

// These run with the program as it is shipped. In the others a direct call of the store on a loop ends the gateway.
const std::set<std::string> kWithTheShippedProgram = {"checking", "docs", "forgiving", "python", "soak", "tokens"};

struct Case {
  std::string script;
  std::string name;
};
std::ostream& operator<<(std::ostream& out, const Case& one) {
  return out << one.script << " " << one.name;
}

std::vector<Case> all_cases() {
  const std::vector<std::pair<std::string, std::vector<std::string>>> scripts = {
      {"answers",
       {"lists_its_tools", "what_is_listed_follows_config_and_use", "results_logs_metrics_and_trace",
        "an_error_is_told_once", "a_large_result_is_read_in_parts", "json_in_a_text_is_a_value",
        "pictures_reach_the_client", "what_is_emitted_reaches_its_client_and_people", "the_rest_of_mcp_passes_through",
        "errors_of_tools_are_exceptions"}},
      {"running",
       {"tools_of_real_servers_in_one_program", "calls_of_one_program_run_at_once", "one_call_without_a_program",
        "denied_calls_never_leave", "progress_arrives_while_it_runs",
        "a_call_that_is_cancelled_while_a_person_is_asked_leaves_its_run", "a_cancelled_call_ends_its_run",
        "a_server_that_dies_costs_its_own_call", "edits_of_the_config_take_effect", "two_gateways_in_one_workspace",
        "arguments_cannot_become_messages", "half_a_character_gets_an_answer", "at_the_end_of_input_all_ends"}},
      {"tokens", {"the_list_of_tools", "three_tasks", "calls_cost_nothing", "errors_and_questions"}},
      {"forgiving", {"every_mistake"}},
      {"approvals",
       {"by_elicitation", "by_input_required", "by_input_required_over_http_twice", "by_continue_run",
        "the_model_cannot_approve_for_a_person_who_can_be_asked", "from_another_process",
        "from_another_process_while_a_form_is_open", "by_http", "on_the_terminal",
        "exec_without_a_terminal_leaves_the_run_waiting", "for_this_run", "for_this_session",
        "always_is_written_to_the_config", "calls_of_a_loop_are_one_question", "some_calls_of_a_question",
        "a_no_with_its_reason", "others_go_on_while_one_waits", "tells_the_owners_program_and_address"}},
      {"restart",
       {"three_runs_wait", "one_run_waits_for_three_calls", "killed_between_the_answers",
        "killed_in_the_middle_of_a_call", "killed_at_any_moment", "a_signal_lets_what_is_under_way_end",
        "a_second_signal_parks_what_is_under_way", "the_end_of_input_is_an_orderly_end",
        "what_nobody_runs_is_cancelled_at_once", "killed_while_code_runs"}},
      {"http",
       {"nobody_without_the_token", "no_other_name_and_no_other_site", "open_is_for_loopback_only",
        "both_clients_with_the_token_of_the_config", "cancellation_over_http", "tls_by_certificate_files",
        "the_inspector", "a_signal_ends_it_with_all_it_started", "a_new_token_is_for_the_owner_alone"}},
      {"discovery",
       {"search_tools_of_real_servers", "an_intent_brings_its_tools", "the_first_call_of_a_session_searches_by_meaning",
        "an_intent_and_an_approval", "denied_and_quarantined_tools_are_never_suggested",
        "a_restart_embeds_nothing_again", "a_changed_list_is_followed_by_what_has_changed", "an_endpoint_of_the_owner",
        "an_endpoint_that_fails_while_a_gateway_runs", "what_served_an_intent_moves_up"}},
      {"checking",
       {"twenty_mistakes_cost_no_call", "the_same_tasks_run_when_they_are_right", "several_mistakes_are_told_at_once",
        "modes", "denied_tools_are_refused_by_the_policy_and_not_by_the_check", "a_dead_checker_is_replaced",
        "a_stopped_checker_holds_nobody_up", "a_stopped_type_generator_is_replaced",
        "a_type_bomb_is_cut_off_and_the_run_goes_on", "a_run_that_is_taken_up_again_is_not_checked_twice",
        "a_program_that_was_checked_needs_no_checker", "exec_checks_as_well"}},
      {"python",
       {"tools_of_real_servers_in_one_program", "errors_denials_and_calls_at_once", "skills_as_device",
        "a_run_that_waits_is_taken_up_after_a_kill", "exec_with_real_servers", "it_is_warm_when_the_config_says_so"}},
      {"tasks",
       {"a_run_is_a_task", "a_run_that_waits_for_a_person_is_a_task", "tasks_belong_to_who_began_them",
        "tools_that_are_tasks"}},
      {"workflows",
       {"a_plan_of_tools_and_code", "what_is_wrong_is_told_before_anything_runs", "an_agent_decides_after_a_layer",
        "every_command_is_answered_in_every_state", "commands_without_a_gateway", "a_question_cuts_nothing_short",
        "a_person_is_asked_by_their_client", "killed_in_the_middle_it_goes_on", "events_over_http",
        "the_example_from_the_command_line", "an_agent_lists_forks_and_rolls_back"}},
      {"observe",
       {"metrics_and_health", "metrics_say_what_happened", "a_run_is_part_of_its_callers_trace",
        "spans_reach_a_collector", "a_trace_goes_on_after_a_kill"}},
      {"privacy",
       {"no_value_reaches_the_agent", "tokens_go_back_to_tools_that_may_have_values",
        "each_conversation_has_its_own_tokens", "modes", "off_is_said", "questions_and_waiting_runs_hold_tokens",
        "workflows_and_their_events", "a_large_result"}},
      {"docs",
       {"every_block_says_how_it_is_tested", "links_lead_somewhere", "commands_print_what_is_shown",
        "usage_is_in_the_help", "configs_are_valid", "texts_of_other_languages_can_be_read",
        "the_skill_that_is_shown_runs", "tables_are_those_of_the_program"}},
      {"soak", {"calls", "waiting", "large_results"}},
  };
  std::vector<Case> cases;
  for (const auto& [script, names] : scripts) {
    for (const std::string& name : names) cases.push_back({script, name});
  }
  return cases;
}

void skip_without_packages() {
  if (!std::filesystem::exists(kFolder + "node_modules/@modelcontextprotocol/inspector")) {
    GTEST_SKIP() << "no clients and servers; scripts/bootstrap test installs them";
  }
}

class Serve : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    skip_without_packages();
    if (GetParam().script == "soak" && !kMemoryIsFlat) GTEST_SKIP() << "memory is no measure with a sanitizer";
  }
};

TEST_P(Serve, Case) {
  const std::string programs = kWithTheShippedProgram.contains(GetParam().script) ? "" : "queue-only";
  const Outcome outcome = run_script("serve/" + GetParam().script, GetParam().name, programs);
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  if (GetParam().script == "soak") std::fputs(outcome.text.c_str(), stdout);
}

INSTANTIATE_TEST_SUITE_P(Scripts, Serve, testing::ValuesIn(all_cases()),
                         [](const auto& info) { return info.param.script + "_" + info.param.name; });

// A case that is not run proves nothing.
TEST(ServeScripts, HaveNoCaseThatIsNotRun) {
  skip_without_packages();
  if (IsSkipped()) return;
  const std::vector<Case> cases = all_cases();
  std::set<std::string> scripts;
  for (const Case& one : cases) scripts.insert(one.script);
  for (const std::string& script : scripts) {
    std::istringstream listed(run_script("serve/" + script, "--list").text);
    int count = 0;
    for (std::string name; std::getline(listed, name); ++count) {
      EXPECT_TRUE(std::any_of(cases.begin(), cases.end(),
                              [&](const Case& one) { return one.script == script && one.name == name; }))
          << script << " " << name;
    }
    EXPECT_EQ(count, std::count_if(cases.begin(), cases.end(), [&](const Case& one) { return one.script == script; }));
  }
}

}  // namespace
}  // namespace glovebox::e2e
