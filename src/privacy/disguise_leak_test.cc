// Values of each entity, disguised as texts and people disguise them, in the places where they are found: HTML, URLs,
// JSON, CSV, YAML, logs. Nothing of a value is left.
#include <map>
#include <sstream>

#include "base/text/json_text.h"
#include "privacy/leak_fixture.h"

namespace glovebox::privacy {
namespace {

struct Sample {
  std::string_view what;
  std::string word;  // before it
  std::string (*make)(Random&);
};

std::string with_luhn_digit(const std::string& begin) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < begin.size(); ++i) {
    const auto digit = static_cast<unsigned>(begin[begin.size() - 1 - i] - '0');
    sum += i % 2 == 1 ? digit : digit * 2 / 10 + digit * 2 % 10;
  }
  return begin + static_cast<char>('0' + (10 - sum % 10) % 10);
}

const std::vector<Sample> kSamples = {
    {"mail", "",
     [](Random& random) {
       return some(random, "abcdefghk", 4) + "." + some(random, "lmnopq", 4) + "@" + some(random, "rstuv", 5) + ".com";
     }},
    {"card", "card ",
     [](Random& random) {
       return in_groups(with_luhn_digit("4" + digits_of(random, 14)), {4, 4, 4, 4}, " ");
     }},
    {"bare card", "", [](Random& random) { return with_luhn_digit("51" + digits_of(random, 13)); }},
    {"iban", "",
     [](Random& random) {
       const std::string account = digits_of(random, 18);
       unsigned rest = 0;
       for (const char c : account + "131400") rest = (rest * 10 + static_cast<unsigned>(c - '0')) % 97;
       return "DE" + (rest > 88 ? "0" + std::to_string(98 - rest) : std::to_string(98 - rest)) + account;
     }},
    {"ssn", "SSN ",
     [](Random& random) {
       return number_between(random, 101, 599) + "-" + two_digits(random, 1, 99) + "-" +
              number_between(random, 1000, 9999);
     }},
    {"phone", "", [](Random& random) { return "+49 30 " + number_between(random, 2000000, 8999999); }},
    {"national phone", "Tel. ",
     [](Random& random) { return "030 " + number_between(random, 200, 899) + " " + digits_of(random, 4); }},
    {"ip", "",
     [](Random& random) {
       return number_between(random, 131, 223) + "." + number_between(random, 11, 254) + "." +
              number_between(random, 11, 254) + "." + number_between(random, 11, 254);
     }},
    {"ipv6", "",
     [](Random& random) { return "2001:db8:" + some(random, "abcdef", 4) + "::" + digits_of(random, 3) + "1"; }},
    {"mac", "",
     [](Random& random) { return "02:1b:" + some(random, "23456789", 2) + ":7f:9e:" + two_digits(random, 10, 99); }},
    {"birth", "born ",
     [](Random& random) {
       return number_between(random, 1940, 2009) + "-" + two_digits(random, 1, 12) + "-" + two_digits(random, 1, 28);
     }},
    {"cpf", "",
     [](Random& random) {
       std::string number = number_between(random, 100000000, 999999999);
       for (const unsigned first : {10u, 11u}) {
         unsigned sum = 0;
         for (std::size_t i = 0; i < number.size(); ++i)
           sum += (first - static_cast<unsigned>(i)) * static_cast<unsigned>(number[i] - '0');
         number += std::to_string(sum * 10 % 11 % 10);
       }
       return number.substr(0, 3) + "." + number.substr(3, 3) + "." + number.substr(6, 3) + "-" + number.substr(9);
     }},
    {"key", "", [](Random& random) { return "ghp_" + digits_of(random, 6) + some(random, "abcdefghijkXYZ", 30); }},
    {"password", "password: ",
     [](Random& random) { return some(random, "abcdefgh", 4) + some(random, "ABCDEFG", 3) + digits_of(random, 4); }},
};

