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
                      "drop a line to ",
                      "stuur het naar ",
                      "wy\xc5\x9blij to do ",
                      "skicka det till ",
                      "ask "};
  expect_gone_from(2000, sent, [](Random& random) {
    return lower_name(random) + any_of(random, Texts{" at ", " @ "}) + usual_host(random);
  });
  expect_gone("mail me: ", "bob dot miller at example dot com", " please");
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

// Letters with digits or a mark, as people make them up.
std::string made_up_password(Random& random) {
  std::string word = lower_name(random) + some(random, "bdfgklmn", 1);
  if (random() % 2) word = upper(word.substr(0, 1)) + word.substr(1);
  return word + any_of(random, Texts{"", "!", "_x", "$", "#"}) + some(random, "23456789", 2) +
         some(random, "0123456789", random() % 3);
}

// What it is for stands between the name and the value.
TEST_F(PhraseLeaks, PasswordsBehindWhatTheyAreFor) {
  const Texts phrases = {"the password for the wifi is ",
                         "The password to our guest network is: ",
                         "Password of the second account: ",
                         "the new password for bob's laptop is ",
                         "das Passwort f\xc3\xbcr das WLAN ist ",
                         "Das WLAN-Passwort im B\xc3\xbcro lautet ",
                         "Passwort vom Router: ",
                         "Kennwort zum Archiv: ",
                         "le mot de passe du wifi est ",
                         "Le mot de passe de l'imprimante est ",
                         "mot de passe pour le serveur : ",
                         "la contrase\xc3\xb1"
                         "a del wifi es ",
                         "la clave de la red es ",
                         "contrase\xc3\xb1"
                         "a para el correo: ",
                         "la password del wifi \xc3\xa8 ",
                         "password della rete: ",
                         "a senha do wifi \xc3\xa9 ",
                         "a senha da conta nova \xc3\xa9: ",
                         "het wachtwoord van de wifi is ",
                         "wachtwoord voor het netwerk: ",
                         "has\xc5\x82o do wifi to ",
                         "has\xc5\x82o do poczty: ",
                         "l\xc3\xb6senordet till wifi \xc3\xa4r ",
                         "adgangskoden til netv\xc3\xa6rket er ",
                         "passordet til ruteren er ",
                         "\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c \xd0\xbe\xd1\x82 "
                         "\xd0\xb2\xd0\xb0\xd0\xb9\xd1\x84\xd0\xb0\xd1\x8f ",
                         "\xd0\x9f\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c \xd0\xb4\xd0\xbb\xd1\x8f "
                         "\xd1\x81\xd0\xb5\xd1\x80\xd0\xb2\xd0\xb5\xd1\x80\xd0\xb0: ",
                         "wifi \xc5\x9fifresi: ",
                         "A\xc4\x9f\xc4\xb1n \xc5\x9fifresi "};
  for (int i = 0; i < 3000; ++i) {
    const std::string phrase = any_of(random_, phrases);
    // With nothing that states it, the value must look like nothing else.
    const bool bare = phrase.ends_with("\xd1\x8f ") || phrase.ends_with("resi ");
    const std::string value = bare ? "Kx" + digits_of(random_, 3) + "!pQ" : made_up_password(random_);
    const auto [open, close] = any_of(random_, Around{{"", ""},
                                                      {"\"", "\""},
                                                      {"'", "'"},
                                                      {"", "\n"},
                                                      {"", " thanks"},
                                                      {"\xe2\x80\x9c", "\xe2\x80\x9d"},
                                                      {"\xc2\xab\xc2\xa0", "\xc2\xa0\xc2\xbb"}});
    expect_gone(phrase + open, value, close);
    if (HasFatalFailure()) return;
  }
  expect_left({"the password for the account on host2 is set by an administrator",
               "the password of user alice2 is required", "password hash algorithm: sha256crypt",
               "passwords for the following accounts: admin1 and admin2", "le mot de passe du compte est obligatoire",
               "das Passwort f\xc3\xbcr das Konto ist falsch", "la clave es que funciona con python3 siempre",
               "a senha do wifi \xc3\xa9 fraca", "clave: valor1", "has\xc5\x82o do konta to podstawa"});
}

