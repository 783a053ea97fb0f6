#include "config/trust/authority.h"

#include <gtest/gtest.h>

#include "config/config_file.h"

namespace glovebox::config {
namespace {

Authority authority_in(const std::string& text) {
  auto config = parse_config(text, "/w/glovebox.json");
  EXPECT_TRUE(config) << config.failure().text();
  return config ? config->authority : Authority();
}

TEST(AuthorityTest, SaysWhatAFileStartsSendsAndGrants) {
  const Authority authority = authority_in(R"({
    // comments do not count
    "mcpServers": { "files": { "command": "npx", "args": ["-y", "x"], "env": { "KEY": "${KEY}" } } },
    "permissions": { "allow": ["files:read_*"], "ask": ["files"], "deny": ["files:delete_*"] },
    "sandbox": { "allowRead": ["./a", "./b"], "allowNetPrivate": true, "timeoutMs": 60000 },
    "limits": { "callsPerMinute": { "files": 60 } },
    "http": { "token": "${TOKEN}" },
  })");
  EXPECT_EQ(authority.grants,
            (std::set<std::string>{R"(mcpServers.files {"command":"npx","args":["-y","x"],"env":{"KEY":"${KEY}"}})",
                                   R"(permissions.allow "files:read_*")", R"(sandbox.allowRead "./a")",
                                   R"(sandbox.allowRead "./b")", "sandbox.allowNetPrivate true",
                                   R"(http.token "${TOKEN}")"}));
  EXPECT_EQ(authority.restrictions,
            (std::set<std::string>{R"(permissions.ask "files")", R"(permissions.deny "files:delete_*")"}));
  EXPECT_EQ(authority.limits,
            (std::map<std::string, std::int64_t>{{"sandbox.timeoutMs", 60000}, {"limits.callsPerMinute.files", 60}}));
}

TEST(AuthorityTest, IsEmptyWhereThereIsNothingToAgreeTo) {
  for (const char* text :
       {"{}", R"({"permissions": {"deny": ["*"]}})", R"({"cache": {"entries": 3}})", R"({"theirs": {"command": "sh"}})",
        R"({"mcpServers": {"off": {"command": "sh", "disabled": true}}})", R"({"permissions": {"allow": []}})"}) {
    EXPECT_TRUE(authority_in(text).is_empty()) << text;
  }
}

TEST(AuthorityTest, EveryKeyOfOursThatIsNotKnownToBeHarmlessCounts) {
  for (const char* text :
       {R"({"registry": "https://r.example"})", R"({"remote": "cloud", "mcpServers": {}})", R"({"skills": "./skills"})",
        R"({"privacy": {"mode": "off"}})", R"({"observe": {"otlp": "https://o.example"}})", R"({"check": "off"})",
        R"({"store": {"path": "/x.db"}})", R"({"python": {"wheels": "./w"}})", R"({"http": {"listen": "127.0.0.1:1"}})",
        R"({"embeddings": {"url": "https://e.example", "model": "m"}})", R"({"servers": {"a": {"command": "sh"}}})",
        R"({"sandbox": {"allowRun": ["sh"]}})", R"({"permissions": {"idempotent": ["a"]}})"}) {
    EXPECT_FALSE(authority_in(text).is_empty()) << text;
  }
}

TEST(AuthorityTest, TheAgentsWordIsNotGivenBackInPassing) {
  const Authority forbidden = authority_in(R"({"approvals": {"agent": false}})");
  EXPECT_TRUE(forbidden.is_empty());
  EXPECT_TRUE(authority_in("{}").covers(forbidden));
  EXPECT_FALSE(forbidden.covers(authority_in("{}")));
  EXPECT_FALSE(forbidden.covers(authority_in(R"({"approvals": {"agent": true}})")));
}

TEST(AuthorityTest, WhatProtectsIsNotTakenOutInPassing) {
  const Authority ours = authority_in(R"({
    "privacy": { "mode": "block", "enforce": "boundary", "entities": ["EMAIL_ADDRESS", "IBAN_CODE"],
                 "custom": [{ "name": "EMPLOYEE", "pattern": "EMP-[0-9]{6}" }], "restore": ["mail:send"] },
    "sandbox": { "vfs": "overlay", "allowWrite": ["./out"] },
    "python": { "blockedImports": ["socket"] }
  })");
  EXPECT_TRUE(ours.covers(ours));
  for (const char* edited :
       {R"({"sandbox": {"vfs": "overlay"}, "python": {"blockedImports": ["socket"]}})",
        R"({"privacy": {"mode": "block", "enforce": "boundary", "entities": ["EMAIL_ADDRESS", "IBAN_CODE"],
            "custom": [{ "name": "EMPLOYEE", "pattern": "EMP-[0-9]{6}" }]},
            "sandbox": {"allowWrite": ["./out"]}, "python": {"blockedImports": ["socket"]}})",
        R"({"privacy": {"mode": "block", "enforce": "boundary", "entities": ["EMAIL_ADDRESS"],
            "custom": [{ "name": "EMPLOYEE", "pattern": "EMP-[0-9]{6}" }]},
            "sandbox": {"vfs": "overlay"}, "python": {"blockedImports": ["socket"]}})",
        R"({"privacy": {"mode": "block", "enforce": "boundary", "entities": ["EMAIL_ADDRESS", "IBAN_CODE"]},
            "sandbox": {"vfs": "overlay"}, "python": {"blockedImports": ["socket"]}})"})
    EXPECT_FALSE(ours.covers(authority_in(edited))) << edited;
  // Fewer tools that get private values, and fewer files to write, is less.
  EXPECT_TRUE(ours.covers(authority_in(R"({
    "privacy": { "mode": "block", "enforce": "boundary", "entities": ["EMAIL_ADDRESS", "IBAN_CODE"],
                 "custom": [{ "name": "EMPLOYEE", "pattern": "EMP-[0-9]{6}" }] },
    "sandbox": { "vfs": "overlay" }, "python": { "blockedImports": ["socket"] } })")));
}