template <typename With>
std::string each(const std::string& text, With with) {
  std::string out;
  for (const char c : text) out += with(c);
  return out;
}
bool is_number_character(char c) {
  return c >= '0' && c <= '9';
}
std::string after_each(const std::string& text, const std::string& mark) {
  return each(text, [&](char c) { return c + mark; });
}
std::string other_digits(const std::string& text, const std::string& zero) {
  return each(text, [&](char c) {
    if (!is_number_character(c)) return std::string(1, c);
    std::string digit = zero;
    digit.back() = static_cast<char>(digit.back() + c - '0');
    return digit;
  });
}
std::string as_code(char c, const char* form) {
  char code[16];
  std::snprintf(code, sizeof(code), form, static_cast<unsigned>(static_cast<unsigned char>(c)));
  return code;
}
bool is_plain_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

struct Disguise {
  std::string_view name;
  std::string (*put_on)(Random&, const std::string&);
};
const std::vector<Disguise> kDisguises = {
    {"none", [](Random&, const std::string& text) { return text; }},
    {"zero-width space", [](Random&, const std::string& text) { return after_each(text, "\xe2\x80\x8b"); }},
    {"zero-width joiner", [](Random&, const std::string& text) { return after_each(text, "\xe2\x80\x8d"); }},
    {"word joiner", [](Random&, const std::string& text) { return after_each(text, "\xe2\x81\xa0"); }},
    {"byte order mark", [](Random&, const std::string& text) { return "\xef\xbb\xbf" + text; }},
    {"direction marks", [](Random&, const std::string& text) { return "\xe2\x80\xaa" + text + "\xe2\x80\xac"; }},
    {"isolates", [](Random&, const std::string& text) { return "\xe2\x81\xa6" + text + "\xe2\x81\xa9"; }},
    {"soft hyphen",
     [](Random& random, const std::string& text) {
       const std::size_t cut = 1 + random() % (text.size() - 1);
       return text.substr(0, cut) + "\xc2\xad" + text.substr(cut);
     }},
    {"&shy;",
     [](Random& random, const std::string& text) {
       const std::size_t cut = 1 + random() % (text.size() - 1);
       return text.substr(0, cut) + "&shy;" + text.substr(cut);
     }},
    {"<wbr>",
     [](Random& random, const std::string& text) {
       const std::size_t cut = 1 + random() % (text.size() - 1);
       return text.substr(0, cut) + "<wbr>" + text.substr(cut);
     }},
    {"full-width",
     [](Random&, const std::string& text) {
       return each(text, [](char c) {
         return c == ' '  ? std::string("\xe3\x80\x80")
                : c < '`' ? std::string("\xef\xbc") + static_cast<char>(0x80 + c - 0x20)
                          : std::string("\xef\xbd") + static_cast<char>(0x80 + c - 0x60);
       });
     }},
    {"Arabic digits", [](Random&, const std::string& text) { return other_digits(text, "\xd9\xa0"); }},
    {"Persian digits", [](Random&, const std::string& text) { return other_digits(text, "\xdb\xb0"); }},
    {"Devanagari digits", [](Random&, const std::string& text) { return other_digits(text, "\xe0\xa5\xa6"); }},
    {"Thai digits", [](Random&, const std::string& text) { return other_digits(text, "\xe0\xb9\x90"); }},
    {"bold digits", [](Random&, const std::string& text) { return other_digits(text, "\xf0\x9d\x9f\x8e"); }},
    {"keycaps",
     [](Random&, const std::string& text) {
       return each(text, [](char c) {
         return is_number_character(c) ? c + std::string("\xef\xb8\x8f\xe2\x83\xa3") : std::string(1, c);
       });
     }},
    {"struck out", [](Random&, const std::string& text) { return after_each(text, "\xcc\xb6"); }},
    {"&#64;", [](Random&, const std::string& text) { return each(text, [](char c) { return as_code(c, "&#%u;"); }); }},
    {"&#x40;",
     [](Random&, const std::string& text) { return each(text, [](char c) { return as_code(c, "&#x%02x;"); }); }},
    {"&amp;#64;",
     [](Random&, const std::string& text) {
       return each(text, [](char c) { return is_plain_letter(c) ? std::string(1, c) : as_code(c, "&amp;#%u;"); });
     }},
    {"%40",
     [](Random&, const std::string& text) {
       return each(text, [](char c) { return is_plain_letter(c) ? std::string(1, c) : as_code(c, "%%%02X"); });
     }},
    {"%2540",
     [](Random&, const std::string& text) {
       return each(text, [](char c) { return is_plain_letter(c) ? std::string(1, c) : as_code(c, "%%25%02X"); });
     }},
    {"form data",
     [](Random&, const std::string& text) {
       return each(text, [](char c) {
         return c == ' ' ? "+" : is_plain_letter(c) ? std::string(1, c) : as_code(c, "%%%02X");
       });
     }},
    {"\\u0040",
     [](Random&, const std::string& text) { return each(text, [](char c) { return as_code(c, "\\u%04x"); }); }},
    {"\\\\u0040",
     [](Random&, const std::string& text) { return each(text, [](char c) { return as_code(c, "\\\\u%04X"); }); }},
    {"no-break spaces",
     [](Random&, const std::string& text) {
       return each(text, [](char c) { return c == ' ' ? std::string("\xc2\xa0") : std::string(1, c); });
     }},
    {"&nbsp;",
     [](Random&, const std::string& text) {
       return each(text, [](char c) { return c == ' ' ? std::string("&nbsp;") : std::string(1, c); });
     }},
    {"defanged",
     [](Random&, const std::string& text) {
       return each(text, [](char c) { return c == '.' ? std::string("[.]") : std::string(1, c); });
     }},
};

