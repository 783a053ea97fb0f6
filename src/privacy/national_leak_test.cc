// Numbers that states give to people: generated values of every kind that the detector knows, with checks of our own.
#include <set>

#include "privacy/leak_fixture.h"

namespace glovebox::privacy {
namespace {

unsigned digit_at(const std::string& text, std::size_t i) {
  return static_cast<unsigned>(text[i] - '0');
}

unsigned weighted_sum(const std::string& digits, const std::vector<unsigned>& weights) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * digit_at(digits, i);
  return sum;
}

unsigned number_of(const std::string& digits, std::size_t from, std::size_t count) {
  return static_cast<unsigned>(std::stoul(digits.substr(from, count)));
}

bool passes_luhn(const std::string& digits) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const unsigned digit = digit_at(digits, digits.size() - 1 - i);
    sum += i % 2 == 0 ? digit : digit * 2 / 10 + digit * 2 % 10;
  }
  return sum % 10 == 0;
}

// The dihedral group of the pentagon, without its tables.
bool passes_verhoeff(const std::string& digits) {
  constexpr unsigned kPermuted[] = {1, 5, 7, 6, 2, 8, 3, 0, 9, 4};
  unsigned product = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    unsigned digit = digit_at(digits, digits.size() - 1 - i);
    for (std::size_t n = 0; n < i % 8; ++n) digit = kPermuted[digit];
    const bool turned = product >= 5;
    const unsigned place = turned ? (product + 5 - digit % 5) % 5 : (product + digit) % 5;
    product = place + (turned != (digit >= 5) ? 5 : 0);
  }
  return product == 0;
}

// The beginning with the check digits with which it passes; empty if there are none.
std::string completed(const std::string& begin, int checks, bool (*passes)(const std::string&)) {
  const unsigned most = checks == 1 ? 10 : 100;
  for (unsigned check = 0; check < most; ++check) {
    std::string end = std::to_string(check);
    while (end.size() < static_cast<std::size_t>(checks)) end.insert(0, "0");
    if (passes(begin + end)) return begin + end;
  }
  return {};
}

std::string birth(Random& random) {
  return two_digits(random, 40, 99) + two_digits(random, 1, 12) + two_digits(random, 1, 28);
}

bool is_cpf(const std::string& d) {
  return weighted_sum(d, {10, 9, 8, 7, 6, 5, 4, 3, 2}) * 10 % 11 % 10 == digit_at(d, 9) &&
         weighted_sum(d, {11, 10, 9, 8, 7, 6, 5, 4, 3, 2}) * 10 % 11 % 10 == digit_at(d, 10);
}
bool is_nhs(const std::string& d) {
  return weighted_sum(d, {10, 9, 8, 7, 6, 5, 4, 3, 2, 1}) % 11 == 0;
}
bool is_nir(const std::string& d) {
  return 97 - std::stoull(d.substr(0, 13)) % 97 == number_of(d, 13, 2);
}
bool is_rrn(const std::string& d) {
  return (11 - weighted_sum(d, {2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5}) % 11) % 10 == digit_at(d, 12);
}
bool is_pesel(const std::string& d) {
  return weighted_sum(d, {1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1}) % 10 == 0;
}
bool is_kimlik(const std::string& d) {
  const unsigned odd = weighted_sum(d, {1, 0, 1, 0, 1, 0, 1, 0, 1});
  const unsigned even = weighted_sum(d, {0, 1, 0, 1, 0, 1, 0, 1});
  return (7 * odd + 9 * even) % 10 == digit_at(d, 9) && (odd + even + digit_at(d, 9)) % 10 == digit_at(d, 10);
}
bool is_fodselsnummer(const std::string& d) {
  return weighted_sum(d, {3, 7, 6, 1, 8, 9, 4, 5, 2, 1}) % 11 == 0 &&
         weighted_sum(d, {5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1}) % 11 == 0;
}
bool is_rijksregister(const std::string& d) {
  return 97 - number_of(d, 0, 9) % 97 == number_of(d, 9, 2);
}
bool is_steuer_id(const std::string& d) {
  unsigned product = 10;
  for (std::size_t i = 0; i < 10; ++i) {
    const unsigned sum = (digit_at(d, i) + product) % 10;
    product = 2 * (sum == 0 ? 10 : sum) % 11;
  }
  return (product + digit_at(d, 10)) % 10 == 1;
}
bool is_bsn(const std::string& d) {
  return (weighted_sum(d, {9, 8, 7, 6, 5, 4, 3, 2}) + 10 * digit_at(d, 8)) % 11 == 0;
}
bool is_tfn(const std::string& d) {
  return weighted_sum(d, {1, 4, 3, 7, 5, 8, 6, 9, 10}) % 11 == 0;
}

