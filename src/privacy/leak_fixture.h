// Random values, and a check that nothing of one leaves, whatever is around it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/proving.h"
#include "privacy/filter.h"

namespace glovebox::privacy {

using Random = std::mt19937;
using Texts = std::vector<std::string>;
using Around = std::vector<std::pair<std::string, std::string>>;

template <typename List>
auto any_of(Random& random, const List& list) {
  return list[random() % list.size()];
}

inline std::string some(Random& random, std::string_view alphabet, std::size_t count) {
  std::string text;
  while (text.size() < count) text += alphabet[random() % alphabet.size()];
  return text;
}
inline std::string digits_of(Random& random, std::size_t count) {
  return some(random, "0123456789", count);
}
inline std::string number_between(Random& random, unsigned least, unsigned most) {
  return std::to_string(least + random() % (most - least + 1));
}
inline std::string two_digits(Random& random, unsigned least, unsigned most) {
  const std::string number = number_between(random, least, most);
  return number.size() < 2 ? "0" + number : number;
}

// "411111", {2, 4}, "-" → 41-1111
inline std::string in_groups(const std::string& digits, const std::vector<std::size_t>& sizes,
                             const std::string& separator) {
  std::string text;
  std::size_t at = 0;
  for (const std::size_t size : sizes) {
    if (at > 0) text += separator;
    text += digits.substr(at, size);
    at += size;
  }
  return text;
}

inline std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
  return text;
}
inline std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  return text;
}

inline const Texts kSeparators = {" ", "-", ".", "\xc2\xa0", "\xe2\x80\x91", "\xe2\x80\xaf"};
inline const Texts kNarrowSeparators = {" ", "-", "\xc2\xa0", "\xe2\x80\x91"};
inline const Around kAround = {{"", ""},      {"\"", "\""},         {"'", "'"},       {"`", "`"},
                               {"[", "]"},    {"\t", "\t"},         {"|", "|"},       {"(", ")"},
                               {", ", ", "},  {"<b>", "</b>"},      {" ", "."},       {" ", "\n"},
                               {" ", "; ok"}, {"{\"k\":\"", "\"}"}, {"\\\"", "\\\""}, {"\xc2\xab", "\xc2\xbb"},
                               {"*", "*"}};

class EntityLeaks : public ::testing::Test {
 protected:
  // The value is gone, with at most its own separators left, and the text around it is not.
  void expect_gone(const std::string& before, const std::string& value, const std::string& behind) {
    const std::string filtered = filter_.text(before + value + behind).text;
    const bool whole =
        filtered.size() >= before.size() + behind.size() && filtered.starts_with(before) && filtered.ends_with(behind);
    ASSERT_TRUE(whole) << before << value << behind << "\n" << filtered;
    std::string left = filtered.substr(before.size(), filtered.size() - before.size() - behind.size());
    for (std::size_t open = left.find('<'); open != std::string::npos; open = left.find('<')) {
      const std::size_t close = left.find('>', open);
      ASSERT_NE(close, std::string::npos) << filtered;
      left.erase(open, close + 1 - open);
    }
    const bool bare = std::none_of(left.begin(), left.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
    ASSERT_TRUE(bare) << before << value << behind << "\n" << filtered;
  }

  void expect_all_gone(std::size_t times, const Texts& names, const std::function<std::string(Random&)>& make) {
    for (std::size_t i = 0; i < base::random_rounds(times); ++i) {
      const std::string value = make(random_);
      const auto [open, close] = any_of(random_, kAround);
      expect_gone(any_of(random_, names) + open, value, close);
      if (HasFatalFailure()) return;
    }
  }

  Random random_{17};
  Filter filter_{std::make_shared<Detector>(), nullptr, Mode::kTokenize};
};

}  // namespace glovebox::privacy
