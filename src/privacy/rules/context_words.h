// Words around a match: "Phone:" before seven digits shows what the digits alone cannot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace glovebox::privacy {

enum class Topic : std::uint32_t {
  kPhone = 1,    // names of a telephone: "mobile", "tél"
  kCalling = 2,  // what it is used for: "call", "reach"
  kPerson = 4,   // a sentence or a record about a person: "me", "customer", "number"
  kCard = 8,
  kSsn = 16,
  kBirth = 32,
  kNationalId = 64,
  kWallet = 128,
  kAddress = 256,  // of a machine
  kPeer = 512,     // "from", "to": of a machine, or of a version that is replaced
  kVersion = 1024,
  kUpdate = 2048,       // of one version to another
  kOtherNumber = 4096,  // an order, an invoice, a version
  kMonth = 8192,
  kInsurance = 16384,
  kMail = 32768,          // what an address is for: "write to", "e-mail"
  kProgram = 65536,       // what has versions: "openssl"
  kBrowser = 131072,      // has versions such as 120.0.6.1
  kMailing = 262144,      // what is done with mail: "send", "forward"
  kTowards = 524288,      // between that and an address: "to"
  kArticle = 1048576,     // what is made and sold: "part", "serial"
  kBornBehind = 4194304,  // "am 12. Mai 1980 geboren"
  kMachine = 2097152,     // what has an address, and no version: "router"
};

// Whether a word of the topic is in the few dozen bytes before `at`, and no word of `kOtherNumber` is nearer. Case and
// accents do not count.
bool is_named_before(std::string_view text, std::size_t at, Topic topic);
// The same right after: "416 60 039 office".
bool is_named_after(std::string_view text, std::size_t at, Topic topic);
// Whether there is a letter where these look for words, around what is from `begin` to `end`. In a row of numbers there
// is none, and nothing more to ask.
bool has_words_near(std::string_view text, std::size_t begin, std::size_t end);
// Whether the nearest words before `at` describe another kind of number.
bool is_other_number(std::string_view text, std::size_t at);

// Whether one of the two words before `at` names something that is made and sold: "part no. …", "P/N …".
bool is_article(std::string_view text, std::size_t at);

// Whether the word directly before `at` is of the topic, with a space, or the marks of a member, between them.
bool is_named_by_last_word(std::string_view text, std::size_t at, Topic topic);
// The topics of one word.
std::uint32_t topics_of(std::string_view word);

}  // namespace glovebox::privacy
