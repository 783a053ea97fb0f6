#include "capability/metadata/fqdn.h"

#include <gtest/gtest.h>

namespace glovebox::capability {
namespace {

TEST(Fqdn, HasFiveParts) {
  const auto name = Fqdn::parse("acme.tools.text-kit.sum_up.a7f3");
  ASSERT_TRUE(name.ok());
  EXPECT_EQ(name->org, "acme");
  EXPECT_EQ(name->project, "tools");
  EXPECT_EQ(name->space, "text-kit");
  EXPECT_EQ(name->action, "sum_up");
  EXPECT_EQ(name->hash, "a7f3");
  EXPECT_EQ(name->text(), "acme.tools.text-kit.sum_up.a7f3");
}

TEST(Fqdn, RefusesWhatIsNoPlainName) {
  const std::string long_part(65, 'a');
  const std::string_view bad[] = {
      "",
      "a",
      "a.b.c.d",
      "a.b.c.d.a7f3.e",
      "a.b.c..a7f3",
      ".b.c.d.a7f3",
      "a.b.c.d.A7F3",
      "a.b.c.d.a7f",
      "a.b.c.d.a7f33",
      "a.b.c.d.g000",
      "a.b.c.d.a7f3\n",
      "a.b.c.d\n.a7f3",
      "../../../../etc.passwd.a7f3",
      "..b.c.d.a7f3",
      "a/b.b.c.d.a7f3",
      "a.b.c.d%2f.a7f3",
      "a.b.c.d?x=.a7f3",
      "a.b.c.d#.a7f3",
      "a.b.c.\xc3\xa9t\xc3\xa9.a7f3",
      "a.b.c.\u202Eevil.a7f3",
      "a.b.c.d\x1b[2J.a7f3",
      "a.b.c.__proto__.a7f3",
      "a.b.constructor.d.a7f3",
      "a.b.c.then.a7f3",
      "a.b.c.1d.a7f3",
      "-a.b.c.d.a7f3",
      " a.b.c.d.a7f3",
  };
  for (const std::string_view text : bad) EXPECT_FALSE(Fqdn::parse(text).ok()) << text;
  EXPECT_FALSE(Fqdn::parse("a.b.c." + long_part + ".a7f3").ok());
  EXPECT_FALSE(Fqdn::parse(std::string("a.b.c.d\0.a7f3", 13)).ok());
  EXPECT_FALSE(Fqdn::parse(std::string(1 << 20, '.')).ok());
}

TEST(Fqdn, SaysWhatCameWithoutWhatMovesACursor) {
  const auto name = Fqdn::parse("a.b.c.d\x1b[2J.a7f3");
  ASSERT_FALSE(name.ok());
  EXPECT_EQ(name.failure().message.find('\x1b'), std::string::npos);
  EXPECT_LT(Fqdn::parse(std::string(1 << 20, 'x')).failure().message.size(), 500u);
}

TEST(Fqdn, IsMadeOfANameAndItsCode) {
  const auto name = fqdn_for("acme.tools.text.shout", "return 1");
  ASSERT_TRUE(name.ok());
  EXPECT_EQ(name->text().substr(0, 22), "acme.tools.text.shout.");
  EXPECT_NE(fqdn_for("acme.tools.text.shout", "return 2")->hash, name->hash);
  EXPECT_FALSE(fqdn_for("acme.tools.text", "return 1").ok());
  EXPECT_FALSE(fqdn_for("acme.tools.text.shout.a7f3", "return 1").ok());
}

}  // namespace
}  // namespace glovebox::capability