// In tables, and with tags around the name or the value.
TEST_F(PhraseLeaks, PasswordsInTablesAndTags) {
  const Around places = {{"<td>Password</td><td>", "</td>"},
                         {"<tr><th>Passwort</th>\n <td>", "</td></tr>"},
                         {"<dt>Password</dt><dd>", "</dd>"},
                         {"<b>Password:</b> ", "<br>"},
                         {"<strong>Password</strong>: ", "</p>"},
                         {"password: <code>", "</code>"},
                         {"Password: <b class=\"x\">", "</b>"},
                         {"contrase\xc3\xb1"
                          "a: <b>",
                          "</b>"},
                         {"| Password | ", " |"},
                         {"|password|", "|"},
                         {"password\t", "\tx"},
                         {"Password -> ", "\n"}};
  for (int i = 0; i < 1000; ++i) {
    const auto& [before, behind] = places[random_() % places.size()];
    expect_gone(
        before,
        lower_name(random_) + some(random_, "bdfg", 1) + digits_of(random_, 2) + any_of(random_, Texts{"", "!"}),
        behind);
    if (HasFatalFailure()) return;
  }
  expect_left({"<td>Password</td><td>Required</td>", "password: <token>", "<th>password</th><td>sha256</td>",
               "| password | string | user1 |", "List<Password> list12", "Password: <b>required</b>"});
}

std::string common_word(Random& random) {
  return any_of(random, Texts{"swordfish", "dragon", "letmein", "monkey", "sunshine", "trustnoone", "Geheimnis",
                              "soleil", "princesa", "qwertz", "iloveyou", "superman"}) +
         any_of(random, Texts{"", "forever", "blau"});
}

// A header names the column.
TEST_F(PhraseLeaks, PasswordsInColumns) {
  for (int i = 0; i < 500; ++i) {
    const std::string separator = any_of(random_, Texts{",", ";", "\t", "|", " | ", ", "});
    const std::string quote = any_of(random_, Texts{"", "\""});
    const std::size_t column = random_() % 3;
    std::string table;
    Texts passwords;
    for (int line = 0; line < 5; ++line) {
      for (std::size_t field = 0; field < 3; ++field) {
        std::string value = line == 0 ? Texts{"user", "team", "city"}[field] : lower_name(random_);
        if (field == column) {
          value = line == 0       ? any_of(random_, Texts{"password", "DB_PASSWORD", "user password", "Passwort"})
                  : random_() % 2 ? made_up_password(random_)
                                  : "sword" + lower_name(random_);
          if (line > 0) passwords.push_back(value);
        }
        table += (field > 0 ? separator : "") + quote + value + quote;
      }
      table += "\n";
    }
    const std::string filtered = filter_.text(table).text;
    for (const std::string& password : passwords) ASSERT_EQ(filtered.find(password), filtered.npos) << filtered;
    ASSERT_EQ(std::count(filtered.begin(), filtered.end(), '<'), 4) << table << filtered;
  }
  expect_gone("INSERT INTO users (login, password) VALUES ('bob', '", "swordfish", "');");
  expect_gone("insert into x(password,id) values ('a',1),('", "Tr0ub4dor", "',2);");
  expect_left({"user,password\nbob,required\n", "login, password, and the rest\n", "email,phone,password",
               "f(user, password)", "a,password\nb,c,d1e2f3g4\n", "required: [email, password]\nx: y7z8a9b0"});
}

