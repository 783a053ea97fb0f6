#include "privacy/byte_search.h"

#include <gtest/gtest.h>

#include <string>

namespace glovebox::privacy {
namespace {

// At every position of texts of every size around a whole step, and from every position before it.
TEST(ByteSearch, FindsTheFirstWhereverItStands) {
  for (std::size_t size = 0; size <= 50; ++size) {
    const std::string plain(size, 'x');
    EXPECT_EQ((next_of<HighBytes::kFound, '"', '\\'>(plain, 0)), size);
    for (std::size_t at = 0; at < size; ++at) {
      for (const char c : {'"', '\\', '\x80', '\xff'}) {
        std::string text = plain;
        text[at] = c;
        text.back() = at + 1 == size ? c : '"';
        const bool high = static_cast<unsigned char>(c) >= 0x80;
        for (std::size_t from = 0; from <= at; ++from) {
          EXPECT_EQ((next_of<HighBytes::kFound, '"', '\\'>(text, from)), at);
          const std::size_t passed = at + 1 == size ? size : size - 1;
          EXPECT_EQ((next_of<HighBytes::kPassed, '"', '\\'>(text, from)), high ? passed : at);
        }
      }
    }
  }
}

TEST(ByteSearch, FindsTheNearestLetterOnEitherSide) {
  for (std::size_t size = 1; size <= 50; ++size) {
    const std::string plain(size, '1');
    for (std::size_t at = 0; at < size; ++at) {
      for (const char c : {'a', 'z', 'A', 'Z', '\x80', '\xff', '@', '[', '`', '{', ' ', '\x7f'}) {
        const bool letter = is_letter(c) || static_cast<unsigned char>(c) >= 0x80;
        std::string text = plain;
        text[at] = c;
        for (std::size_t edge = 0; edge <= size; ++edge) {
          EXPECT_EQ(next_letter(text, edge, size), letter && edge <= at ? at : size);
          EXPECT_EQ(next_letter(text, 0, edge), letter && at < edge ? at : edge);
          EXPECT_EQ(past_last_letter(text, 0, edge), letter && at < edge ? at + 1 : 0);
          EXPECT_EQ(past_last_letter(text, edge, size), letter && edge <= at ? at + 1 : edge);
        }
      }
    }
  }
}

}  // namespace
}  // namespace glovebox::privacy
