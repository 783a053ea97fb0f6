#include "privacy/rules/checksums.h"

#include <gtest/gtest.h>

#include <string>

namespace glovebox::privacy {
namespace {

TEST(Checksums, HoldForNumbersThatWereIssued) {
  EXPECT_TRUE(luhn_holds("4111111111111111"));
  EXPECT_TRUE(mod97_holds("GB82WEST12345698765432"));
  EXPECT_TRUE(mod97_holds("de89370400440532013000"));
  EXPECT_TRUE(verhoeff_holds("2363"));
  EXPECT_TRUE(base58check_holds("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"));
  EXPECT_TRUE(base58check_holds("3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"));
  EXPECT_TRUE(bech32_holds("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"));
  EXPECT_TRUE(bech32_holds("BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"));
  EXPECT_TRUE(bech32_holds("bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr"));
  // The examples of EIP-55 itself.
  for (const char* address : {"5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "fB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
                              "dbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "D1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb"})
    EXPECT_TRUE(eip55_holds(address)) << address;
}

// One character changed: checksums detect typing errors.
TEST(Checksums, FailWhenOneCharacterIsAnother) {
  const auto each_change = [](std::string text, auto holds, const char* others) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      std::string changed = text;
      changed[i] = changed[i] == others[0] ? others[1] : others[0];
      EXPECT_FALSE(holds(changed)) << changed;
    }
  };
  each_change("4111111111111111", luhn_holds, "34");
  each_change("GB82WEST12345698765432", mod97_holds, "78");
  each_change("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", base58check_holds, "zy");
  each_change("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", bech32_holds, "pz");
  EXPECT_FALSE(eip55_holds("5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed"));
  EXPECT_FALSE(eip55_holds("5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee"));
}

TEST(Checksums, HoldForNothingOfNoLength) {
  EXPECT_FALSE(luhn_holds(""));
  EXPECT_FALSE(mod97_holds(""));
  EXPECT_FALSE(verhoeff_holds(""));
  EXPECT_FALSE(bech32_holds(""));
  EXPECT_FALSE(eip55_holds(""));
}

}  // namespace
}  // namespace glovebox::privacy
