#include "capability/registry/integrity.h"

#include <gtest/gtest.h>

namespace glovebox::capability {
namespace {

TEST(Integrity, IsThatOfWebPages) {
  // printf hello | openssl dgst -sha256 -binary | base64
  const auto integrity = Integrity::parse("sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=");
  ASSERT_TRUE(integrity.ok());
  EXPECT_TRUE(integrity->matches("hello"));
  EXPECT_FALSE(integrity->matches("hello "));
  EXPECT_EQ(Integrity::of("hello"), *integrity);
  EXPECT_EQ(integrity->hex(), "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
}

TEST(Integrity, RefusesWhatItCannotVerify) {
  for (const std::string_view text :
       {"", "sha256-", "sha256-LPJN", "sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ",
        "sha256-LPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=", "SHA256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=",
        "sha512-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=", "md5-XUFAKrxLKna5cZ2REBfFkg==",
        "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
        "sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ= sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=",
        " sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=", "none"}) {
    const auto integrity = Integrity::parse(text);
    ASSERT_FALSE(integrity.ok()) << text;
    EXPECT_NE(integrity.failure().message.find("cannot be verified"), std::string::npos);
  }
}

}  // namespace
}  // namespace glovebox::capability