// Behind an assignment a password may be a word like any other.
TEST_F(PhraseLeaks, PasswordsThatAreWords) {
  const std::vector<std::pair<Texts, Texts>> places = {
      {{"{\"user\": \"bob\", \"password\": \"", "password = \"", "$db_password = '", "PASSWORD='", "pwd: \"",
        "\"passwd\":\""},
       {"\"}", "\"\n", "'"}},
      {{"password=", "POSTGRES_PASSWORD=", "export DB_PASSWORD=", "spring.datasource.password=", "Passwort=",
        "?user=bob&password=", "db_passwd=", "mysql.pwd="},
       {"", "\n", "\r\n", "&x=1", " host=db"}},
      {{"password: ", "  password: ", "Passwort: ",
        "contrase\xc3\xb1"
        "a: ",
        "mot de passe : ", "password = "},
       {"", "\n"}},
      {{"Server=db;Uid=sa;Pwd=", "host=db;password="}, {";", ";Timeout=3"}},
      {{"machine h login bob password ", "login bob password ", "tool --password ",
        "tool --password=", "tool --db-password ", "sshpass -p ", "mysql -u root -p", "redis-cli -a ", "curl -u bob:"},
       {"", "\n", " -x", " host"}},
  };
  for (int i = 0; i < 3000; ++i) {
    const auto& [names, ends] = places[random_() % places.size()];
    const std::string name = any_of(random_, names);
    std::string end = any_of(random_, ends);
    if (const char quote = name.back(); quote == '"' || quote == '\'') end = quote + end.substr(1);
    if (name.find("&password") != name.npos && end == " host=db") end = " HTTP/1.1";
    expect_gone(name, common_word(random_), end);
    if (HasFatalFailure()) return;
  }
  for (const std::string word : {"Tr0ub4dor&3", "kx72mq", "falcon62maple"})
    for (const auto& [name, end] : Around{{"docker login -u bob -p ", " x.example"},
                                          {"7z x a.7z -p", ""},
                                          {"ldapsearch -D cn=admin -w ", " -b dc=x"},
                                          {"smbclient //nas/x -U 'bob%", "'"},
                                          {"<add key=\"AdminPassword\" value=\"", "\" />"},
                                          {"{\"name\":\"DB_PASSWORD\",\"value\":\"", "\"}"},
                                          {"- name: DB_PASSWORD\n  value: ", "\n"},
                                          {"<wsse:Password Type=\"x#PasswordText\">", "</wsse:Password>"},
                                          {"CREATE USER 'app' IDENTIFIED BY '", "';"},
                                          {"ALTER USER bob WITH PASSWORD '", "';"},
                                          {"user.setPassword(\"", "\");"},
                                          {"SMTP_PASS=", "\n"},
                                          {"<Parameter name=\"password\">", "</Parameter>"},
                                          {"curl --user 'bob:", "' https://x"},
                                          {"كلمة المرور: ", ""},
                                          {"סיסמה: ", "\n"},
                                          {"<password>", "</password>"},
                                          {"creds are admin / ", ""}})
      expect_gone(name, word, end);
  for (const std::string word : {"Tr0ub4dor&3", "falcon62maple", "neve-kawa24"})
    for (const std::string name :
         {"WLAN-Schl\xc3\xbcssel: ", "wifi: CasaVerde / ", "user bob, pwd ", "the wifi is ", "le code wifi c'est ",
          "passwort ist jetzt ",
          "La contrase\xc3\xb1"
          "a nueva es ",
          "temp password for bob is ", "Het wachtwoord is gewijzigd naar ", "votre mot de passe provisoire : "})
      expect_gone(name, word, "");
  expect_left({"the method identified by `algorithm`",
               "pass force_zip64 to use it",
               "#define KEY_WLAN 0x1008FF95",
               "pw = pw[:-1]",
               "\"password\": \"Passwort eingeben\"",
               "password auth-sha256",
               "docker run -p 8080:80",
               "{\"name\":\"password\",\"value\":\"required\"}",
               "call stack size 1048576",
               "cards 4 4 4 4 1 1 1 1 2 2 2 2 3 3 3 3 9 9",
               "password: string",
               "password: string;",
               "password=PASSWORD",
               "password = password",
               "password=None",
               "\"password\": \"Wachtwoord\"",
               "\"password\": \"required\"",
               "passwd:         files systemd",
               "connect(password=value, user=name)",
               "--password option is",
               "--password and --user",
               "--password PASSWORD",
               "\"password\": \"userPassword\"",
               "password: enter a word",
               "forgotPassword=recover",
               "pass=through",
               "password=${pw}",
               "--password string   the password",
               "\"type\": \"password\"",
               "password = input",
               "const password = options.password",
               "password: z.string()",
               "Password: required",
               "password: hidden"});
}

TEST_F(PhraseLeaks, WhatOthersWroteThatLeft) {
  expect_gone("Tu clave temporal es ", "zMqVBtHcU7x", ", ok");
  expect_gone("am ", "26. Juli 1944", " geboren");
  expect_gone("Nasci em ", "8 de fevereiro de 1945", " em Lisboa");
  expect_gone("{\"pwd\":\"", "sonnesonne", "\"}");
  expect_left({"Redis server v=16.19.14.123 sha=0", "card ids: 4723, 7147, 5798, 6595, 9685",
               "the password policy is applyPolicy2", "Le 12 mai 2020 ne compte pas"});
}

TEST_F(PhraseLeaks, PasswordsThatNothingStates) {
  expect_gone_from(500, {"user bob password ", "login with password ", "username bob, passwd ", "Passwort "},
                   [](Random& random) { return lower_name(random) + some(random, "bdfg", 1) + digits_of(random, 2); });
  expect_left({"a password sha512 hash", "password base64 text", "password argon2id", "password user1"});
}

// A star is born, as genealogists write, except at the beginning of a line, where it is an item of a list.
TEST_F(PhraseLeaks, DatesBehindAStar) {
  expect_gone_from(500, {"Anna Muster, * ", "Anna Muster (* ", "Anna Muster (*", "Karl * ", "Dr. Karl Muster, *"},
                   [](Random& random) {
                     const std::string day = number_between(random, 1, 28);
                     const std::string year = number_between(random, 1920, 2015);
                     return any_of(random,
                                   Texts{day + "." + number_between(random, 1, 12) + "." + year,
                                         day + ". M\xc3\xa4rz " + year, day + " May " + year,
                                         year + "-" + two_digits(random, 1, 12) + "-" + two_digits(random, 1, 28)});
                   });
  expect_left({"* 12.5.1980", "x\n * 12.5.1980: released", "- * 12.5.1980", "0 * * 12.5.1980", "2 * 12.5.1980",
               "released **12.5.1980**"});
}

