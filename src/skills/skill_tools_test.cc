#include "skills/skill_tools.h"

#include "skills/skills_fixture.h"

namespace glovebox::skills {
namespace {

using catalog::CallFailure;
using catalog::Tool;

// What lies behind; it counts what it is asked for.
class Behind final : public catalog::ToolSource {
 public:
  std::vector<ToolNamespace> namespaces() const override { return {{"behind", {}}}; }
  void find(const std::string& server, const std::string& tool, Found) override {
    found.push_back(server + "." + tool);
  }
  std::function<void()> call(catalog::ApprovedCall, catalog::CallOptions, Called) override {
    return [] {};
  }

  std::vector<std::string> found;
};

class SkillToolsTest : public SkillsFixture {
 protected:
  void SetUp() override {
    SkillsFixture::SetUp();
    skill("skills.py", R"py(
class TimeSkill:
    def get_current_time(self, timezone: str = "UTC") -> str:
        """The time now.

        In a zone."""
        raise RuntimeError("nobody calls this")
    def wait(self, seconds: float):
        """Does nothing for a while."""
class MailSkill:
    def send(self, to: str, text: str) -> None:
        """Sends a message, in time."""
    def erase(self):
        """Erases all mail."""
)py");
  }
  void start() {
    open();
    tools = std::make_unique<SkillTools>(catalog, behind, [this](const std::string& server, const std::string& tool) {
      return server + ":" + tool == denied;
    });
  }
  void TearDown() override {
    tools.reset();
    SkillsFixture::TearDown();
  }
  std::string ask(const std::string& tool, const std::string& arguments) {
    std::optional<Result<Tool, CallFailure>> found;
    tools->find("skills", tool, [&](auto outcome) { found = std::move(outcome); });
    const Tool own = wait(found).value();
    if (const auto wrong = tools->why_not(own, arguments)) return wrong->code.text() + ": " + wrong->message;
    const auto answer = std::make_shared<Answer>();
    tools->call(catalog::TestCalls::approved(own, arguments), {},
                [answer](auto result) { *answer = std::move(result); });
    return said(answer);
  }

