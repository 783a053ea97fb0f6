// Runs, approvals and answers as gateways record them.
#pragma once

#include "store/store_fixture.h"

namespace glovebox::store {

class StoreTest : public StoreFixture {
 protected:
  static RunRecord run(const std::string& id, std::int64_t created = 1) {
    RunRecord made;
    made.id = id;
    made.created = created;
    made.code = "return 1";
    made.language = "ts";
    made.name = "agent.ts";
    made.context = "{}";
    made.config = "{}";
    made.seed = "s";
    made.now = 5;
    made.client = "me";
    made.session = "s1";
    made.owner = "g1";
    made.intent = "why";
    return made;
  }
  static ApprovalRecord approval(const std::string& id, const std::string& run) {
    ApprovalRecord made{id, run, 2, "tool_calls", "{}", ApprovalRecord::State::kPending, {}};
    made.calls.push_back({1, "fs", "write", R"({"a":1})", "h", std::nullopt, ""});
    made.calls.push_back({2, "fs", "write", R"({"a":2})", "h", std::nullopt, ""});
    return made;
  }
  static AnswerRecord yes(const std::string& approval, std::vector<std::uint64_t> calls = {}) {
    AnswerRecord made;
    made.approval = approval;
    made.calls = std::move(calls);
    made.who = "uid:0";
    made.channel = "cli";
    made.approved = true;
    made.at = 9;
    return made;
  }
};

// Tests that apply to files only.
class StoreFileTest : public StoreTest {};

}  // namespace glovebox::store