TEST(AuthorityTest, CoversWhatGivesNoMore) {
  const std::string agreed = R"({"permissions": {"allow": ["a", "b"], "deny": ["c"]}, "sandbox": {"timeoutMs": 1000}})";
  const Authority ours = authority_in(agreed);
  struct Row {
    const char* edited;
    std::vector<std::string> wider;
  };
  const Row rows[] = {
      {agreed.c_str(), {}},
      {R"({"permissions": {"allow": ["a"], "deny": ["c", "d"], "ask": ["a"]}, "sandbox": {"timeoutMs": 900}})", {}},
      {R"({"permissions": {"allow": ["a", "x"], "deny": ["c"]}, "sandbox": {"timeoutMs": 1000}})",
       {R"(permissions.allow "x")"}},
      {R"({"permissions": {"allow": ["a"]}, "sandbox": {"timeoutMs": 1000}})", {R"(no longer permissions.deny "c")"}},
      {R"({"permissions": {"deny": ["c"]}, "sandbox": {"timeoutMs": 1001}})", {"sandbox.timeoutMs 1001"}},
      {R"({"permissions": {"deny": ["c"]}})", {"no longer sandbox.timeoutMs 1000"}},
      {R"({"permissions": {"deny": ["c"]}, "sandbox": {"timeoutMs": 1000, "memoryMB": 9}})", {"sandbox.memoryMB 9"}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ours.widened_by(authority_in(row.edited)), row.wider) << row.edited;
    EXPECT_EQ(ours.covers(authority_in(row.edited)), row.wider.empty()) << row.edited;
  }
}

TEST(AuthorityTest, WithoutItOnlyLowerLimitsAreLeft) {
  const auto config =
      parse_config(R"({"mcpServers": {"a": {"command": "sh"}}, "permissions": {"allow": ["*"]}, "skills": "./s",
    "http": {"listen": "127.0.0.1:1"}, "sandbox": {"timeoutMs": 5, "memoryMB": 100000, "allowRead": ["/"]}})",
                   "/w/glovebox.json");
  ASSERT_TRUE(config) << config.failure().text();
  const ConfigFile rest = config->without_authority();
  EXPECT_TRUE(rest.servers.empty());
  EXPECT_TRUE(rest.gateway.permissions.allow.empty());
  EXPECT_TRUE(rest.gateway.http.listen.empty());
  SandboxConfig run;
  rest.sandbox.apply_to(run);
  EXPECT_EQ(run.timeout, std::chrono::milliseconds(5));
  EXPECT_EQ(run.memory_bytes, SandboxConfig().memory_bytes);
  EXPECT_TRUE(run.allow_read.empty());
}

}  // namespace
}  // namespace glovebox::config
