// What can be found does not leak: any value, anywhere, in any of the encodings that are examined, split into any
// lines.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <random>
#include <vector>

#include "base/proving.h"
#include "base/text/json_text.h"
#include "privacy/filter.h"

namespace glovebox::privacy {
namespace {

using Random = std::mt19937;

template <typename List>
const auto& pick(Random& random, const List& list) {
  return list[random() % list.size()];
}

std::string digits(Random& random, std::size_t count) {
  std::string text;
  while (text.size() < count) text += static_cast<char>('0' + random() % 10);
  return text;
}

std::string letters(Random& random, std::size_t count) {
  std::string text;
  while (text.size() < count) text += static_cast<char>('a' + random() % 26);
  return text;
}

// A card that its issuer could have issued; the last digit makes its checksum valid.
std::string card(Random& random, const std::string& issuer = "4", std::size_t length = 16) {
  const std::string begin = issuer + digits(random, length - 1 - issuer.size());
  for (char last = '0';; ++last) {
    int sum = 0;
    const std::string number = begin + last;
    for (std::size_t i = 0; i < number.size(); ++i) {
      const int digit = number[number.size() - 1 - i] - '0';
      const int twice = digit * 2;
      sum += i % 2 == 0 ? digit : twice > 9 ? twice - 9 : twice;
    }
    if (sum % 10 == 0) return number;
  }
}

// For a German bank; the check digits are 98 minus the remainder of the number with DE00 at its end.
std::string iban(Random& random) {
  const std::string account = digits(random, 18);
  int rest = 0;
  for (const char c : account + "131400") rest = (rest * 10 + (c - '0')) % 97;
  const int check = 98 - rest;
  return "DE" + std::string(check < 10 ? "0" : "") + std::to_string(check) + account;
}

std::string value(Random& random) {
  switch (random() % 7) {
    case 0: return letters(random, 3 + random() % 6) + "." + letters(random, 4) + "@" + letters(random, 6) + ".com";
    case 1: return card(random);
    case 2: return iban(random);
    case 3: return "+49 30 " + std::to_string(2 + random() % 8) + digits(random, 7);
    case 4:
      return std::to_string(131 + random() % 30) + "." + std::to_string(20 + random() % 200) + "." +
             std::to_string(20 + random() % 200) + "." + std::to_string(20 + random() % 200);
    case 5: return "529.982.247-25";
    default: return "ghp_" + digits(random, 6) + letters(random, 30);
  }
}

std::string percent(const std::string& text) {
  std::string out;
  for (const char c : text) {
    char byte[4];
    std::snprintf(byte, sizeof(byte), "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    out += byte;
  }
  return out;
}

std::string hidden(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    const bool whole = i + 1 == text.size() || (static_cast<unsigned char>(text[i + 1]) & 0xc0) != 0x80;
    if (whole) out += "\xe2\x80\x8b";
  }
  return out;
}

// Digits of another script: full-width, or Arabic.
std::string look_alike(const std::string& text, bool wide) {
  std::string out;
  for (const char c : text) {
    if (c < '0' || c > '9') {
      out += c;
    } else if (wide) {
      out += "\xef\xbc" + std::string(1, static_cast<char>(0x90 + c - '0'));
    } else {
      out += "\xd9" + std::string(1, static_cast<char>(0xa0 + c - '0'));
    }
  }
  return out;
}

std::string base64(const std::string& text) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (i + j < text.size() ? static_cast<unsigned char>(text[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j) out += i + j > text.size() ? '=' : kAlphabet[bits >> (18 - 6 * j) & 63];
  }
  return out;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    char code[8];
    std::snprintf(code, sizeof(code), "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    out += code;
  }
  return out;
}

// Some of the encodings, nested, at most one of them base64.
std::string disguised(Random& random, std::string text) {
  switch (random() % 10) {
    case 0: return text;
    case 1: return percent(text);
    case 2: return hidden(text);
    case 3: return look_alike(text, random() % 2 == 0);
    case 4: return percent(look_alike(text, random() % 2 == 0));
    case 5: return hidden(look_alike(text, true));
    case 6: return base64("here is " + text + " for you");
    case 7: return base64(base64("here is " + percent(text) + " for you"));
    case 8: return percent(base64("it is " + look_alike(text, true) + ", as told"));
    default: return escaped(text);
  }
}

class Leaks : public ::testing::Test {
 protected:
  // The output contains neither the value nor its encoded form, is JSON, and passes unchanged.
  void expect_silent(const std::string& document, const std::string& value, const std::string& form) {
    const std::string filtered = filter_->json(document).text;
    ASSERT_EQ(filtered.find(value), std::string::npos) << document << "\n" << filtered;
    ASSERT_EQ(filtered.find(form), std::string::npos) << document << "\n" << filtered;
    boost::system::error_code error;
    (void)boost::json::parse(filtered, error);
    ASSERT_FALSE(error) << document << "\n" << filtered;
    ASSERT_EQ(filter_->json(filtered).text, filtered) << document;
  }

