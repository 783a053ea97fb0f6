// Each step of the checklist stops a call that all earlier steps let proceed, before any later step has had an effect.
#include "gateway/tool_call/checklist.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>

#include <fstream>
#include <regex>

#include "base/source_folder.h"
#include "gateway/approvals/approval_answer.h"
#include "gateway/privacy/run_privacy.h"
#include "gateway/runs/managed_run.h"
#include "gateway/services_fixture.h"
#include "store/database/patience.h"

namespace glovebox::gateway {
namespace {

using catalog::ApprovedCall;

class StepTools final : public catalog::ToolSource {
 public:
  std::vector<ToolNamespace> namespaces() const override { return {}; }
  void find(const std::string&, const std::string&, Found) override {}
  std::optional<catalog::CallFailure> why_not(const catalog::Tool&, const std::string& arguments) override {
    if (arguments.find("wrong") == arguments.npos) return std::nullopt;
    return catalog::CallFailure{"INVALID_ARGUMENTS", "/wrong is not known"};
  }
  std::optional<Need> need(const catalog::Tool&) override { return needed; }
  Result<void> meet(const catalog::Tool&) override {
    ++met;
    needed.reset();
    return {};
  }
  std::function<void()> call(catalog::ApprovedCall, catalog::CallOptions, Called) override {
    ADD_FAILURE() << "the checklist calls nothing itself";
    return [] {};
  }

  std::optional<Need> needed;
  int met = 0;
};

class ChecklistTest : public ServicesTest {
 protected:
  ChecklistTest() : ChecklistTest(std::make_shared<StepTools>()) {}
  explicit ChecklistTest(const std::shared_ptr<StepTools>& tools) : ServicesTest(tools), tools_(*tools) {
    permit({{"fs"}, {}, {}});
    services_->cache = std::make_unique<cache::ResultCache>(
        *store_, cache::CacheLimits{.patience = std::chrono::minutes(10)}, services_->now);
    // Only one call a minute, so that counting shows.
    limit({{"fs", {.per_minute = 1, .concurrent = {}}}});
  }

  void limit(const std::map<std::string, policy::RateLimit>& limits) {
    ASSERT_TRUE(services_->limits.set(limits).ok());
  }
  void permit(const policy::PermissionTexts& texts) {
    services_->rules = std::move(policy::ToolRules::parse(texts, "/ws")).value();
  }
  // The run, created on first use with what is in the store by then.
  ManagedRun& run() {
    if (!run_) {
      run_ = std::make_shared<ManagedRun>(services_, record_, RunSettings{}, nullptr);
      const store::DirectCalls direct;
      run_->resume(StoredRun::read(*store_, "r").value());
      if (shared_) run_->share(shared_);
    }
    return *run_;
  }
  PendingCall write(const std::string& arguments = R"({"path":"./out/x"})", std::uint64_t id = 1) {
    PendingCall call(services_, {id, "files", "writeFile", arguments});
    catalog::Tool tool;
    tool.server = "fs";
    tool.name = "write";
    tool.hash = "h";
    call.found = tool;
    return call;
  }
  // The final result: once the store has answered, the call goes through the checklist again.
  Says checked(PendingCall& call) {
    const store::QueueOnly loop;
    bool is_stored = false;
    call.on_stored = [&](const auto& note) {
      note(call);
      is_stored = true;
    };
    while (true) {
      Says says = check_call(call, run());
      const auto* const what = std::get_if<WaitFor>(&says);
      if (!what || *what != WaitFor::kStore) return says;
      while (!std::exchange(is_stored, false)) {
        io_.restart();
        io_.run_one_for(std::chrono::milliseconds(10));
      }
    }
  }
  // The step that stops the call, and its result: CODE, or what is waited for.
  std::string stopped(PendingCall& call) {
    const Says says = checked(call);
    const std::string step = call.step + std::string(": ");
    if (const auto* const refused = std::get_if<Refuse>(&says)) return step + refused->code.text();
    if (std::holds_alternative<ApprovedCall>(says)) return step + "approved";
    if (std::holds_alternative<Serve>(says)) return step + "served";
    const WaitFor what = std::get<WaitFor>(says);
    return step + (what == WaitFor::kPerson ? "a person" : what == WaitFor::kRoom ? "room" : "the same call");
  }
  std::string stopped(PendingCall&& call) { return stopped(call); }
  // Whether a call has been counted against the limit of its tool: then this one is refused.
  bool was_counted() { return stopped(write("{}", 100)) == "rate: RATE_LIMITED"; }
  std::size_t written(const std::string& event) {
    std::ifstream file(services_->audit.path());
    std::size_t count = 0;
    for (std::string line; std::getline(file, line);)
      count += line.find(R"("event":")" + event + '"') != line.npos ? 1 : 0;
    return count;
  }
  void answer(bool approved) {
    const ApprovalAnswer given{
        .approval = "a", .calls = {1}, .approved = approved, .reason = "", .rules = {}, .who = "ada", .channel = "cli"};
    ask("a", {call_of(1, "./out/x")});
    EXPECT_TRUE(give_answer(*store_, given, "/ws", 5).ok());
  }

