#include "privacy/token_vault.h"

#include <gtest/gtest.h>

namespace glovebox::privacy {
namespace {

const Finding kMail{Entity::kEmail, 0, 1, 1, {}};
const Finding kPhoneNumber{Entity::kPhone, 0, 1, 1, {}};

TEST(TokenVault, GivesAValueOneToken) {
  TokenVault vault;
  EXPECT_EQ(vault.token_for(kMail, "bob@example.com"), "<EMAIL_1>");
  EXPECT_EQ(vault.token_for(kMail, "eve@example.com"), "<EMAIL_2>");
  EXPECT_EQ(vault.token_for(kMail, "Bob@Example.com"), "<EMAIL_1>");
  EXPECT_EQ(vault.token_for(kPhoneNumber, "+49 30 1234"), "<PHONE_1>");
  EXPECT_EQ(vault.token_for(kPhoneNumber, "+49-30-1234"), "<PHONE_1>");
  EXPECT_EQ(vault.value_of("<EMAIL_1>"), "bob@example.com");
  EXPECT_EQ(vault.value_of("<EMAIL_3>"), std::nullopt);
  EXPECT_EQ(vault.value_of("EMAIL_1"), std::nullopt);
}

TEST(TokenVault, TakesNumbersInBlocks) {
  std::vector<std::size_t> taken;
  TokenVault::Options options;
  options.numbers = std::make_shared<TokenNumbers>([&](std::size_t count) {
    taken.push_back(count);
    return taken.size() * 5000;
  });
  TokenVault vault(options);
  const auto nth = [&](int n) { return vault.token_for({Entity::kEmail, 0, 0, 1, {}}, std::to_string(n) + "@x.de"); };
  for (int n = 1; n <= 100; ++n) EXPECT_EQ(nth(n), "<EMAIL_" + std::to_string(5000 + n) + ">");
  EXPECT_EQ(vault.token_for({Entity::kPhone, 0, 0, 1, {}}, "+4930123456"), "<PHONE_5001>");
  EXPECT_EQ(nth(101), "<EMAIL_10001>");
  EXPECT_EQ(vault.token_for({Entity::kPhone, 0, 0, 1, {}}, "+4930123457"), "<PHONE_10001>");
  EXPECT_EQ(nth(7), "<EMAIL_5007>");
  EXPECT_EQ(taken, (std::vector<std::size_t>{100, 1000}));
}

TEST(TokenVault, PutsValuesBackIntoJson) {
  TokenVault vault;
  vault.token_for(kMail, "o\"neil@example.com");
  vault.token_for(kMail, "eve@example.com");
  EXPECT_EQ(vault.restored(R"({"a":"to <EMAIL_1>, <EMAIL_2>","b":["<EMAIL_9>","<b>","<SECRET:jwt>","<EMAIL_2"]})"),
            R"({"a":"to o\"neil@example.com, eve@example.com","b":["<EMAIL_9>","<b>","<SECRET:jwt>","<EMAIL_2"]})");
  std::string tokens;
  each_token("x <EMAIL_2> <EMAIL_ <A_1><B>", [&](std::string_view token) { tokens += token; });
  EXPECT_EQ(tokens, "<EMAIL_2><A_1>");
}

TEST(TokenVault, ForgetsWhatNobodyUses) {
  std::chrono::steady_clock::time_point now;
  TokenVault vault({.most = 2, .idle = std::chrono::seconds(10), .clock = [&] { return now; }});
  vault.token_for(kMail, "a@example.com");
  vault.token_for(kMail, "b@example.com");
  EXPECT_TRUE(vault.value_of("<EMAIL_1>"));
  vault.token_for(kMail, "c@example.com");  // there is room for two
  EXPECT_TRUE(vault.value_of("<EMAIL_1>"));
  EXPECT_FALSE(vault.value_of("<EMAIL_2>"));
  now += std::chrono::seconds(6);
  EXPECT_TRUE(vault.value_of("<EMAIL_1>"));
  now += std::chrono::seconds(6);
  EXPECT_FALSE(vault.value_of("<EMAIL_3>"));
  EXPECT_TRUE(vault.value_of("<EMAIL_1>"));
  now += std::chrono::seconds(10);
  EXPECT_FALSE(vault.value_of("<EMAIL_1>"));
  EXPECT_EQ(vault.size(), 0u);
  // An earlier token is not reused for another value.
  EXPECT_EQ(vault.token_for(kMail, "a@example.com"), "<EMAIL_4>");
}

TEST(TokenVault, BoundsItsBytes) {
  const auto numbers = std::make_shared<TokenNumbers>();
  {
    TokenVault vault({.most_bytes = 10'000, .numbers = numbers});
    for (int i = 1; i <= 100; ++i) {
      vault.token_for(kMail, std::string(500, 'a') + std::to_string(i) + "@example.com");
      EXPECT_LE(vault.bytes(), 10'000u);
      EXPECT_EQ(numbers->bytes(), vault.bytes());
    }
    EXPECT_GT(vault.size(), 2u);
    EXPECT_FALSE(vault.value_of("<EMAIL_1>"));
    EXPECT_TRUE(vault.value_of("<EMAIL_100>"));
  }
  EXPECT_EQ(numbers->bytes(), 0u);
}

// A token is short, and code can write it as often as it likes.
TEST(TokenVault, RestoresNoMoreThanThereIsRoomFor) {
  TokenVault vault;
  const std::string value = std::string(2000, 'a') + "@example.com";
  vault.token_for(kMail, value);
  std::string arguments = "[";
  for (int i = 0; i < 100'000; ++i) arguments += "\"<EMAIL_1>\",";
  arguments += "0]";
  const std::string restored = vault.restored(arguments);
  EXPECT_LE(restored.size(), arguments.size() + kMostGrowth);
  EXPECT_GT(restored.size(), kMostGrowth);
  EXPECT_TRUE(restored.ends_with("\"<EMAIL_1>\",0]"));
}

}  // namespace
}  // namespace glovebox::privacy