  std::shared_ptr<TokenVault> vault_ = std::make_shared<TokenVault>();
  std::shared_ptr<Filter> filter_ = std::make_shared<Filter>(std::make_shared<Detector>(), vault_, Mode::kTokenize);
  Random random_{11};
};

TEST_F(Leaks, NoValueLeavesInAnyFormOrPlace) {
  const std::vector<std::string> around = {"",   " ",  "say ",  "x: ", "(", "\"", "\n",
                                           "\t", ", ", "日本 ", "<",   "=", "\\ "};
  for (int i = 0; i < 3000; ++i) {
    const std::string secret = value(random_);
    const std::string form = disguised(random_, secret);
    const std::string text = pick(random_, around) + form + (random_() % 2 ? " " : ".\n") + pick(random_, around);
    // As a string, as a key, as JSON within a string, deeply nested, in a list of lines.
    std::string document;
    switch (random_() % 5) {
      case 0: document = base::json_string(text); break;
      case 1: document = "{" + base::json_string(text) + ":1}"; break;
      case 2: document = base::json_string("[" + base::json_string(text) + "]"); break;
      case 3: document = R"({"logs":["one",)" + base::json_string(text) + R"(,"two"]})"; break;
      default: document = R"([[{"a":{"b":[1,)" + base::json_string(text) + "]}}]]";
    }
    expect_silent(document, secret, form);
    if (HasFatalFailure()) return;
  }
}

// However a log is split into lines, joining them yields no value: neither from the list in the result, nor from its
// text, nor from the lines that were sent one by one.
TEST_F(Leaks, NoValueLeavesInPieces) {
  const auto joined = [](const boost::json::array& lines) {
    std::string all;
    for (const auto& line : lines) all += std::string_view(line.as_string());
    return all;
  };
  const auto spaceless = [](std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
  };
  for (int i = 0; i < 3000; ++i) {
    const std::string secret = value(random_);
    const std::size_t cut = 1 + random_() % (secret.size() - 1);
    const std::string first = "it is " + secret.substr(0, cut);
    const std::string second = secret.substr(cut) + " as you know";
    const std::string list = filter_->json("[" + base::json_string(first) + "," + base::json_string(second) + "]").text;
    ASSERT_EQ(spaceless(joined(boost::json::parse(list).as_array())).find(spaceless(secret)), std::string::npos)
        << secret << " " << list;
    const std::string text = filter_->text(first + "\n" + second).text;
    ASSERT_EQ(spaceless(text).find(spaceless(secret)), std::string::npos) << text;
    LineFilter lines(filter_);
    std::string one_by_one = lines.text(first);
    one_by_one += lines.text(second);
    ASSERT_EQ(spaceless(one_by_one).find(spaceless(secret)), std::string::npos) << one_by_one;
  }
}

// For every issuer and notation: every tenth prefix of a card number passes for a shorter card.
TEST_F(Leaks, NoDigitOfACardLeaves) {
  struct Written {
    std::vector<std::string> issuers;
    std::vector<std::size_t> groups;
  };
  const std::vector<Written> ways = {
      {{"4", "51", "2221", "6011", "65", "62", "3528", "50", "67", "2200", "9792"}, {4, 4, 4, 4}},
      {{"34", "37"}, {4, 6, 5}},
      {{"37", "50", "58"}, {4, 4, 4, 3}},
      {{"36", "300"}, {4, 6, 4}},
      {{"36", "38", "67"}, {4, 4, 4, 2}},
      {{"4", "50"}, {4, 4, 4, 1}},
      {{"50", "6304"}, {4, 4, 5}},
      {{"50", "57", "69"}, {4, 4, 4}},
      {{"4", "62", "6011", "50"}, {4, 4, 4, 4, 3}},
      {{"62", "3528", "67"}, {4, 4, 4, 4, 2}},
      {{"62", "67"}, {4, 4, 4, 4, 1}},
      {{"62"}, {6, 13}},
      {{"4", "51", "2221"}, {8, 8}},
      {{"4", "55", "6011"}, {2, 2, 2, 2, 2, 2, 2, 2}},
      {{"4", "52", "3528"}, {5, 5, 6}},
      {{"34", "37"}, {3, 4, 4, 4}},
  };
  const std::vector<std::string> separators = {
      " ", "-", ".", "\xc2\xa0", "\xe2\x80\x93", "  ", "/", "_", " - ", " \xe2\x80\x93 ", "", " / "};
  const std::vector<std::string> names = {"card: ",
                                          "Card number ",
                                          "card_number=",
                                          "\"cardNumber\": \"",
                                          "creditCard: ",
                                          "cc ",
                                          "PAN ",
                                          "Kreditkarte ",
                                          "visa ",
                                          "{\"card\":{\"no\":\"",
                                          "",
                                          "paid with "};
  const auto digits_left = [](const std::string& text) {
    std::string left;
    bool in_token = false;
    for (const char c : text) {
      in_token = c == '<' || (in_token && c != '>');
      if (!in_token && c >= '0' && c <= '9') left += c;
    }
    return left;
  };
  for (int i = 0; i < (base::is_proving() ? 30'000 : 6'000); ++i) {
    const Written& way = pick(random_, ways);
    std::size_t length = 0;
    for (const std::size_t size : way.groups) length += size;
    const std::string number = card(random_, pick(random_, way.issuers), length);
    const std::string& separator = pick(random_, separators);
    const std::string& name = pick(random_, names);
    // In other groups, or with points and the like between them, it may be anything unless it is called a card.
    const bool is_called_so = name.size() > 0 && name != "paid with ";
    const std::vector<std::size_t>& groups = way.groups;
    const bool in_fours = groups == std::vector<std::size_t>{4, 4, 4, 4};
    const bool printed = groups[0] == 4 || groups == std::vector<std::size_t>{8, 8};
    const bool usual = separator == " " || separator == "-" || separator[0] == '\xc2' || separator[0] == '\xe2';
    if (!is_called_so && !separator.empty() && (!printed || (!usual && !in_fours))) continue;
    std::string text = name;
    std::size_t at = 0;
    for (const std::size_t size : way.groups) {
      text += (at == 0 ? "" : separator) + number.substr(at, size);
      at += size;
    }
    if (separator.empty() && length < 15 && !is_called_so) continue;
    for (const std::string behind : {"", ", thanks", "\"}", " exp"}) {
      const std::string filtered = filter_->text(text + behind).text;
      ASSERT_EQ(digits_left(filtered), "") << text << behind << "\n" << filtered;
    }
  }
}

// A token resolves to the original value, however it was encoded.
TEST_F(Leaks, TokensLeadBack) {
  const std::vector<std::string> values = {"bob.miller@example.com", "4111111111111111", "GB82WEST12345698765432"};
  for (int i = 0; i < 300; ++i) {
    const std::string& secret = pick(random_, values);
    const std::string form = random_() % 2 ? percent(secret) : hidden(look_alike(secret, true));
    const std::string text = filter_->text("it is " + form + ".").text;
    ASSERT_EQ(vault_->value_of(text.substr(6, text.find('>') - 5)), secret) << text;
  }
}

}  // namespace
}  // namespace glovebox::privacy