  StepTools& tools_;
  std::shared_ptr<RunPrivacy> shared_;
  std::shared_ptr<ManagedRun> run_;
};

// A run's tools accept only calls that the checklist has approved, not the owner's own calls.
template <typename Call>
concept IsTaken = requires(catalog::ToolSource& tools, Call call, catalog::ToolSource::Called done) {
  tools.call(std::move(call), catalog::CallOptions(), done);
};
static_assert(IsTaken<ApprovedCall>);
static_assert(!IsTaken<catalog::OwnersCall> && !IsTaken<catalog::RemoteGatewayCall> && !IsTaken<catalog::Tool>);

TEST_F(ChecklistTest, IsTheListThatTheDocumentShows) {
  std::ifstream file(base::source_folder() + "/ARCHITECTURE.md");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::size_t begin = text.find("<!-- checklist: begin -->");
  ASSERT_NE(begin, text.npos);
  const std::string part = text.substr(begin, text.find("<!-- checklist: end -->") - begin);
  const std::regex row(R"(\n\| ([a-z ]+) \|)");
  std::vector<std::string> shown;
  for (std::sregex_iterator found(part.begin(), part.end(), row), end; found != end; ++found)
    if ((*found)[1] != "step") shown.push_back((*found)[1]);
  EXPECT_EQ(shown, step_names());
}

TEST_F(ChecklistTest, EndsInTheCallThatWasJudged) {
  PendingCall call = write();
  Says says = checked(call);
  ASSERT_TRUE(std::holds_alternative<ApprovedCall>(says));
  EXPECT_EQ(std::get<ApprovedCall>(says).tool().name, "write");
  EXPECT_EQ(std::get<ApprovedCall>(says).arguments(), R"({"path":"./out/x"})");
  EXPECT_EQ(written("call.begun"), 1u);
  EXPECT_TRUE(run().was_begun(1));
  // It is not made again, even if its tool is gone by now.
  PendingCall again = write();
  again.found = catalog::CallFailure{"TOOL_NOT_FOUND", "there is none"};
  EXPECT_EQ(stopped(again), "not begun: OUTCOME_UNKNOWN");
  EXPECT_EQ(written("call.begun"), 1u);
}

TEST_F(ChecklistTest, NotBegun) {
  EXPECT_TRUE(run().begin(1, ManagedRun::Again::kTwice, [] {}));
  EXPECT_EQ(stopped(write()), "not begun: OUTCOME_UNKNOWN");
  EXPECT_FALSE(was_counted());
}

TEST_F(ChecklistTest, Known) {
  PendingCall call = write();
  call.found = catalog::CallFailure{"TOOL_NOT_FOUND", "there is none"};
  EXPECT_EQ(stopped(call), "known: TOOL_NOT_FOUND");
  EXPECT_FALSE(call.is_known);
  EXPECT_FALSE(was_counted());
}

TEST_F(ChecklistTest, NotQuarantined) {
  PendingCall call = write("no object");
  (*call.found)->state = catalog::Tool::State::kQuarantined;
  EXPECT_EQ(stopped(call), "not quarantined: TOOL_QUARANTINED");
  call = write("no object");
  (*call.found)->state = catalog::Tool::State::kRefused;
  EXPECT_EQ(stopped(call), "not quarantined: TOOL_REFUSED");
  EXPECT_FALSE(was_counted());
}

TEST_F(ChecklistTest, Arguments) {
  permit({{}, {}, {"fs:write(path=*)"}});
  EXPECT_EQ(stopped(write(R"({"path":"a","path":"b"})")), "arguments: INVALID_ARGUMENTS");
  EXPECT_EQ(written("call.denied"), 0u);
}

TEST_F(ChecklistTest, RestoredIsWhatTheRulesJudge) {
  config::PrivacySettings privacy;
  privacy.restore = {"fs"};
  const std::shared_ptr<PrivacyGuard> guard =
      std::move(PrivacyGuard::make(privacy, {}, privacy::Mode::kTokenize)).value();
  ASSERT_EQ(guard->filter()->text("eve@evil.example").text, "<EMAIL_1>");
  shared_ = std::make_shared<RunPrivacy>(guard, "");
  permit({{"fs"}, {}, {"fs:write(to=*@evil.example)"}});
  PendingCall call = write(R"({"to":"<EMAIL_1>"})");
  EXPECT_EQ(stopped(call), "rule: PERMISSION_DENIED");
  EXPECT_EQ(call.call.arguments_json, R"({"to":"eve@evil.example"})");
}

TEST_F(ChecklistTest, Rule) {
  permit({{"fs"}, {}, {"fs:write(path=*)"}});
  EXPECT_EQ(stopped(write(R"({"path":"wrong"})")), "rule: PERMISSION_DENIED");
  EXPECT_EQ(written("call.denied"), 1u);
  EXPECT_FALSE(was_counted());
}

TEST_F(ChecklistTest, Flow) {
  std::shared_ptr<PrivacyGuard> guard =
      std::move(PrivacyGuard::make({}, {{"db", "fs", "deny"}}, privacy::Mode::kTokenize)).value();
  shared_ = std::make_shared<RunPrivacy>(guard, "");
  shared_->read("db", "rows", R"(["secret-plan-77"])");
  EXPECT_EQ(stopped(write(R"({"wrong":"secret-plan-77"})")), "flow: PERMISSION_DENIED");
  EXPECT_EQ(written("call.denied"), 1u);
  EXPECT_FALSE(was_counted());
}

TEST_F(ChecklistTest, Schema) {
  permit({{}, {"fs"}, {}});
  EXPECT_EQ(stopped(write(R"({"wrong":1})")), "schema: INVALID_ARGUMENTS");
  permit({{"fs"}, {}, {}});
  EXPECT_FALSE(was_counted());
}

TEST_F(ChecklistTest, Rate) {
  EXPECT_EQ(stopped(write()), "written down: approved");
  permit({{}, {"fs"}, {}});
  tools_.needed = catalog::ToolSource::Need{"dependency", "npx x", true};
  EXPECT_EQ(stopped(write("{}", 2)), "rate: RATE_LIMITED");
  EXPECT_EQ(written("call.begun"), 1u);
}

TEST_F(ChecklistTest, RateCountsACallOnceHoweverOftenItIsJudged) {
  permit({{}, {"fs"}, {}});
  PendingCall call = write();
  for (int judged = 0; judged < 3; ++judged) EXPECT_EQ(stopped(call), "person: a person");
  EXPECT_TRUE(was_counted());
}

TEST_F(ChecklistTest, Need) {
  tools_.needed = catalog::ToolSource::Need{"api_key_required", "KEY is not set", false};
  EXPECT_EQ(stopped(write()), "person: a person") << "whatever the rules allow";
  answer(true);
  run_.reset();
  EXPECT_EQ(stopped(write()), "need: API_KEY_REQUIRED");
  EXPECT_EQ(written("call.begun"), 0u);
  tools_.needed->can_be_met = true;
  EXPECT_EQ(tools_.met, 0);
  EXPECT_EQ(stopped(write()), "written down: approved");
  EXPECT_EQ(tools_.met, 1);
}

TEST_F(ChecklistTest, Person) {
  permit({{}, {"fs"}, {}});
  answer(false);
  tools_.needed = catalog::ToolSource::Need{"dependency", "npx x", true};
  EXPECT_EQ(stopped(write()), "person: APPROVAL_DENIED");
  EXPECT_EQ(tools_.met, 0);
  EXPECT_EQ(written("call.begun"), 0u);
  permit({{"fs"}, {}, {}});
  tools_.needed.reset();
  EXPECT_FALSE(was_counted());
}

TEST_F(ChecklistTest, NotCachedServesOnlyWhatPassedAllBefore) {
  services_->cacheable = std::move(policy::ToolRules::parse({{"fs"}, {}, {}}, "/ws")).value();
  PendingCall first = write();
  ASSERT_EQ(stopped(first), "written down: approved");
  EXPECT_EQ(stopped(write(R"({"path":"./out/x"})", 2)), "rate: RATE_LIMITED");
  limit({});
  EXPECT_EQ(stopped(write(R"({"path":"./out/x"})", 2)), "not cached: the same call");
  services_->concurrent_per_run = 0;
  ASSERT_TRUE(services_->cache->keep({first.cache_key, "call", "", "fs:write", "7", "{}"}));
  EXPECT_EQ(stopped(write(R"({"path":"./out/x"})", 2)), "not cached: served");
  EXPECT_EQ(written("call.begun"), 1u);
  permit({{}, {}, {"fs"}});
  EXPECT_EQ(stopped(write(R"({"path":"./out/x"})", 2)), "rule: PERMISSION_DENIED");
}

TEST_F(ChecklistTest, Room) {
  services_->concurrent_per_run = 1;
  run().passage_began();
  PendingCall call = write();
  EXPECT_EQ(stopped(call), "room: room");
  EXPECT_EQ(written("call.begun"), 0u);
  // A call that has waited is judged again.
  permit({{}, {}, {"fs"}});
  EXPECT_EQ(stopped(call), "rule: PERMISSION_DENIED");
}

// Otherwise the approval could be revoked while the call is made. A store that cannot be written is waited for.
TEST_F(ChecklistTest, WhatAPersonAllowedIsNotMadeBeforeTheStoreHasIt) {
  answer(true);
  sqlite3* database = nullptr;
  ASSERT_EQ(::sqlite3_open((root_ + "/.glovebox/glovebox.db").c_str(), &database), SQLITE_OK);
  const auto execute = [&](const char* sql) {
    EXPECT_EQ(::sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
  };
  (void)run();
  execute("ALTER TABLE approval_calls RENAME TO away");
  PendingCall call = write();
  EXPECT_EQ(stopped(call), "written down: STORE_UNAVAILABLE");
  EXPECT_EQ(written("call.begun"), 0u);
  execute("ALTER TABLE away RENAME TO approval_calls");
  ::sqlite3_close(database);
  EXPECT_EQ(stopped(call), "written down: approved");
}

TEST_F(ChecklistTest, WrittenDown) {
  (void)run();
  services_->note(AuditEvent("something"));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{std::filesystem::file_size(services_->audit.path()), before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string said = stopped(write());
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(said, "written down: AUDIT_UNAVAILABLE");
  EXPECT_FALSE(run().was_begun(1));
}

}  // namespace
}  // namespace glovebox::gateway
