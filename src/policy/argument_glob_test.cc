#include "policy/argument_glob.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <random>

namespace glovebox::policy {
namespace {

// By definition, without regard to time.
bool slow_glob(std::string_view glob, std::string_view text, bool after_slash) {
  if (glob.empty()) return text.empty();
  if (glob.starts_with("**")) {
    std::string_view rest = glob;
    while (rest.starts_with('*')) rest.remove_prefix(1);
    if (after_slash && rest.starts_with('/') && slow_glob(rest.substr(1), text, true)) return true;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (slow_glob(rest, text.substr(i), false)) return true;
    }
    return false;
  }
  if (glob[0] == '*') {
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (slow_glob(glob.substr(1), text.substr(i), false)) return true;
      if (i < text.size() && text[i] == '/') return false;
    }
    return false;
  }
  if (text.empty() || (glob[0] == '?' ? text[0] == '/' : glob[0] != text[0])) return false;
  return slow_glob(glob.substr(1), text.substr(1), glob[0] == '/');
}

TEST(ArgumentGlob, MatchesAsItsDefinition) {
  std::mt19937 random(1);
  const auto text = [&](std::string_view letters, std::size_t most) {
    std::string made;
    for (std::size_t n = random() % (most + 1); n > 0; --n) made += letters[random() % letters.size()];
    return made;
  };
  int matched = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::string glob = text("ab/**?", 8);
    const std::string subject = text("ab/", 7);
    const bool matches = glob_matches(glob, subject, "/");
    matched += matches;
    ASSERT_EQ(matches, slow_glob(glob, subject, false)) << glob << " on " << subject;
  }
  EXPECT_GT(matched, 1000);
}

struct GlobCase {
  const char* glob;
  const char* value;  // JSON
  bool allows;
  bool restricts;
  bool quoted = false;
};