struct Kind {
  std::string_view name;
  bool alone;  // with its separator, or its letters, it needs no word before it
  Texts words;
  std::vector<std::size_t> groups;
  std::string separator;
  std::string (*make)(Random&);
};

const std::vector<Kind> kKinds = {
    {"br-cpf",
     true,
     {"CPF ", "cpf: "},
     {3, 3, 5},
     ".",
     [](Random& random) { return completed(number_between(random, 100000000, 999999999), 2, is_cpf); }},
    {"in-aadhaar",
     true,
     {"Aadhaar ", "aadhaar_no="},
     {4, 4, 4},
     " ",
     [](Random& random) { return completed(some(random, "23456789", 1) + digits_of(random, 10), 1, passes_verhoeff); }},
    {"fr-nir",
     true,
     {"NIR ",
      "n\xc2\xb0 s\xc3\xa9"
      "cu : "},
     {1, 2, 2, 2, 3, 3, 2},
     " ",
     [](Random& random) {
       return completed(some(random, "12", 1) + two_digits(random, 30, 99) + two_digits(random, 1, 12) +
                            two_digits(random, 1, 95) + digits_of(random, 6),
                        2, is_nir);
     }},
    {"kr-rrn",
     true,
     {"RRN ", "resident number "},
     {6, 7},
     "-",
     [](Random& random) {
       return completed(birth(random) + some(random, "1234", 1) + digits_of(random, 5), 1, is_rrn);
     }},
    {"za-id",
     false,
     {"ID number ", "national id: "},
     {13},
     "",
     [](Random& random) {
       return completed(birth(random) + digits_of(random, 4) + some(random, "01", 1) + "8", 1, passes_luhn);
     }},
    {"se-personnummer",
     false,
     {"personnummer ", "Personnummer: "},
     {6, 4},
     "-",
     [](Random& random) { return completed(birth(random) + digits_of(random, 3), 1, passes_luhn); }},
    {"ca-sin",
     false,
     {"SIN ", "social insurance number: "},
     {3, 3, 3},
     "-",
     [](Random& random) { return completed(some(random, "1245679", 1) + digits_of(random, 7), 1, passes_luhn); }},
    {"uk-nhs",
     false,
     {"NHS number ", "nhs: "},
     {3, 3, 4},
     " ",
     [](Random& random) { return completed(number_between(random, 400000000, 499999999), 1, is_nhs); }},
    {"pl-pesel",
     false,
     {"PESEL ", "pesel: "},
     {11},
     "",
     [](Random& random) { return completed(birth(random) + digits_of(random, 4), 1, is_pesel); }},
    {"tr-kimlik",
     false,
     {"T.C. Kimlik No: ", "kimlik "},
     {11},
     "",
     [](Random& random) { return completed(number_between(random, 100000000, 999999999), 2, is_kimlik); }},
    {"no-fodselsnummer",
     false,
     {"national id ", "id: "},
     {6, 5},
     " ",
     [](Random& random) {
       return completed(two_digits(random, 1, 28) + two_digits(random, 1, 12) + digits_of(random, 5), 2,
                        is_fodselsnummer);
     }},
    {"be-rijksregister",
     false,
     {"national number, id ", "identity: "},
     {11},
     "",
     [](Random& random) { return completed(birth(random) + digits_of(random, 3), 2, is_rijksregister); }},
    {"de-steuer-id",
     false,
     {"Steuer-ID ", "steuerid="},
     {2, 3, 3, 3},
     " ",
     [](Random& random) { return completed(some(random, "123456789", 1) + digits_of(random, 9), 1, is_steuer_id); }},
    {"nl-bsn",
     false,
     {"BSN ", "burgerservicenummer: "},
     {9},
     "",
     [](Random& random) { return completed(number_between(random, 10000000, 99999999), 1, is_bsn); }},
    {"au-tfn",
     false,
     {"TFN ", "tfn: "},
     {3, 3, 3},
     " ",
     [](Random& random) { return completed(number_between(random, 10000000, 99999999), 1, is_tfn); }},
    {"es-dni",
     true,
     {"DNI ", "dni: ", "\"nif\": "},
     {9},
     "",
     [](Random& random) {
       const std::string number = number_between(random, 10000000, 99999999);
       return number + "TRWAGMYFPDXBNJZSQVHLCKE"[std::stoul(number) % 23];
     }},
    {"es-dni",
     true,
     {"NIE "},
     {9},
     "",
     [](Random& random) {
       const std::string number = some(random, "012", 1) + digits_of(random, 7);
       return "XYZ"[digit_at(number, 0)] + number.substr(1) + "TRWAGMYFPDXBNJZSQVHLCKE"[std::stoul(number) % 23];
     }},
    {"it-codice-fiscale",
     true,
     {"codice fiscale: "},
     {16},
     "",
     [](Random& random) {
       // The value of a letter or digit at an odd place, counted from one.
       constexpr unsigned kOdd[] = {1,  0,  5, 7, 9, 13, 15, 17, 19, 21, 2,  4,  18,
                                    20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23};
       const std::string letters = "BCDFGLMNPRSTVZ";
       const std::string code = some(random, letters, 6) + two_digits(random, 30, 99) +
                                some(random, "ABCDEHLMPRST", 1) + two_digits(random, 1, 28) + some(random, letters, 1) +
                                digits_of(random, 3);
       unsigned sum = 0;
       for (std::size_t i = 0; i < code.size(); ++i) {
         const auto place = static_cast<unsigned>(code[i] < 'A' ? code[i] - '0' : code[i] - 'A');
         sum += i % 2 == 0 ? kOdd[place] : place;
       }
       return code + static_cast<char>('A' + sum % 26);
     }},
    {"cn-resident",
     true,
     {"ID "},
     {18},
     "",
     [](Random& random) {
       std::string number = number_between(random, 110101, 659001) + "19" + birth(random) + digits_of(random, 3);
       return number + "10X98765432"[weighted_sum(number, {7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2}) % 11];
     }},
    {"sg-nric",
     false,
     {"NRIC ", "identity card "},
     {9},
     "",
     [](Random& random) {
       const std::string number = digits_of(random, 7);
       const bool later = random() % 2 == 0;
       const unsigned sum = weighted_sum(number, {2, 7, 6, 5, 4, 3, 2}) + (later ? 4 : 0);
       return (later ? "T" : "S") + number + "JZIHGFEDCBA"[sum % 11];
     }},
    {"uk-nino",
     true,
     {"NI number ", "National Insurance: ", "nino="},
     {2, 2, 2, 2, 1},
     " ",
     [](Random& random) {
       return some(random, "ABCEHJLM", 1) + some(random, "ABCEHJL", 1) + digits_of(random, 6) + some(random, "ABCD", 1);
     }},
};