struct Place {
  std::string before;
  std::string behind;
};
const std::vector<Place> kPlaces = {
    {"", ""},
    {"<td>", "</td>"},
    {"<p>see <b>", "</b><br>"},
    {"<a href=\"/x\" title='", "'>"},
    {"<!-- ", " -->"},
    {"https://x.example/find?q=", "&page=2"},
    {"POST /find?a=1&q=", " HTTP/1.1"},
    {"{\"k\":\"", "\",\"n\":1}"},
    {"{\\\"k\\\":\\\"", "\\\"}"},
    {"{'k': '", "', 'n': 1}"},
    {"id,", ",active"},
    {"\"7\";\"", "\";\"x\""},
    {"7\t", "\tx"},
    {"k: ", "\nnext: 1"},
    {"items:\n  - ", "\n  - x"},
    {"k: \"", "\"\n"},
    {"2026-11-17T12:00:00.123Z INFO [main] k=", " in 12 ms"},
    {"<34>Oct 11 22:14:15 mx su: '", "' failed"},
    {"[", "]"},
    {"**", "**"},
    {"| ", " | x |"},
    {"INSERT INTO t VALUES ('", "', 1);"},
    {"export K='", "'\n"},
    {"[section]\nk = ", "\n"},
    {"\xe2\x80\x9c", "\xe2\x80\x9d"},
    {"\xe2\x80\x9e", "\xe2\x80\x9c"},
    {"\xc2\xab\xc2\xa0", "\xc2\xa0\xc2\xbb"},
    {"\xef\xbc\x88", "\xef\xbc\x89"},
    {"\xe3\x80\x8c", "\xe3\x80\x8d"},
    {"it is ", "\xe3\x80\x82"},
    {"it is ", ", thanks"},
    {"it is ", "\xe2\x80\xa6"},
    {"> ", "\n> x"},
    {"// ", "\n"},
    {"\x1b[31m", "\x1b[0m"},
};