// Behind the name of something, four small numbers are its version.
TEST_F(PhraseLeaks, VersionsOfFourNumbers) {
  for (int i = 0; i < 2000; ++i) {
    const std::string version = number_between(random_, 0, 29) + "." + number_between(random_, 0, 39) + "." +
                                number_between(random_, 0, 39) + "." + number_between(random_, 0, 255);
    if (version.starts_with("10.")) continue;
    const std::string name =
        any_of(random_, Texts{"Git ", "PostgreSQL ", "libfoo-", "foo_", "installed foobar ", "\"prettier\": \"",
                              "foo=", "Foo.Bar, Version=", "<Version>", "FileVersion: ", "wersja ", "versi\xc3\xb3n ",
                              "apt install foo=", "pkg@", "Microsoft.Foo.", "AssemblyVersion(\""});
    const std::string text = name + version + any_of(random_, Texts{"", " is out", "\"", ")", "_amd64.deb", ".zip"});
    EXPECT_EQ(filter_.text(text).text, text);
  }
  // Addresses of the same numbers, where something says so.
  expect_all_gone(1000, {"from ", "host: ", "ping ", "ssh root@", "\"ip\": ", "server=", "client ", "addr "},
                  [](Random& random) {
                    return number_between(random, 1, 29) + "." + number_between(random, 0, 39) + "." +
                           number_between(random, 0, 39) + "." + number_between(random, 10, 255);
                  });
  // Whatever is before it: others, and those with a port or a net.
  for (int i = 0; i < 1000; ++i) {
    const std::string name = any_of(random_, Texts{"", "blocked ", "foo ", "Git ", "node "});
    const std::string end = "." + number_between(random_, 11, 255);
    expect_gone(name, number_between(random_, 130, 223) + "." + number_between(random_, 40, 255) + ".41" + end, "");
    expect_gone(name, number_between(random_, 2, 9) + ".12.13" + end, any_of(random_, Texts{":443", "/16"}));
    if (HasFatalFailure()) return;
  }
}

TEST_F(PhraseLeaks, TelephonesInArabicTexts) {
  const Texts names = {"اتصل على ",         "رقم الجوال: ", "جوالي ",   "رقمي ",     "تواصل معي واتساب ", "الهاتف ",
                       "ابعتلي رسالة على ", "للتواصل: ",    "موبايلي ", "شماره من ", "הטלפון שלי "};
  for (int i = 0; i < 1000; ++i) {
    const std::string first = any_of(random_, Texts{"05", "01", "09"}) + some(random_, "0456", 1);
    std::string number =
        any_of(random_, Texts{first + digits_of(random_, 7), first + any_of(random_, Texts{" ", "-"}) +
                                                                 digits_of(random_, 3) + " " + digits_of(random_, 4)});
    if (number.ends_with("00000") || number.starts_with("094")) continue;
    if (random_() % 2) {
      std::string other;
      for (const char c : number)
        other += c >= '0' && c <= '9' ? std::string("\xd9") + static_cast<char>(0xa0 + c - '0') : std::string(1, c);
      number = other;
    }
    const std::string filtered = filter_.text(any_of(random_, names) + number + " غدا").text;
    ASSERT_NE(filtered.find("<PHONE> "), std::string::npos) << filtered;
  }
  expect_left({"رقم الطلب 0501234567", "الفاتورة ٠٥٠١٢٣٤٥٦٧", "بسعر 501234567"});
}

// In a form's data + is a space; between whole numbers it is neither.
TEST_F(PhraseLeaks, TelephonesWithPluses) {
  expect_all_gone(500, {"phone=", "?tel=", "call ", "mobile="}, [](Random& random) {
    return number_between(random, 201, 989) + "+" + number_between(random, 201, 989) + "+" + digits_of(random, 4);
  });
  expect_all_gone(300, {"tel ", "phones: "}, [](Random& random) {
    const auto one = [&] { return "030" + some(random, "3456789", 2) + digits_of(random, 5); };
    return one() + "+" + one();
  });
  expect_left({"12345678+87654321", "sum 4155550132+4155550133", "total=415+555+1320"});
}

TEST_F(PhraseLeaks, NumbersOfPartsAreNoTelephones) {
  for (const std::string name : {"part number ", "Part No. ", "P/N ", "SKU: ", "item ", "Catalog no. ", "model ",
                                 "S/N: ", "Teilenummer ", "serial number "}) {
    const std::string part = name + number_between(random_, 201, 989) + "-555-" + digits_of(random_, 4);
    EXPECT_EQ(filter_.text(part).text, part);
    EXPECT_NE(filter_.text("Need a spare " + name + "? Call " + part.substr(name.size())).text.find("<PHONE>"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace glovebox::privacy