class NationalLeaks : public EntityLeaks {};

TEST_F(NationalLeaks, OfEveryKind) {
  for (const Kind& kind : kKinds) {
    std::set<std::string_view> seen;
    const auto make = [&](Random& random) {
      std::string number;
      while (number.empty()) number = kind.make(random);
      return number;
    };
    expect_all_gone(300, kind.words, [&](Random& random) {
      std::string number = make(random);
      const auto found = Detector().scan(kind.words.back() + number);
      if (!found.empty()) seen.insert(found.front().kind);
      if (random() % 2 || kind.groups.size() == 1) return random() % 3 == 0 ? lower(number) : number;
      return in_groups(number, kind.groups, any_of(random, kNarrowSeparators));
    });
    if (HasFatalFailure()) FAIL() << kind.name;
    EXPECT_TRUE(seen.contains(kind.name)) << kind.name;
    if (!kind.alone) continue;
    expect_all_gone(200, {"", "about "}, [&](Random& random) {
      std::string number = in_groups(make(random), kind.groups, kind.separator);
      if (kind.name == "br-cpf") number.insert(number.size() - 2, "-");
      return number;
    });
    if (HasFatalFailure()) FAIL() << kind.name << " alone";
  }
}

// Of these the letters count: some are never issued.
TEST_F(NationalLeaks, InsuranceNumbers) {
  expect_all_gone(1000, {"NI number ", "National Insurance: ", "nino=", "\"nino\": "}, [](Random& random) {
    std::string number =
        some(random, "ABCEHJKLM", 1) + some(random, "ABCEHJL", 1) + digits_of(random, 6) + some(random, "ABCD", 1);
    number = any_of(random, Texts{number, in_groups(number, {2, 2, 2, 2, 1}, any_of(random, kNarrowSeparators)),
                                  in_groups(number, {2, 6, 1}, " ")});
    return random() % 3 == 0 ? lower(number) : number;
  });
}

}  // namespace
}  // namespace glovebox::privacy
