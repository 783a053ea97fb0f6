// Values that only the words around them show, in sentences: nothing of a value is left, and nothing else is removed.
#include "privacy/leak_fixture.h"

namespace glovebox::privacy {
namespace {

class PhraseLeaks : public EntityLeaks {
 protected:
  // In sentences, which go on behind the value.
  void expect_gone_from(std::size_t times, const Texts& phrases, const std::function<std::string(Random&)>& make) {
    for (std::size_t i = 0; i < base::random_rounds(times); ++i) {
      expect_gone(any_of(random_, phrases), make(random_), any_of(random_, Texts{"", ".", ", please", " today", "\n"}));
      if (HasFatalFailure()) return;
    }
  }
  void expect_left(const Texts& texts) {
    for (const std::string& text : texts) EXPECT_EQ(filter_.text(text).text, text);
  }
};

std::string lower_name(Random& random) {
  return some(random, "bcdfgklmnprstvz", 1) + some(random, "aeiou", 1) + some(random, "bcdfgklmnprstvz", 2) + "o";
}
std::string usual_host(Random& random) {
  return lower_name(random) + any_of(random, Texts{".com", ".org", ".de", ".co.uk", ".com.br", "-x.net"});
}

TEST_F(PhraseLeaks, MailThatIsSpelledInASentence) {
  const Texts sent = {"please send it to ",
                      "Forward this to ",
                      "mail ",
                      "just email ",
                      "contact ",
                      "You can reach ",
                      "reply to ",
                      "Escribe a ",
                      "Schreib an ",
                      "\xc3\x89"
                      "cris \xc3\xa0 ",
                      "invia una copia a ",
                      "stuur het naar ",
                      "wy\xc5\x9blij to do ",
                      "skicka det till ",
                      "ask "};
  expect_gone_from(2000, sent, [](Random& random) {
    return lower_name(random) + any_of(random, Texts{" at ", " @ "}) + usual_host(random);
  });
  expect_gone_from(2000, {"", "it was ", "Login ", "user ", "assigned: "}, [](Random& random) {
    if (random() % 4 == 0) return "<" + lower_name(random) + " at " + usual_host(random) + ">";
    return lower_name(random) + any_of(random, Texts{".", "_"}) + lower_name(random) + " at " + usual_host(random);
  });
  const Texts providers = {"gmail.com", "outlook.de", "yahoo.co.uk", "proton.me", "web.de", "mail.ru", "orange.fr"};
  expect_gone_from(1000, {"", "it was ", "Login ", "user ", "assigned: "}, [&](Random& random) {
    std::string host = any_of(random, providers);
    if (host == "web.de" || host == "proton.me") host = "gmail.com";
    return lower_name(random) + any_of(random, Texts{" at ", " @ "}) + host;
  });
  expect_left({"available at example.com", "hosted at gmail.com", "we had lunch @ example.com",
               "see node.js at nodejs.org", "look at README.md at example.com", "The engineer @ example.com said",
               "docs at example.com/x", "send the form at example.com", "contact us at example.com",
               "Meet Bob at example.com", "sign up at outlook.com", "reached at example.com", "at any point in time",
               "see bits at this point in", "f(a).example"});
}

TEST_F(PhraseLeaks, MailWithASpelledSign) {
  const Texts signs = {
      "(at)",      " (at) ", " [ at ] ",       "( AT )",         "(@)", " (@) ", "[@]", "(a)", " (arroba) ",
      " arobase ", "{at}",   " [chiocciola] ", "\x28\xc3\xa4t)", "<at>"};
  const Texts dots = {".", " dot ", "(dot)", " [ dot ] ", " (punkt) ", " punto ", " (point) ", " [ponto] ", "[.]"};
  expect_all_gone(4000, {"", "mail ", "it is "}, [&](Random& random) {
    const std::string sign = any_of(random, signs);
    std::string dot = any_of(random, dots);
    if (sign == " arobase " && dot == ".") dot = " point ";
    if ((sign == "[@]" || sign == "(a)") && dot != "[.]") dot = ".";
    if (dot == "[.]" && sign.find('@') == sign.npos) dot = ".";
    return lower_name(random) + sign + lower_name(random) + dot + any_of(random, Texts{"com", "org", "de", "fr"});
  });
}

TEST_F(PhraseLeaks, MailInHexadecimal) {
  for (const std::string name :
       {"data-cfemail=\"", "data-cfemail='", "<a href=\"/cdn-cgi/l/email-protection#", "data-cfemail=\\\""}) {
    for (int i = 0; i < 300; ++i) {
      const std::string address = lower_name(random_) + "@" + usual_host(random_);
      const auto key = static_cast<unsigned>(random_() % 256);
      std::string hex;
      const auto add = [&](unsigned byte) {
        constexpr std::string_view kDigits = "0123456789abcdef";
        hex += kDigits[byte >> 4];
        hex += kDigits[byte & 15];
      };
      add(key);
      for (const char c : address) add(static_cast<unsigned char>(c) ^ key);
      expect_gone(name, hex, "\">[email&#160;protected]</a>");
      if (HasFatalFailure()) return;
    }
  }
  expect_left({"data-cfemail=\"0123456789abcdef01\"", "/cdn-cgi/l/email-protection"});
}

}  // namespace
}  // namespace glovebox::privacy
