#include "policy/tool_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/proving.h"

namespace glovebox::policy {
namespace {

ToolRules rules(const PermissionTexts& texts) {
  auto parsed = ToolRules::parse(texts, "/ws");
  EXPECT_TRUE(parsed.ok()) << (parsed ? "" : parsed.failure().message);
  return parsed ? std::move(parsed).value() : ToolRules();
}

struct RuleCase {
  PermissionTexts texts;
  const char* server;
  const char* tool;
  const char* arguments;
  Verdict verdict;
  const char* rule;
};

TEST(ToolRules, DenyThenTheMoreSpecificThenAsk) {
  const RuleCase cases[] = {
      {{}, "fs", "read", "{}", Verdict::kAsk, ""},
      {{{"*"}, {}, {}}, "fs", "read", "{}", Verdict::kAllow, "*"},
      {{{"fs"}, {}, {}}, "fs", "read", "{}", Verdict::kAllow, "fs"},
      {{{"fs"}, {}, {}}, "fsx", "read", "{}", Verdict::kAsk, ""},
      {{{"fs"}, {}, {}}, "FS", "read", "{}", Verdict::kAsk, ""},
      {{{"fs:*"}, {}, {}}, "fs", "read", "{}", Verdict::kAllow, "fs:*"},
      {{{"fs:read_*"}, {}, {}}, "fs", "read_file", "{}", Verdict::kAllow, "fs:read_*"},
      {{{"fs:read_*"}, {}, {}}, "fs", "read", "{}", Verdict::kAsk, ""},
      {{{"fs:read"}, {}, {}}, "fs", "read", "{}", Verdict::kAllow, "fs:read"},
      {{{"fs:read"}, {}, {}}, "fs", "readx", "{}", Verdict::kAsk, ""},
      {{{"fs:read"}, {"fs"}, {}}, "fs", "read", "{}", Verdict::kAllow, "fs:read"},
      {{{"fs"}, {"fs:read"}, {}}, "fs", "read", "{}", Verdict::kAsk, "fs:read"},
      {{{"fs:read"}, {"fs:read"}, {}}, "fs", "read", "{}", Verdict::kAsk, "fs:read"},
      {{{"fs:read"}, {}, {"*"}}, "fs", "read", "{}", Verdict::kDeny, "*"},
      {{{"fs:read_f*"}, {"fs:read_*"}, {}}, "fs", "read_file", "{}", Verdict::kAllow, "fs:read_f*"},
      {{{"*"}, {}, {"fs:del_*"}}, "fs", "del_all", "{}", Verdict::kDeny, "fs:del_*"},
      {{{"*"}, {}, {"fs:del_*"}}, "fs", "get", "{}", Verdict::kAllow, "*"},
      // conditions
      {{{"fs:w(path=./out/**)"}, {}, {}}, "fs", "w", R"({"path":"./out/a"})", Verdict::kAllow, "fs:w(path=./out/**)"},
      {{{"fs:w(path=./out/**)"}, {}, {}}, "fs", "w", R"({"path":"./out/../secrets"})", Verdict::kAsk, ""},
      {{{"fs:w(path=./out/**)"}, {}, {}}, "fs", "w", "{}", Verdict::kAsk, ""},
      {{{"fs:w(path=./out/**)"}, {}, {}}, "fs", "w", R"({"path":["./out/a"]})", Verdict::kAsk, ""},
      {{{"fs:w(path=./out/**)"}, {}, {}}, "fs", "w", R"({"path":"./out/a","path":"/etc/x"})", Verdict::kAsk, ""},
      {{{"fs:w(path=./out/**)"}, {}, {}}, "fs", "w", R"({"path":"./out/a","p\u0061th":"/etc/x"})", Verdict::kAsk, ""},
      // and nothing besides
      {{{"fs:w(only n=1)"}, {}, {}}, "fs", "w", R"({"n":1})", Verdict::kAllow, "fs:w(only n=1)"},
      {{{"fs:w(only n=1)"}, {}, {}}, "fs", "w", R"({"n":1,"m":1})", Verdict::kAsk, ""},
      {{{"fs:w(only n=1, m=1)"}, {}, {}}, "fs", "w", R"({"n":1})", Verdict::kAsk, ""},
      {{{"fs:w(only)"}, {}, {}}, "fs", "w", "{}", Verdict::kAllow, "fs:w(only)"},
      {{{"fs:w(only)"}, {}, {}}, "fs", "w", R"({"n":1})", Verdict::kAsk, ""},
      {{{"fs:w(only)"}, {}, {}}, "fs", "w", "no json", Verdict::kAsk, ""},
      {{{"fs:w(only)"}, {"fs:w"}, {}}, "fs", "w", "{}", Verdict::kAllow, "fs:w(only)"},
      {{{"*"}, {}, {"fs:w(only n=1)"}}, "fs", "w", "no json", Verdict::kDeny, "fs:w(only n=1)"},
      {{{"*"}, {}, {"fs:w(path=/etc/**)"}}, "fs", "w", R"({"path":"a"})", Verdict::kAllow, "*"},
      {{{"*"}, {}, {"fs:w(path=/etc/**)"}}, "fs", "w", "{}", Verdict::kAllow, "*"},
      {{{"*"}, {}, {"fs:w(path=/etc/**)"}}, "fs", "w", R"({"path":["a"]})", Verdict::kDeny, "fs:w(path=/etc/**)"},
      {{{"*"}, {}, {"fs:w(path=/etc/**)"}}, "fs", "w", "no json", Verdict::kDeny, "fs:w(path=/etc/**)"},
      {{{"*"}, {}, {"fs:w(path=/etc/**)"}},
       "fs",
       "w",
       R"({"path":"a","path":"b"})",
       Verdict::kDeny,
       "fs:w(path=/etc/**)"},
      {{{"*"}, {}, {"fs:w(path=/etc/**)"}}, "fs", "w", "[]", Verdict::kDeny, "fs:w(path=/etc/**)"},
      {{{"fs:w(path=./out/**, mode=append)"}, {}, {}},
       "fs",
       "w",
       R"({"path":"out/a","mode":"append"})",
       Verdict::kAllow,
       "fs:w(path=./out/**, mode=append)"},
      {{{"fs:w(path=./out/**, mode=append)"}, {}, {}},
       "fs",
       "w",
       R"({"path":"out/a","mode":"write"})",
       Verdict::kAsk,
       ""},
      {{{"gh:x(a.b=1)"}, {}, {}}, "gh", "x", R"({"a":{"b":1}})", Verdict::kAllow, "gh:x(a.b=1)"},
      {{{"gh:x(a.b=1)"}, {}, {}}, "gh", "x", R"({"a":[{"b":1}]})", Verdict::kAsk, ""},
      {{{"*"}, {}, {"gh:x(a.b=1)"}}, "gh", "x", R"({"a":[{"b":2}]})", Verdict::kDeny, "gh:x(a.b=1)"},
      {{{"*"}, {}, {"gh:x(a.b=1)"}}, "gh", "x", R"({"a":{"c":1}})", Verdict::kAllow, "*"},
      {{{"gh:x(title=\"a, b\")"}, {}, {}}, "gh", "x", R"({"title":"a, b"})", Verdict::kAllow, "gh:x(title=\"a, b\")"},
      {{{"fs:w(path=./**)"}, {"fs:w(path=./private/**)"}, {}},
       "fs",
       "w",
       R"({"path":"private/a"})",
       Verdict::kAsk,
       "fs:w(path=./private/**)"},
      {{{"fs:w(path=./out/**)"}, {"fs:w"}, {}},
       "fs",
       "w",
       R"({"path":"out/a"})",
       Verdict::kAllow,
       "fs:w(path=./out/**)"},
      // our own files: no allow with a condition applies to them
      {{{"fs:w(path=./**)"}, {}, {}}, "fs", "w", R"({"path":"./glovebox.json"})", Verdict::kAsk, ""},
      {{{"fs:w(path=*)"}, {}, {}}, "fs", "w", R"({"path":"glovebox.json"})", Verdict::kAsk, ""},
      {{{"fs:w(path=./**)"}, {}, {}}, "fs", "w", R"({"path":"a/../GLOVEBOX.json"})", Verdict::kAsk, ""},
      {{{"fs:w(path=./**)"}, {}, {}}, "fs", "w", R"({"path":"./a/.glovebox/glovebox.db"})", Verdict::kAsk, ""},
      {{{"fs:w(path=./glovebox.json)"}, {}, {}}, "fs", "w", R"({"path":"./glovebox.json"})", Verdict::kAsk, ""},
      {{{"fs:mv(from=./**)"}, {}, {}}, "fs", "mv", R"({"from":"a","to":"glovebox.json"})", Verdict::kAsk, ""},
      {{{"fs:w(path=./**)"}, {}, {}}, "fs", "w", R"({"path":"a","all":[{"glovebox.json":1}]})", Verdict::kAsk, ""},
      {{{"sh:x(c=git *)"}, {}, {}}, "sh", "x", R"({"c":"git checkout -- glovebox.json"})", Verdict::kAsk, ""},
      {{{"sh:x(c=git *)"}, {}, {}}, "sh", "x", R"({"c":"git add --file=.glovebox"})", Verdict::kAsk, ""},
      {{{"fs:w(path=./**)"}, {}, {}}, "fs", "w", R"({"path":"glovebox.md"})", Verdict::kAllow, "fs:w(path=./**)"},
      {{{"fs:w(path=./**)"}, {}, {"fs:w(path=./*.json)"}},
       "fs",
       "w",
       R"({"path":"glovebox.json"})",
       Verdict::kDeny,
       "fs:w(path=./*.json)"},
      {{{"fs:w"}, {}, {}}, "fs", "w", R"({"path":"glovebox.json"})", Verdict::kAllow, "fs:w"},
      // a tool whose name has the form of a pattern
      {{{"fs:a"}, {}, {}}, "fs", "a(path=x)", "{}", Verdict::kAsk, ""},
      {{{"fs:a"}, {}, {}}, "fs", "a ", "{}", Verdict::kAsk, ""},
      {{{"fs:a:b"}, {}, {}}, "fs", "a:b", "{}", Verdict::kAllow, "fs:a:b"},
      {{{"fs:caf\xc3\xa9"}, {}, {}}, "fs", "cafe\xcc\x81", "{}", Verdict::kAsk, ""},
  };
  for (const RuleCase& item : cases) {
    const ToolDecision decision = rules(item.texts).decide(item.server, item.tool, item.arguments);
    EXPECT_EQ(name_of(decision.verdict), name_of(item.verdict))
        << item.server << ":" << item.tool << item.arguments << "\n"
        << decision.explanation;
    EXPECT_EQ(decision.rule, item.rule) << decision.explanation;
  }
}

TEST(ToolRules, ExplainWithAllThatMatches) {
  const auto decision = rules({{"fs", "fs:read"}, {"*"}, {}}).decide("fs", "read", "{}");
  EXPECT_EQ(decision.explanation,
            "fs:read is allowed by the rule \"fs:read\".\n"
            "  allow \"fs:read\" (config) decides\n"
            "  allow \"fs\" (config) matches, too\n"
            "  ask \"*\" (config) matches, too");
  EXPECT_EQ(decision.matches.size(), 3u);
  EXPECT_EQ(rules({}).decide("fs", "read", "{}").explanation, "fs:read needs approval: no rule covers it.");
}

TEST(ToolRules, NoAllowWithAConditionCoversWhatIsOurs) {
  ToolRules some = rules({{"fs:w(path=/**)"}, {}, {}});
  some.set_own({"/ws", {"/ws/skills", "/etc/mine.json"}});
  const auto verdict = [&](const char* path) {
    return some.decide("fs", "w", R"({"path":")" + std::string(path) + "\"}").verdict;
  };
  for (const char* path : {"./skills/new.py", "/ws/skills", "a/../skills/x", "/etc/mine.json", "//etc/./mine.json"})
    EXPECT_EQ(verdict(path), Verdict::kAsk) << path;
  for (const char* path : {"./skills2/new.py", "/ws/skill", "/etc/mine.jsonx"})
    EXPECT_EQ(verdict(path), Verdict::kAllow) << path;
  EXPECT_EQ(some.decide("fs", "w", R"({"path":"skills/x"})").explanation,
            "fs:w needs approval: no rule covers it.\n"
            "  It names a file of Glovebox itself, which no conditional allow covers.");
}

TEST(ToolRules, RefusePatternsThatMeanNothing) {
  const struct {
    const char* pattern;
    const char* says;
  } cases[] = {
      {"", "does not name a server"},
      {":tool", "does not name a server"},
      {"*:tool", "does not name a server"},
      {"se*", "does not name a server"},
      {"fs.read", "does not name a server"},
      {"fs.read(path=./x)", "does not name a server"},
      {"com.example/fs:read", "does not name a server"},
      {"fs:", "does not name a tool"},
      {"fs:a*b", "does not name a tool"},
      {"fs:**", "does not name a tool"},
      {"fs:a(path=x", "do not end with )"},
      {"fs:a()", "without a ="},
      {"fs:a(path)", "without a ="},
      {"fs:a(=x)", "without an argument"},
      {"fs:a(a..b=x)", "without an argument"},
      {"fs:a(path=)", "without a value"},
      {"fs:a(path=\"x)", "an unclosed quote"},
      {"fs:a(path=x,)", "without a ="},
      {"fs:a(path=\"x\"y)", "after a closing quote"},
  };
  for (const auto& item : cases) {
    const auto parsed = ToolPattern::parse(item.pattern, "/ws");
    ASSERT_FALSE(parsed.ok()) << item.pattern;
    EXPECT_NE(parsed.failure().message.find(item.says), std::string::npos) << parsed.failure().message;
  }
}

TEST(ToolRules, ANameBecomesAPatternOnlyIfItMeansThatToolAlone) {
  EXPECT_EQ(pattern_of("fs", "read").value(), "fs:read");
  for (const char* tool : {"", "a*", "a(b)", "a b", "a\n"}) EXPECT_FALSE(pattern_of("fs", tool).ok()) << tool;
  EXPECT_FALSE(pattern_of("f:s", "a").ok());
  EXPECT_FALSE(pattern_of("f.s", "a").ok());
  EXPECT_TRUE(pattern_of("f-s_2", "a.b/c").ok());
  EXPECT_TRUE(ToolPattern::parse("ZeitgeberÜbersichtSkill:jetzt", "/ws").ok());
  EXPECT_FALSE(pattern_of("*", "a").ok());
}

TEST(ToolRules, ArgumentsWithDoubledKeysAreNotRead) {
  EXPECT_TRUE(parse_arguments(R"({"a":{"b":1},"c":{"b":2}})").ok());
  EXPECT_FALSE(parse_arguments(R"({"a":1,"a":1})").ok());
  EXPECT_FALSE(parse_arguments(R"({"x":[{"a":1,"\u0061":2}]})").ok());
  EXPECT_TRUE(parse_arguments(R"({"a:b":"c:\"d:\\","e":[{"f":":"},{"f":"\u0022:"}]})").ok());
  EXPECT_FALSE(parse_arguments(R"({"a":{"b":{"c":1}},"a":2})").ok());
  EXPECT_FALSE(parse_arguments(R"({"a":"\\","a":"\":"})").ok());
  EXPECT_FALSE(parse_arguments("[]").ok());
  EXPECT_FALSE(parse_arguments("{} {}").ok());
  EXPECT_FALSE(parse_arguments("").ok());
  EXPECT_FALSE(parse_arguments("{").ok());
  std::string deep(100'000, '[');
  EXPECT_FALSE(parse_arguments("{\"a\":" + deep).ok());
}

// Random rules and calls: invariants that must hold for all of them.
class RandomRules : public testing::Test {
 protected:
  template <std::size_t N>
  const char* one_of(const char* const (&items)[N]) {
    return items[random_() % N];
  }
  std::string pattern() {
    std::string made = one_of({"*", "fs", "fs:*", "fs:wr*", "fs:write", "fs:read", "gh", "gh:write", "gh:w*"});
    if (random_() % 2 == 0) {
      made += one_of({"(path=./out/**)", "(path=./**)", "(path=/etc/**)", "(n=1)", "(path=./out/*, n=1)", "(a.b=x*)"});
    }
    return made;
  }
  ToolRule rule() {
    const Verdict verdict = static_cast<Verdict>(random_() % 3);
    return {verdict, ToolPattern::parse(pattern(), "/ws").value(), "test"};
  }
  struct Call {
    std::string server, tool, arguments;
  };
  Call call() {
    return {one_of({"fs", "gh"}), one_of({"write", "read", "wrap"}),
            one_of({"{}", R"({"path":"out/a"})", R"({"path":"out/../b","n":1})", R"({"path":["x"],"n":"1"})",
                    R"({"path":"/etc/x","a":{"b":"xy"}})", R"({"a":3,"n":1})", "broken", R"({"n":1,"n":2})"})};
  }
  std::mt19937 random_{7};
};

TEST_F(RandomRules, OrderDoesNotCountAndRestrictionsOnlyRestrict) {
  std::size_t changed = 0;
  const std::size_t rounds = base::random_rounds(20'000);
  for (std::size_t i = 0; i < rounds; ++i) {
    std::vector<ToolRule> list;
    for (std::size_t n = random_() % 6; n > 0; --n) list.push_back(rule());
    const auto verdict_of = [](const std::vector<ToolRule>& some, const Call& call) {
      ToolRules rules;
      for (const ToolRule& rule : some) rules.add(rule);
      return rules.decide(call.server, call.tool, call.arguments).verdict;
    };
    const Call subject = call();
    const Verdict before = verdict_of(list, subject);

    auto shuffled = list;
    std::shuffle(shuffled.begin(), shuffled.end(), random_);
    ASSERT_EQ(verdict_of(shuffled, subject), before);

    ToolRule extra = rule();
    auto more = list;
    more.push_back(extra);
    const Verdict after = verdict_of(more, subject);
    changed += after != before;
    if (extra.verdict != Verdict::kAllow) {
      ASSERT_GE(after, before) << "a restriction gave more";
    } else {
      ASSERT_TRUE(before != Verdict::kDeny || after == Verdict::kDeny) << "an allowance undid a denial";
    }

    // A deny that matches decides, whatever else is there.
    const bool denied = std::any_of(more.begin(), more.end(), [&](const ToolRule& item) {
      const auto arguments = parse_arguments(subject.arguments);
      return item.verdict == Verdict::kDeny &&
             item.pattern.matches(subject.server, subject.tool, arguments ? &arguments.value() : nullptr,
                                  Reading::kRestricting);
    });
    ASSERT_EQ(after == Verdict::kDeny, denied);
  }
  EXPECT_GT(changed, rounds / 20);
}

}  // namespace
}  // namespace glovebox::policy