  Behind behind;
  std::string denied;
  std::unique_ptr<SkillTools> tools;
};

TEST_F(SkillToolsTest, FindsSkillsByWords) {
  start();
  EXPECT_EQ(ask("search_skills", "{}"), R"json([)json"
                                        R"json({"path":"MailSkill.erase","signature":"erase()",)json"
                                        R"json("summary":"Erases all mail."},)json"
                                        R"json({"path":"MailSkill.send",)json"
                                        R"json("signature":"send(to: str, text: str) -> None",)json"
                                        R"json("summary":"Sends a message, in time."},)json"
                                        R"json({"path":"TimeSkill.get_current_time",)json"
                                        R"json("signature":"get_current_time(timezone: str = 'UTC') -> str",)json"
                                        R"json("summary":"The time now."},)json"
                                        R"json({"path":"TimeSkill.wait","signature":"wait(seconds: float)",)json"
                                        R"json("summary":"Does nothing for a while."}])json");
  // A match in a name ranks before one in a description; tools without any match are left out.
  const std::string found = ask("searchSkills", R"({"query":"Current TIME, please"})");
  EXPECT_TRUE(found.starts_with(R"([{"path":"TimeSkill.get_current_time")")) << found;
  EXPECT_LT(found.find("TimeSkill.wait"), found.find("MailSkill.send"));
  EXPECT_EQ(found.find("erase"), std::string::npos);
  EXPECT_EQ(ask("search_skills", R"({"query":"astronomy"})"), "[]");
  // Words of a schema do not count as a name.
  EXPECT_EQ(ask("search_skills", R"({"query":"add"})"), "[]");
  EXPECT_EQ(ask("search_skills", R"({"query":null})"), ask("search_skills", "{}"));
}

// Code may ask with a megabyte, and the gateway answers on the thread that serves others.
TEST_F(SkillToolsTest, AQueryHasAFewWords) {
  start();
  const auto found = [&](int words_before, const std::string& word) {
    std::string query;
    for (int i = 0; i < words_before; ++i) query += word + " ";
    return ask("search_skills", R"({"query":")" + query + "astronomy mail\"}") != "[]";
  };
  EXPECT_TRUE(found(30, "x1"));
  EXPECT_FALSE(found(31, "x1")) << "words after the 32nd do not count";
  EXPECT_FALSE(found(1, std::string(3000, 'x')));
}

TEST_F(SkillToolsTest, DescribesOne) {
  start();
  EXPECT_EQ(ask("describe_function", R"({"path":"TimeSkill.get_current_time"})"),
            R"({"path":"TimeSkill.get_current_time","signature":"get_current_time(timezone: str = 'UTC') -> str",)"
            R"("docstring":"The time now.\n\nIn a zone."})");
  EXPECT_EQ(ask("describe_function", R"({"path":"FakeSkill"})"),
            "TOOL_NOT_FOUND: Skill not found: FakeSkill. Available: MailSkill, TimeSkill");
  EXPECT_EQ(ask("describe_function", R"({"path":"TimeSkill.fly"})"),
            "TOOL_NOT_FOUND: Skill not found: TimeSkill.fly. Available: TimeSkill.get_current_time, TimeSkill.wait");
}

TEST_F(SkillToolsTest, WhatIsDeniedOrQuarantinedIsNotShown) {
  denied = "MailSkill:erase";
  start();
  EXPECT_EQ(ask("search_skills", "{}").find("erase"), std::string::npos);
  EXPECT_EQ(ask("describe_function", R"({"path":"MailSkill.erase"})"),
            "SKILL_NOT_ALLOWED: Skill not allowed: MailSkill.erase");
  // Something else of the class may be called.
  EXPECT_TRUE(ask("describe_function", R"({"path":"MailSkill"})").starts_with("TOOL_NOT_FOUND: Skill not found"));
  // Where others may write, it is not known whose edit it is.
  others_may_write();
  skill("skills.py", "class MailSkill:\n  def send(self, everything: str): pass\n");
  wait_until([&] { return !catalog->known("MailSkill", "erase"); });
  EXPECT_EQ(ask("search_skills", "{}"), "[]");
  for (const char* path : {R"({"path":"MailSkill.send"})", R"({"path":"MailSkill"})"})
    EXPECT_TRUE(ask("describe_function", path).starts_with("TOOL_QUARANTINED: Skill waits for approval: MailSkill"));
}

TEST_F(SkillToolsTest, AnEditOfTheOwnerIsTakenAndToldOnce) {
  start();
  EXPECT_NE(ask("search_skills", "{}"), "[]");
  skill("skills.py", "class MailSkill:\n  def send(self, everything: str): pass\n");
  wait_until([&] { return !catalog->known("MailSkill", "erase"); });
  const std::string reason = catalog->known("MailSkill", "send")->reason;
  EXPECT_TRUE(reason.starts_with("you edited its definition")) << reason;
  EXPECT_NE(reason.find("everything"), std::string::npos) << reason;
  skill("other.py", "class OtherSkill:\n  def go(self): pass\n");
  wait_until([&] { return catalog->known("OtherSkill", "go").has_value(); });
  EXPECT_EQ(catalog->known("MailSkill", "send")->reason, "");
  EXPECT_NE(ask("search_skills", "{}").find("send(everything: str)"), std::string::npos);
}

TEST_F(SkillToolsTest, ChecksItsArguments) {
  start();
  for (const char* wrong : {R"({"query":5})", R"({"other":""})", "[]"})
    EXPECT_TRUE(ask("search_skills", wrong).starts_with("INVALID_ARGUMENTS")) << wrong;
  EXPECT_TRUE(ask("describe_function", "{}").starts_with("INVALID_ARGUMENTS"));
}

TEST_F(SkillToolsTest, EverythingElseGoesBehind) {
  start();
  const auto ignore = [](auto) {};
  tools->find("skills", "other", ignore);
  tools->find("TimeSkill", "search_skills", ignore);
  EXPECT_EQ(behind.found, (std::vector<std::string>{"skills.other", "TimeSkill.search_skills"}));
  EXPECT_EQ(&tools->source_of("skills", "other"), &behind);
  EXPECT_EQ(&tools->source_of("TimeSkill", "search_skills"), &behind);
  EXPECT_EQ(&tools->source_of("skills", "search_skills"), tools.get());
  EXPECT_EQ(tools->namespaces().size(), 1u);
}

TEST_F(SkillToolsTest, AServerThatIsMerelyCalledSkillsIsLeftAlone) {
  open(R"({"mcpServers": {"skills": {"command": "/no/such"}}})");
  SkillTools none(catalog, behind, nullptr);
  none.find("skills", "search_skills", [](auto) {});
  EXPECT_EQ(behind.found, (std::vector<std::string>{"skills.search_skills"}));
}

TEST_F(SkillToolsTest, NobodyIsAskedUnlessARuleSaysSo) {
  const auto verdict = [](const policy::PermissionTexts& texts) {
    auto rules = policy::ToolRules::parse(texts, "/").value();
    allow_skill_tools(rules);
    return rules.decide("skills", "search_skills", "{}").verdict;
  };
  EXPECT_EQ(verdict({}), policy::Verdict::kAllow);
  EXPECT_EQ(verdict({.ask = {"*"}}), policy::Verdict::kAllow);
  EXPECT_EQ(verdict({.ask = {"skills:search_skills"}}), policy::Verdict::kAsk);
  EXPECT_EQ(verdict({.deny = {"skills"}}), policy::Verdict::kDeny);
}

}  // namespace
}  // namespace glovebox::skills
