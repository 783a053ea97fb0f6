#include "config/nearest_word.h"

#include <gtest/gtest.h>

namespace glovebox::config {
namespace {

TEST(NearestWord, IsWhatAPersonMeant) {
  const std::string_view words[] = {"allowRead", "allowWrite", "timeoutMs", "vfs"};
  const struct {
    const char* word;
    const char* meant;
  } cases[] = {
      {"allowReads", "allowRead"},
      {"allow_read", "allowRead"},
      {"ALLOWREAD", "allowRead"},
      {"allow-write", "allowWrite"},
      {"alowRead", "allowRead"},
      {"timeout", "timeoutMs"},
      {"vsf", "vfs"},
      {"vf", "vfs"},
      {"banana", ""},
      {"", ""},
      {"a", ""},
  };
  for (const auto& item : cases) EXPECT_EQ(nearest_word(item.word, words), item.meant) << item.word;
  EXPECT_EQ(nearest_word("anything", {}), "");
}

}  // namespace
}  // namespace glovebox::config
