#include "cli/doctor/hardening.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/program_part.h"
#include "base/sanitized.h"

namespace glovebox::cli {
namespace {

std::string text_of(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += word + "; ";
  return all;
}

TEST(Hardening, OurProgramsHaveAllOfIt) {
  if (base::is_sanitized()) GTEST_SKIP() << "sanitizers have checks of their own";
  for (const char* name : {"glovebox", "libglovebox-light.so", "glovebox-gateway", "libglovebox-net.so"}) {
    const auto missing = missing_hardening(base::program_part(name), std::string_view(name).ends_with(".so"));
    ASSERT_TRUE(missing.ok()) << missing.failure().message;
    EXPECT_TRUE(missing->empty()) << name << " lacks " << text_of(*missing);
  }
}

// A file that is cut or changed is read to its end and no further.
TEST(Hardening, WhatIsMissingIsNamed) {
  std::ifstream in(base::program_part("glovebox"), std::ios::binary);
  std::string program((std::istreambuf_iterator<char>(in)), {});
  const std::string path = testing::TempDir() + "/glovebox-hardening";
  const auto missing_in = [&](std::string_view bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    return missing_hardening(path);
  };
  for (const std::string_view word : {"_chk", "_assert_fail", "\xf3\x0f\x1e\xfa"})
    for (std::size_t at = 0; (at = program.find(word, at)) != program.npos;) program.replace(at, 4, "_xxx");
  const auto words = missing_in(program).value();
  EXPECT_EQ(text_of(words), "stack protector; FORTIFY; library assertions; CET; ");
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, std::size_t{70}, std::size_t{400}, std::size_t{4096}})
    EXPECT_FALSE(missing_in(program.substr(0, size)).ok() && missing_in(program.substr(0, size))->empty()) << size;
  EXPECT_FALSE(missing_hardening("/nonexistent").ok());
}

}  // namespace
}  // namespace glovebox::cli
