#include "privacy/rules/context_words.h"

#include <algorithm>
#include <array>
#include <span>

#include "privacy/characters.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kReachBefore = 56;
constexpr std::size_t kReachAfter = 14;

using Word = std::string_view;
constexpr Word kPhone[] = {
    "answering", "call",     "callback",  "called",     "calling", "calls",     "cell",    "cellphone", "cellular",
    "contact",   "desk",     "dial",      "dialed",     "fax",     "fon",       "handset", "handy",     "hotline",
    "landline",  "message",  "messages",  "mobil",      "mobile",  "movil",     "msisdn",  "office",    "phone",
    "phones",    "reach",    "reached",   "registered", "ring",    "signal",    "sms",     "tel",       "telefon",
    "telefone",  "telefono", "telephone", "texting",    "texts",   "voicemail", "whatsapp"};
constexpr Word kCard[] = {"amex",    "american",   "bancaria", "card",    "cardnumber", "cards", "carte", "cc",
                          "ccn",     "credit",     "debit",    "diners",  "discover",   "jcb",   "karte", "kreditkarte",
                          "maestro", "mastercard", "pan",      "payment", "tarjeta",    "visa"};
constexpr Word kSsn[] = {"security", "social", "socials", "ssn", "ssns", "taxpayer", "tin", "itin"};
constexpr Word kBirth[] = {"birth",        "birthdate",  "birthday",   "bday",      "born",    "dob",       "geboren",
                           "geburtsdatum", "geburtstag", "nacimiento", "naissance", "nascita", "nascimento"};
constexpr Word kNationalId[] = {"aadhaar",      "aadhar",
                                "bsn",          "burgerservicenummer",
                                "citizen",      "cpf",
                                "curp",         "dni",
                                "fiscal",       "fiscale",
                                "health",       "hetu",
                                "id",           "identification",
                                "identity",     "insee",
                                "insurance",    "kimlik",
                                "medicare",     "national",
                                "nhs",          "nie",
                                "nif",          "nino",
                                "nir",          "nric",
                                "personnummer", "pesel",
                                "resident",     "rrn",
                                "rut",          "secu",
                                "sin",          "social",
                                "steuer",       "tax",
                                "tfn"};
constexpr Word kWallet[] = {"address",  "bitcoin",  "btc",       "crypto", "erc20", "eth",   "ether",
                            "ethereum", "metamask", "recipient", "usdc",   "usdt",  "wallet"};
constexpr Word kAddress[] = {"addr",  "address", "client", "dns",   "from",   "gateway", "host",   "ip", "ipv4",
                             "login", "peer",    "ping",   "proxy", "remote", "server",  "subnet", "x"};
constexpr Word kVersion[] = {"build",   "firmware", "oid", "release", "rev",     "revision",
                             "section", "v",        "ver", "version", "versions"};
// Numbers that are something else. "id" is left out: it stands before everything.
constexpr Word kOther[] = {
    "account",   "amount",  "article",  "asin",      "barcode",  "batch",    "bestellnummer", "build",      "case",
    "commit",    "ean",     "gtin",     "imei",      "invoice",  "isbn",     "issn",          "item",       "license",
    "lot",       "model",   "order",    "orders",    "part",     "passport", "plate",         "population", "postal",
    "product",   "receipt", "ref",      "reference", "revision", "serial",   "sku",           "ssn",        "ticket",
    "timestamp", "total",   "tracking", "upc",       "uuid",     "version",  "vin",           "zip"};

std::span<const Word> words_of(Topic topic) {
  switch (topic) {
    case Topic::kPhone: return kPhone;
    case Topic::kCard: return kCard;
    case Topic::kSsn: return kSsn;
    case Topic::kBirth: return kBirth;
    case Topic::kNationalId: return kNationalId;
    case Topic::kWallet: return kWallet;
    case Topic::kAddress: return kAddress;
    case Topic::kVersion: return kVersion;
    case Topic::kOtherNumber: break;
  }
  return kOther;
}

bool holds(std::span<const Word> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// A word in lower case, however it was written.
struct Lowered {
  std::array<char, 20> bytes{};
  std::size_t size = 0;
  explicit Lowered(std::string_view word) {
    for (; size < word.size() && size < bytes.size(); ++size) bytes[size] = to_lower(word[size]);
    if (word.size() > bytes.size()) size = 0;
  }
  std::string_view view() const { return {bytes.data(), size}; }
};

std::size_t without_spaces(std::string_view text, std::size_t end) {
  while (before(text, end) == ' ') --end;
  return end;
}

// How far back the words are about what stands at `at`. A number that is a member of JSON is what its key says, and
// nothing of what stands before that: {"calls":1,"bytes":10485760} has no telephone.
std::size_t lowest_word(std::string_view text, std::size_t at) {
  const std::size_t lowest = at > kReachBefore ? at - kReachBefore : 0;
  const std::size_t colon = without_spaces(text, at);
  if (before(text, colon) != ':') return lowest;
  const std::size_t quote = without_spaces(text, colon - 1);
  if (before(text, quote) != '"') return lowest;
  std::size_t begin = quote - 1;
  while (begin > lowest && text[begin - 1] != '"') --begin;
  return std::max(begin, lowest);
}

// Calls `with` for each word before `at`, the nearest first, until it says true. phoneNumber is two words.
template <typename With>
bool words_before(std::string_view text, std::size_t at, With with) {
  const std::size_t lowest = lowest_word(text, at);
  std::size_t end = at;
  while (end > lowest) {
    while (end > lowest && !is_letter(text[end - 1])) --end;
    std::size_t begin = end;
    while (begin > lowest && is_letter(text[begin - 1])) {
      --begin;
      const bool hump = text[begin] <= 'Z' && end - begin > 1 && text[begin + 1] > 'Z';
      if (hump && begin > 0 && is_letter(text[begin - 1]) && text[begin - 1] > 'Z') break;
    }
    if (begin == end) return false;
    if (with(Lowered(text.substr(begin, end - begin)).view())) return true;
    end = begin;
  }
  return false;
}

}  // namespace

bool is_named_before(std::string_view text, std::size_t at, Topic topic) {
  bool named = false;
  words_before(text, at, [&](std::string_view word) {
    named = holds(words_of(topic), word);
    return named || (topic != Topic::kSsn && holds(kOther, word));
  });
  return named;
}

bool is_named_after(std::string_view text, std::size_t at, Topic topic) {
  const std::size_t highest = std::min(text.size(), at + kReachAfter);
  std::size_t begin = at;
  while (begin < highest && !is_letter(text[begin]) && text[begin] != '\n' && text[begin] != '"') ++begin;
  std::size_t end = begin;
  while (end < highest && is_letter(text[end])) ++end;
  return end > begin && holds(words_of(topic), Lowered(text.substr(begin, end - begin)).view());
}

bool is_other_number(std::string_view text, std::size_t at) {
  bool other = false;
  int seen = 0;
  words_before(text, at, [&](std::string_view word) {
    other = holds(kOther, word);
    return other || ++seen == 3;
  });
  return other;
}

}  // namespace glovebox::privacy
