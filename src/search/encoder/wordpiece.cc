#include "search/encoder/wordpiece.h"

#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistr.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <memory>
#include <optional>

#include "base/try.h"
#include "base/whole_file.h"

namespace glovebox::search {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostFileBytes = 8 << 20;
constexpr std::size_t kLongestKnownWord = 100;  // characters; longer words are unknown to the vocabulary
// No real text has more bytes per token on average; this bounds the work on a text of one endless word.
constexpr std::size_t kMostBytesPerToken = 128;

bool is_chinese(ucs4_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) ||
         (c >= 0x2A700 && c <= 0x2B81F) || (c >= 0x2B820 && c <= 0x2CEAF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0x2F800 && c <= 0x2FA1F);
}

bool is_white_space(ucs4_t c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || (c >= 0x80 && uc_is_property_white_space(c));
}

bool is_punctuation(ucs4_t c) {
  if (c < 0x80) return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126);
  return uc_is_general_category(c, UC_PUNCTUATION);
}

// Base letters of a character: é is e. Combining marks are dropped.
void append_plain(ucs4_t c, std::vector<ucs4_t>& out) {
  if (c < 0x80) {
    out.push_back(c >= 'A' && c <= 'Z' ? c + 32 : c);
    return;
  }
  std::array<ucs4_t, 16> parts;
  std::size_t count = parts.size();
  const ucs4_t* result = u32_normalize(UNINORM_NFD, &c, 1, parts.data(), &count);
  const std::unique_ptr<ucs4_t, decltype(&std::free)> owned(
      result != parts.data() ? const_cast<ucs4_t*>(result) : nullptr, &std::free);
  if (!result) return;
  for (std::size_t i = 0; i < count; ++i)
    if (!uc_is_general_category(result[i], UC_NON_SPACING_MARK)) out.push_back(uc_tolower(result[i]));
}

void append_utf8(std::string& out, ucs4_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
    return;
  }
  std::array<std::uint8_t, 6> bytes;
  const int length = u8_uctomb(bytes.data(), c, bytes.size());
  if (length > 0) out.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(length));
}

}  // namespace

Result<WordPiece> WordPiece::open(const std::string& path, std::size_t vocabulary) {
  const std::string text = GLOVEBOX_TRY(base::read_whole_file(path, kMostFileBytes));
  boost::system::error_code error;
  const json::value tree = json::parse(text, error);
  const Failure damaged{ErrorCode::kInvalidArgument, path + " is not a WordPiece tokenizer"};
  if (error || !tree.is_object()) return damaged;
  const json::value* model = tree.get_object().if_contains("model");
  const json::value* pieces = model && model->is_object() ? model->get_object().if_contains("vocab") : nullptr;
  if (!pieces || !pieces->is_object()) return damaged;
  WordPiece tokenizer;
  tokenizer.begins_.reserve(vocabulary);
  tokenizer.continues_.reserve(vocabulary / 4);
  for (const auto& [piece, id] : pieces->get_object()) {
    if (!id.is_int64() || id.get_int64() < 0 || static_cast<std::uint64_t>(id.get_int64()) >= vocabulary)
      return damaged;
    const std::string_view name(piece.data(), piece.size());
    const auto number = static_cast<std::uint32_t>(id.get_int64());
    if (name.starts_with("##")) {
      tokenizer.continues_.emplace(name.substr(2), number);
    } else {
      tokenizer.begins_.emplace(name, number);
    }
  }
  const auto special = [&](const char* name) -> std::optional<std::uint32_t> {
    const auto found = tokenizer.begins_.find(std::string_view(name));
    if (found == tokenizer.begins_.end()) return std::nullopt;
    return found->second;
  };
  const auto unknown = special("[UNK]");
  const auto first = special("[CLS]");
  const auto last = special("[SEP]");
  if (!unknown || !first || !last) return damaged;
  tokenizer.unknown_ = *unknown;
  tokenizer.first_ = *first;
  tokenizer.last_ = *last;
  return tokenizer;
}

void WordPiece::add_word(std::string_view word, std::size_t most, std::vector<std::uint32_t>& out) const {
  const std::size_t before = out.size();
  std::size_t characters = 0;
  for (const char c : word) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  bool known = characters <= kLongestKnownWord;
  for (std::size_t begin = 0; known && begin < word.size();) {
    const Pieces& pieces = begin == 0 ? begins_ : continues_;
    std::size_t end = word.size();
    auto found = pieces.end();
    for (; end > begin; --end) {
      found = pieces.find(word.substr(begin, end - begin));
      if (found != pieces.end()) break;
    }
    known = end > begin;
    if (known) out.push_back(found->second);
    begin = end;
  }
  if (!known) {
    out.resize(before);
    out.push_back(unknown_);
  }
  if (out.size() > most) out.resize(most);
}

std::vector<std::uint32_t> WordPiece::tokens(std::string_view text, std::size_t most) const {
  std::vector<std::uint32_t> out = {first_};
  text = text.substr(0, most * kMostBytesPerToken);
  const std::size_t room = most - 1;  // for [SEP]
  std::string word;
  const auto finish = [&] {
    if (!word.empty() && out.size() < room) add_word(word, room, out);
    word.clear();
  };
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  std::vector<ucs4_t> plain;
  for (std::size_t i = 0; i < text.size() && out.size() < room;) {
    ucs4_t c = bytes[i];
    int length = 1;
    if (c >= 0x80) length = std::max(1, u8_mbtouc(&c, bytes + i, text.size() - i));
    i += static_cast<std::size_t>(length);
    if (is_white_space(c)) {
      finish();
      continue;
    }
    if (c == 0xFFFD || c < 0x20 || c == 0x7F || (c >= 0x80 && uc_is_general_category(c, UC_OTHER))) continue;
    plain.clear();
    append_plain(c, plain);
    for (const ucs4_t letter : plain) {
      const bool alone = is_punctuation(letter) || is_chinese(letter);
      if (alone) finish();
      append_utf8(word, letter);
      if (alone) finish();
    }
  }
  finish();
  out.push_back(last_);
  return out;
}

}  // namespace glovebox::search