TEST(ArgumentGlob, InDoubtAllowsNothingAndRestrictsAll) {
  const GlobCase cases[] = {
      // paths
      {"./out/**", R"("./out/a")", true, true},
      {"./out/**", R"("out/a/b")", true, true},
      {"./out/**", R"("/ws/out/a")", true, true},
      {"./out/**", R"("./out/../secrets")", false, false},
      {"./out/**", R"("./out/../out/a")", true, true},
      {"./out/**", R"("out/./../../etc/passwd")", false, false},
      {"./out/**", R"("./out")", false, true},
      {"./out/**", R"("./outside")", false, false},
      {"./out/**", R"("./Out/a")", false, false},
      {"./out/*", R"("./out/a/b")", false, false},
      {"./out/*.md", R"("./out/a.md")", true, true},
      {"./**/key", R"("./key")", true, true},
      {"./**/key", R"("./a/b/key")", true, true},
      {"./**", R"("~/.ssh/id")", false, true},
      {"./**", R"("file:///etc/passwd")", false, true},
      {"./**", R"("a\\..\\b")", false, true},
      {"./**", R"("a\u0000b")", false, true},
      {"./**", R"("")", false, true},
      {"~/notes/**", R"("~/notes/a")", true, true},
      {"~/notes/**", R"("~/notes/../.ssh/id")", false, false},
      {"~/notes/**", R"("~/../../etc")", false, true},
      {"~/notes/**", R"("/home/me/notes/a")", false, false},
      {"/etc/**", R"("../etc/passwd")", true, true},
      {"/etc/**", R"("//etc///passwd")", true, true},
      {"/etc/**", R"(["/etc/passwd"])", false, true},
      {"/etc/**", R"({"a": 1})", false, true},
      {"/etc/**", "5", false, true},
      {"/etc/**", "null", false, true},
      // texts
      {"main", R"("main")", true, true},
      {"main", R"("Main")", false, false},
      {"ma?n", R"("main")", true, true},
      {"Draft*", R"("Draft of a/b")", false, true},
      {"Draft**", R"("Draft of a/b")", true, true},
      {"*", R"("..")", false, true},
      {"*", R"("~")", false, true},
      {"*.md", R"("../a.md")", false, true},
      {"main", R"(["main"])", false, true},
      {"rm *", R"("rm -rf /")", false, true},
      // what a wildcard never matches
      {"git status*", R"("git status --short")", true, true},
      {"git status*", R"("git status; rm -rf ~")", false, true},
      {"git status*", R"("git status && x")", false, true},
      {"git status*", R"("git status | x")", false, true},
      {"git status*", R"("git status `x`")", false, true},
      {"git status*", R"-("git status $(x)")-", false, true},
      {"git status*", R"("git status > x")", false, true},
      {"git status*", R"("git status\nrm x")", false, true},
      {"git status*", R"("git status\u007f")", false, true},
      {"git status**", R"("git status; x")", false, true},
      {"git status?", R"("git status;")", false, true},
      {"*", R"("it's")", false, true},
      {"#dev-*", R"("#dev-ops")", true, true},
      {"*@example.com", R"("ada@example.com")", true, true},
      {"*@example.com", R"("eve@evil.com, ada@example.com")", false, true},
      {"*.example.com", R"("api.example.com")", true, true},
      {"*.example.com", R"("evil.com#.example.com")", false, true},
      {"*.example.com", R"("evil.com?.example.com")", false, true},
      {"*.example.com", R"("evil.com\\.example.com")", false, true},
      {"*.example.com", R"("evil.com/.example.com")", false, true},
      {"./out/**", R"("./out/(group)/a #1.md")", true, true},
      {"./out/**", R"("./out/a\nb")", false, true},
      {"./out/**", R"("./out/a; rm b")", false, true},
      {"./out/**", R"-("./out/$(x)")-", false, true},
      {"./out/*.md", R"("./out/a' 'b.md")", false, true},
      {"https://a.com/**", R"("https://a.com/x?a=1&b=2#c")", true, true},
      {"https://a.com/**", R"("https://a.com/x;reboot")", false, true},
      {"https://a.com/**", R"("https://a.com/x y")", false, true},
      {"https://a.com/id=*", R"("https://a.com/id=1&admin=1")", false, true},
      // literals
      {"3", "3", true, true},
      {"3", "3.0", false, true},
      {"3", "3e0", false, true},
      {"3.5", "3.5", true, true},
      {"9007199254740993", "9007199254740993", true, true},
      {"9007199254740993", "9007199254740992", false, false},
      {"9007199254740993", "9007199254740992.0", false, true},
      {"18446744073709551615", "18446744073709551615", true, true},
      {"99999999999999999999", "99999999999999999998", false, true},
      {"3", "4", false, false},
      {"3", R"("3")", false, true},
      {"true", "true", true, true},
      {"true", "false", false, false},
      {"true", R"("true")", false, true},
      {"false", R"("false")", true, true, true},
      {"false", "false", false, true, true},
      {"1", R"("1")", true, true, true},
      {"1", "1", false, true, true},
      {"1*", "12", true, true},
      {"null", "null", true, true},
      // addresses
      {"https://api.example.com/**", R"("https://api.example.com/v1/x?a=b")", true, true},
      {"https://api.example.com/**", R"("https://api.example.com/../x")", false, true},
      {"https://api.example.com/**", R"("https://api.example.com/%2e%2e/x")", false, true},
      {"https://api.example.com/**", R"("https://api.example.com@evil.com/")", false, true},
      {"https://*.example.com/**", R"("https://a.example.com/x")", true, true},
      {"https://*.example.com/**", R"("https://evil.com/.example.com/x")", false, true},
      {"https://*.example.com/**", R"("https://evil.com?.example.com/x")", false, false},
      {"https://*.example.com/**", R"("https://evil.com#.example.com/x")", false, false},
      {"https://evil.com/**", R"("HTTPS://EVIL.com/x")", false, true},
      {"https://evil.com/**", R"("evil.com/x")", false, true},
  };
  for (const GlobCase& item : cases) {
    const ArgumentGlob glob(item.glob, item.quoted, "/ws");
    const auto value = boost::json::parse(item.value);
    EXPECT_EQ(glob.matches(value, Reading::kAllowing), item.allows) << item.glob << " allows " << item.value;
    EXPECT_EQ(glob.matches(value, Reading::kRestricting), item.restricts) << item.glob << " restricts " << item.value;
  }
}

TEST(ArgumentGlob, DoesNotCompareWhatIsEndless) {
  const ArgumentGlob glob("*a*", false, "/ws");
  const boost::json::value value(std::string(1 << 20, 'a').c_str());
  EXPECT_FALSE(glob.matches(value, Reading::kAllowing));
  EXPECT_TRUE(glob.matches(value, Reading::kRestricting));
}

}  // namespace
}  // namespace glovebox::policy