class DisguiseLeaks : public EntityLeaks {
 protected:
  // Whether a letter or digit of what was between the two is left. A mark behind a password may be part of it.
  bool leaks(const std::string& before, const std::string& value, const std::string& behind) {
    const std::string filtered = filter_.text(before + value + behind).text;
    constexpr std::string_view kPassword = "<SECRET:password>";
    const auto has_letter = [](std::string_view text) {
      return std::any_of(text.begin(), text.end(), is_plain_letter);
    };
    const std::size_t token = filtered.find(kPassword);
    if (token != std::string::npos && filtered.starts_with(before) && token >= before.size() &&
        !has_letter(std::string_view(filtered).substr(before.size(), token - before.size())) &&
        behind.ends_with(filtered.substr(token + kPassword.size())))
      return false;
    if (filtered.size() < before.size() + behind.size() || !filtered.starts_with(before) || !filtered.ends_with(behind))
      return true;
    std::string left = filtered.substr(before.size(), filtered.size() - before.size() - behind.size());
    for (std::size_t open = left.find('<'); open != std::string::npos; open = left.find('<')) {
      const std::size_t close = left.find('>', open);
      if (close == std::string::npos) return true;
      left.erase(open, close + 1 - open);
    }
    return has_letter(left);
  }
};

TEST_F(DisguiseLeaks, NoDisguiseHidesAValueInAnyPlace) {
  std::map<std::string, std::string> left;  // an example of each
  for (const Sample& sample : kSamples) {
    for (const Disguise& disguise : kDisguises) {
      for (std::size_t place = 0; place < kPlaces.size(); ++place) {
        const auto& [before, behind] = kPlaces[place];
        const std::string form = disguise.put_on(random_, sample.make(random_));
        if (!leaks(before + sample.word, form, behind)) continue;
        left[std::string(sample.what) + ", " + std::string(disguise.name)] +=
            "\n  " + before + sample.word + form + behind + "\n  " +
            filter_.text(before + sample.word + form + behind).text;
      }
    }
  }
  std::ostringstream all;
  for (const auto& [what, texts] : left) all << what << ":" << texts << "\n";
  EXPECT_TRUE(left.empty()) << all.str();
}

// Mail in quoted-printable form.
TEST_F(DisguiseLeaks, NoSoftLineBreakHidesAValue) {
  constexpr std::size_t kLine = 75;
  for (const Sample& sample : kSamples) {
    for (std::size_t i = 0; i < 40; ++i) {
      const std::string value = sample.make(random_);
      const std::size_t cut = 1 + random_() % (value.size() - 1);
      std::string before = "so ";
      while (before.size() + sample.word.size() + cut + 3 < kLine) before += any_of(random_, Texts{"a ", "so ", "of "});
      before += std::string(kLine - before.size() - sample.word.size() - cut - 1, 'x') + " " + sample.word;
      const std::string line_end = any_of(random_, Texts{"=\r\n", "=\n"});
      ASSERT_FALSE(leaks(before, value.substr(0, cut) + line_end + value.substr(cut), " and so on"))
          << filter_.text(before + value.substr(0, cut) + line_end + value.substr(cut) + " and so on").text;
    }
  }
}

