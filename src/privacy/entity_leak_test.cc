// For each entity: generated values, in any grouping, with any separator, quotes, case and name before them. Nothing of
// a value is left, and nothing else is removed. National numbers are in national_leak_test.cc.
#include <nettle/sha2.h>

#include "privacy/leak_fixture.h"

namespace glovebox::privacy {
namespace {

TEST_F(EntityLeaks, Mail) {
  const Texts hosts = {"example.com", "mail.example.co.uk", "x-y.example.org", "EXAMPLE.NET"};
  const Texts signs = {"@",      "%40",  "&#64;",  "&#x40;", "&commat;", "\\u0040", "\xef\xbc\xa0",
                       " (at) ", "[at]", " [AT] ", "(at)",   "{at}"};
  expect_all_gone(4000, {"", "mail: ", "an ", "\"email\": ", "To=", "E-Mail-Adresse "}, [&](Random& random) {
    std::string name = some(random, "abcdefghijklmnopqrstuvwxyz", 3 + random() % 8);
    if (random() % 2) name += any_of(random, Texts{".", "_", "-", "+"}) + some(random, "abcxyz0189", 4);
    std::string address = name + any_of(random, signs) + any_of(random, hosts);
    return random() % 4 == 0 && address.find('\\') == std::string::npos && address.find('&') == std::string::npos
               ? upper(address)
               : address;
  });
  expect_all_gone(300, {"", "mail: "}, [&](Random& random) {
    return some(random, "abcdefgh", 6) + any_of(random, Texts{" at ", "[at]", " (at) "}) + some(random, "klmnop", 5) +
           any_of(random, Texts{" dot ", " [dot] ", "(dot)", " DOT "}) + any_of(random, Texts{"com", "org", "de"});
  });
}

TEST_F(EntityLeaks, Iban) {
  struct Country {
    std::string code;
    std::string bank;  // letters at the beginning of its numbers
    std::size_t digits;
  };
  const std::vector<Country> countries = {{"DE", "", 18}, {"GB", "WEST", 14}, {"NL", "ABNA", 10}, {"NO", "", 11},
                                          {"PL", "", 24}, {"FR", "", 23},     {"ES", "", 20},     {"CH", "", 17}};
  expect_all_gone(3000, {"", "IBAN ", "iban: ", "\"konto\":", "to "}, [&](Random& random) {
    const Country country = any_of(random, countries);
    const std::string account = country.bank + digits_of(random, country.digits);
    int rest = 0;
    for (const char c : account + country.code + "00") {
      const int value = c >= 'A' ? c - 'A' + 10 : c - '0';
      rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
    }
    const int check = 98 - rest;
    const std::string iban = country.code + (check < 10 ? "0" : "") + std::to_string(check) + account;
    const std::size_t size = any_of(random, std::vector<std::size_t>{4, 4, 4, 2, 5, 40});
    std::string text;
    for (std::size_t at = 0; at < iban.size(); at += size)
      text += (at > 0 ? any_of(random, Texts{" "}) : "") + iban.substr(at, size);
    return random() % 3 == 0 ? lower(text) : text;
  });
}

TEST_F(EntityLeaks, SocialSecurityNumbers) {
  expect_all_gone(
      2000, {"SSN ", "ssn: ", "Social Security Number: ", "\"ssn\": ", "SSN#", "social security "}, [](Random& random) {
        const std::string number =
            number_between(random, 101, 599) + two_digits(random, 1, 99) + number_between(random, 1000, 9999);
        return any_of(random, Texts{in_groups(number, {3, 2, 4}, any_of(random, kSeparators)), number});
      });
  expect_all_gone(500, {"", "it is "}, [](Random& random) {
    return number_between(random, 101, 599) + "-" + two_digits(random, 1, 99) + "-" +
           number_between(random, 1000, 9999);
  });
}

TEST_F(EntityLeaks, AddressesOfMachines) {
  expect_all_gone(2000, {"", "from ", "ip=", "host: ", "\"ip\": "}, [](Random& random) {
    const auto octet = [&] { return number_between(random, 11, 254); };
    const std::string first = number_between(random, 130, 223);
    return first + "." + octet() + "." + octet() + "." + octet();
  });
  expect_all_gone(1000, {"", "from ", "addr "}, [](Random& random) {
    const auto group = [&] { return some(random, "123456789abcdef", 1) + some(random, "0123456789abcdef", 3); };
    const std::string address =
        any_of(random, Texts{"2001:db8:" + group() + "::" + group(), "fe80::" + group() + ":" + group(),
                             "2a02:" + group() + ":" + group() + ":" + group() + ":" + group() + ":" + group() + ":" +
                                 group() + ":" + group()});
    return random() % 2 ? upper(address) : address;
  });
  expect_all_gone(1000, {"", "mac ", "ether "}, [](Random& random) {
    std::string address = "0" + some(random, "2468ace", 1);
    const std::string separator = any_of(random, Texts{":", "-"});
    for (int i = 0; i < 5; ++i) address += separator + some(random, "0123456789abcdef", 2);
    return random() % 2 ? upper(address) : address;
  });
  expect_all_gone(1000, {"", "mac ", "ether "}, [](Random& random) {
    const std::string first = any_of(random, Texts{digits_of(random, 4), "0" + some(random, "0123456789abcdef", 3)});
    const std::string address = first + "." + some(random, "0123456789abcdef", 4) + "." +
                                some(random, "0123456789abcdef", 2) + some(random, "abcdef", 1) + digits_of(random, 1);
    return random() % 2 ? upper(address) : address;
  });
}

TEST_F(EntityLeaks, DatesOfBirth) {
  const Texts names = {"born ",
                       "born on ",
                       "DOB: ",
                       "date of birth: ",
                       "\"birthDate\": ",
                       "birthday=",
                       "geboren am ",
                       "Geburtsdatum: ",
                       "née le ",
                       "né le ",
                       "date de naissance : ",
                       "nacido el ",
                       "Nacida el ",
                       "fecha de nacimiento: ",
                       "nato il ",
                       "nata il ",
                       "nascida em ",
                       "geboortedatum: ",
                       "urodzony ",
                       "född ",
                       "født ",
                       "родился ",
                       "дата рождения: ",
                       "doğum tarihi: "};
  const Texts months = {"March", "Mar",    "März",     "mars",        "marzo",
                        "août",  "august", "décembre", "de enero de", "fevereiro"};
  expect_all_gone(3000, names, [&](Random& random) {
    const std::string day = two_digits(random, 1, 28);
    const std::string month = two_digits(random, 1, 12);
    const std::string year = number_between(random, 1920, 2015);
    const std::string mark = any_of(random, Texts{"-", "/", "."});
    switch (random() % 4) {
      case 0: return year + "-" + month + "-" + day;
      case 1: return day + mark + month + mark + year;
      case 2: return day + " " + any_of(random, months) + " " + year;
      default: return day + ". " + any_of(random, Texts{"März", "Mai", "Oktober"}) + " " + year;
    }
  });
}

TEST_F(EntityLeaks, TelephonesThatAreCalledSo) {
  const Texts names = {"phone: ",
                       "Tel. ",
                       "Tél. : ",
                       "Telefon ",
                       "\"phoneNumber\": ",
                       "mobile=",
                       "WhatsApp ",
                       "whatsapp: ",
                       "móvil ",
                       "Celular: ",
                       "cellulare ",
                       "telefoon ",
                       "call me on ",
                       "Fax ",
                       "Handynr. / Handy: ",
                       "numer telefonu ",
                       "телефон ",
                       "电话：",
                       "電話番号: ",
                       "cep telefonu ",
                       "telemóvel ",
                       "Llámame al ",
                       "ruf mich an: Mobil ",
                       "contact_phone "};
  const std::vector<std::vector<std::size_t>> groups = {
      {3, 3, 4}, {2, 2, 2, 2, 2}, {4, 7},    {3, 2, 2, 2}, {3, 3, 3}, {4, 3, 3},   {5, 6},
      {10},      {3, 4, 4},       {2, 4, 4}, {4, 4},       {3, 2, 3}, {2, 3, 2, 2}};
  const Texts separators = {" ", "-", "\xc2\xa0", "\xe2\x80\x91", "/", "."};
  expect_all_gone(5000, names, [&](Random& random) {
    const auto sizes = any_of(random, groups);
    std::size_t count = 0;
    for (const std::size_t size : sizes) count += size;
    const std::string number =
        any_of(random, Texts{"0", "6", "7", "9"}) + some(random, "3456789", 2) + digits_of(random, count - 3);
    const std::string written = in_groups(number, sizes, any_of(random, separators));
    switch (random() % 4) {
      case 0: return "+49 " + in_groups("1" + some(random, "5678", 1) + digits_of(random, 8), {3, 7}, " ");
      case 1: return "+44 (0)20 " + number_between(random, 7000, 8999) + " " + digits_of(random, 4);
      default: return written;
    }
  });
}

TEST_F(EntityLeaks, Passwords) {
  const Texts names = {"password: ",
                       "Password=",
                       "Passwort: ",
                       "Kennwort: ",
                       "mot de passe : ",
                       "Mot de passe: ",
                       "contraseña: ",
                       "Contraseña = ",
                       "senha: ",
                       "wachtwoord: ",
                       "hasło: ",
                       "lösenord: ",
                       "adgangskode: ",
                       "heslo=",
                       "пароль: ",
                       "密码：",
                       "パスワード: ",
                       "DB_PASSWORD=",
                       "\"password\": ",
                       "passwd ",
                       "pwd=",
                       "the password is ",
                       "my password is ",
                       "Passwort ist ",
                       "mysql -u root -p",
                       "sshpass -p ",
                       "redis-cli -a ",
                       "DB_PASS=",
                       "smtp.pw=",
                       "passcode: ",
                       "La password è ",
                       "Lösenordet är ",
                       "the password for the wiki is ",
                       "--password ",
                       "machine x.example login bob password "};
  for (int i = 0; i < 3000; ++i) {
    const std::string word = some(random_, "abcdefghkmnpqrst", 5) + some(random_, "ABCDEFGH", 2) +
                             some(random_, "23456789", 3) +
                             any_of(random_, Texts{"", "!", "#x", "$y", "-z9", "&3", "?", "+/x"});
    const std::string name = any_of(random_, names);
    if (name == "passwd ") continue;
    const bool plain = name.find(" -") != std::string::npos || name.starts_with("--") || name.starts_with("machine");
    const auto [open, close] = any_of(random_, Around{{"", ""}, {"\"", "\""}, {"'", "'"}, {"", "\n"}, {"", " "}});
    if (plain && !open.empty()) continue;
    expect_gone(name + open, word, close);
    if (HasFatalFailure()) return;
  }
}

TEST_F(EntityLeaks, UrlCredentials) {
  const Texts names = {"postgres://", "DATABASE_URL=mysql://", "see https://", "amqp+ssl://", "\"url\":\"redis://"};
  for (int i = 0; i < 1000; ++i) {
    const std::string who = some(random_, "abcdef", 4) + ":" + some(random_, "abcdefXYZ0123456789!~*", 12);
    if (who.find(":*") != std::string::npos) continue;  // a placeholder for a password
    expect_gone(any_of(random_, names), who,
                any_of(random_, Texts{"@db", "@db.example.com/x", "@10.0.0.300:5432/x\""}));
    if (HasFatalFailure()) return;
  }
}

// With a checksum of its own: 0 is the version of a plain Bitcoin address.
std::string base58_wallet(Random& random) {
  constexpr std::string_view kAlphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  std::string bytes(1, '\0');
  bytes += static_cast<char>(1 + random() % 255);  // so that one leading zero becomes one 1
  while (bytes.size() < 21) bytes += static_cast<char>(random() % 256);
  std::string sum = bytes;
  for (int round = 0; round < 2; ++round) {
    sha256_ctx hash;
    sha256_init(&hash);
    sha256_update(&hash, sum.size(), reinterpret_cast<const std::uint8_t*>(sum.data()));
    sum.resize(SHA256_DIGEST_SIZE);
    sha256_digest(&hash, sum.size(), reinterpret_cast<std::uint8_t*>(sum.data()));
  }
  bytes += sum.substr(0, 4);
  std::vector<unsigned> digits;
  for (const char byte : bytes) {
    unsigned carry = static_cast<unsigned char>(byte);
    for (unsigned& digit : digits) {
      carry += digit * 256;
      digit = carry % 58;
      carry /= 58;
    }
    for (; carry > 0; carry /= 58) digits.push_back(carry % 58);
  }
  std::string text = "1";
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) text += kAlphabet[*digit];
  return text;
}

std::string bech32_wallet(Random& random, const std::string& prefix) {
  constexpr std::string_view kAlphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
  constexpr std::uint32_t kGenerator[] = {0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3};
  std::uint32_t sum = 1;
  const auto add = [&](std::uint32_t value) {
    const std::uint32_t top = sum >> 25;
    sum = (sum & 0x1ffffff) << 5 ^ value;
    for (std::uint32_t i = 0; i < 5; ++i) sum ^= (top >> i & 1) != 0 ? kGenerator[i] : 0;
  };
  for (const char c : prefix) add(static_cast<std::uint32_t>(c) >> 5);
  add(0);
  for (const char c : prefix) add(static_cast<std::uint32_t>(c) & 31);
  std::string text = prefix + "1";
  for (int i = 0; i < 33; ++i) {
    const std::uint32_t value = i == 0 ? 0 : random() % 32;
    add(value);
    text += kAlphabet[value];
  }
  for (int i = 0; i < 6; ++i) add(0);
  sum ^= 1;
  for (std::uint32_t i = 0; i < 6; ++i) text += kAlphabet[sum >> 5 * (5 - i) & 31];
  return text;
}

TEST_F(EntityLeaks, Wallets) {
  expect_all_gone(1500, {"", "pay to ", "\"address\": ", "wallet=", "BTC: "}, [](Random& random) {
    if (random() % 2) return base58_wallet(random);
    const std::string text = bech32_wallet(random, any_of(random, Texts{"bc", "tb", "ltc"}));
    return random() % 3 == 0 ? upper(text) : text;
  });
  // In a single case it has no checksum, and a word must name it.
  expect_all_gone(500, {"wallet: ", "my Ethereum address ", "ETH "}, [](Random& random) {
    const std::string text = some(random, "0123456789abcdef", 40);
    return "0x" + (random() % 2 ? upper(text) : text);
  });
}

class ChosenEntityLeaks : public EntityLeaks {
 protected:
  void choose(DetectorSettings settings) {
    filter_ = Filter(std::make_shared<Detector>(Detector::make(std::move(settings)).value()), nullptr, Mode::kTokenize);
  }
};

TEST_F(ChosenEntityLeaks, Hosts) {
  choose({every_entity(), {}, {}});
  expect_all_gone(1500, {"", "see ", "\"url\": ", "GET "}, [](Random& random) {
    std::string host = some(random, "abcdefghijklmnop", 4 + random() % 8);
    if (random() % 2) host = some(random, "abc0123xyz", 3) + "-x." + host;
    host += any_of(random, Texts{".com", ".co.uk", ".internal", ".example.org", ".IO"});
    return any_of(random, Texts{"http", "https", "wss", "HTTPS"}) + "://" + (random() % 4 == 0 ? upper(host) : host);
  });
}

TEST_F(ChosenEntityLeaks, PatternsOfTheOwner) {
  choose({usual_entities(), {}, {{"EMPLOYEE", "EMP-[0-9]{6}", ""}, {"PATIENT", "\\bP[0-9]{4}/[A-Z]{2}\\b", ""}}});
  expect_all_gone(1500, {"", "employee ", "\"who\": ", "id=", "für "}, [](Random& random) {
    if (random() % 2) return "P" + digits_of(random, 4) + "/" + some(random, "ABCXYZ", 2);
    return "EMP-" + digits_of(random, 6);
  });
}

}  // namespace
}  // namespace glovebox::privacy