// Pieces of a value, each in a tag, or with a comment between them.
TEST_F(DisguiseLeaks, NoTagHidesAValue) {
  const Around tags = {{"<b>", "</b>"},
                       {"<span class=\"x y\">", "</span>"},
                       {"<i>", "</i>"},
                       {"<font color='red'>", "</font>"},
                       {"<a href=\"#top\">", "</a>"},
                       {"", "<!-- x -->"},
                       {"<em><strong>", "</strong></em>"},
                       {"</b>", "<b>"},
                       {"<SPAN>", "</SPAN>"}};
  for (const Sample& sample : kSamples) {
    for (int i = 0; i < 300; ++i) {
      const std::string value = sample.make(random_);
      const auto& [open, close] = tags[random_() % tags.size()];
      const std::size_t first = random_() % (value.size() - 1);
      const std::size_t size = 1 + random_() % (value.size() - first - 1);
      // Between digits a space may be in the tag or outside of it, but next to a mark it ends the value.
      const bool spaced = value[first] == ' ' || value[first + size - 1] == ' ' ||
                          value[first > 0 ? first - 1 : 0] == ' ' || value[first + size] == ' ';
      if (spaced && value.find_first_not_of("0123456789 ") != value.npos) continue;
      const std::string form =
          value.substr(0, first) + open + value.substr(first, size) + close + value.substr(first + size);
      const auto& [before, behind] = any_of(random_, Around{{"<p>see ", "</p>"}, {"<td>", "</td>"}, {"", "\n"}});
      ASSERT_FALSE(leaks(before + sample.word, form, behind))
          << sample.what << ": " << before << sample.word << form << behind << "\n"
          << filter_.text(before + sample.word + form + behind).text;
    }
  }
}

TEST_F(DisguiseLeaks, TagsBesideAValueStay) {
  const std::vector<std::pair<std::string, std::string>> texts = {
      {"<b>bob@example.com</b>and you", "<b><EMAIL></b>and you"},
      {"<b>Tel</b>: <i>+49 30 2345678</i> or <i>+49 30 2345679</i>", "<b>Tel</b>: <i><PHONE></i> or <i><PHONE></i>"},
      {"<td>4111</td><td>1111</td><td>1111</td><td>1111</td>", "<td>4111</td><td>1111</td><td>1111</td><td>1111</td>"},
      {"H<sub>2</sub>O and x<sup>10</sup>", "H<sub>2</sub>O and x<sup>10</sup>"},
      {"bob<b>@</b>example.com, <i>eve</i>@example.com", "<EMAIL>, <i><EMAIL>"},
  };
  for (const auto& [text, filtered] : texts) EXPECT_EQ(filter_.text(text).text, filtered);
  const auto vault = std::make_shared<TokenVault>();
  const Filter filter(std::make_shared<Detector>(), vault, Mode::kTokenize);
  EXPECT_EQ(filter.json(R"({"html":"bob<b class=\"x\">@</b>example.com","mail":"bob@example.com"})").text,
            R"({"html":"<EMAIL_1>","mail":"<EMAIL_1>"})");
  EXPECT_EQ(vault->value_of("<EMAIL_1>"), "bob@example.com");
}

class Emphasis : public EntityLeaks {};

TEST_F(Emphasis, BetweenDigitsHidesNothing) {
  for (int i = 0; i < 500; ++i) {
    const std::string card = with_luhn_digit("51" + digits_of(random_, 13));
    const std::string mark = any_of(random_, Texts{"**", "***", "__", "~~", "`"});
    expect_gone("it is ", card.substr(0, 4) + mark + card.substr(4, 4) + mark + card.substr(8), " ok");
    expect_gone(
        "it is ",
        card.substr(0, 4) + " " + mark + card.substr(4, 4) + mark + " " + card.substr(8, 4) + " " + card.substr(12),
        " ok");
    if (HasFatalFailure()) return;
  }
  for (const std::string text :
       {"24*60*60 and 2**31", "(7*24*60*60) 1 week", "1 * 4111111111111111", "**12** of **34**"})
    EXPECT_EQ(filter_.text(text).text.substr(0, 4), text.substr(0, 4));
}

class Utf16 : public EntityLeaks {};

// What powershell -EncodedCommand is given: echo bob@example.com.
TEST_F(Utf16, InBase64HidesNothing) {
  EXPECT_EQ(filter_.text("powershell -enc ZQBjAGgAbwAgAGIAbwBiAEAAZQB4AGEAbQBwAGwAZQAuAGMAbwBtAA==").text,
            "powershell -enc <EMAIL>");
}

}  // namespace
}  // namespace glovebox::privacy
