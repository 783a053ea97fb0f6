#include "search/query.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "search/text/negation.h"
#include "search/text/places.h"

namespace glovebox::search {
namespace {

// Two thousand words and more; a longer request is read up to here.
constexpr std::size_t kMostBytes = 16 << 10;
// Each clause costs a vector. Real requests name a handful of needs; if there are more, neighbours are joined.
constexpr std::size_t kMostClauses = 64;
// Fewer words than this are not a need of their own, but part of the one before.
constexpr std::size_t kFewestWords = 3;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  bool within = false;
  for (const char c : text) {
    const bool word = is_letter(c) || is_digit(c);
    words += word && !within;
    within = word;
  }
  return words;
}

std::string_view trimmed(std::string_view text) {
  const auto drop = [](char c) { return is_space(c) || c == ',' || c == ';' || c == '-' || c == ':'; };
  while (!text.empty() && drop(text.front())) text.remove_prefix(1);
  while (!text.empty() && drop(text.back())) text.remove_suffix(1);
  return text;
}

bool same_letters(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] + 32) : text[i];
    if (c != lower[i]) return false;
  }
  return true;
}

// Conjunctions between two needs, with the spaces around them.
constexpr auto kJoints = std::to_array<std::string_view>(
    {", and ", " and then ", ", then ", " and also ", ", also ", " as well as ", " and ", " then ", " plus "});

// "…, plot it by month": a need of its own begins with what is to be done.
bool begins_instruction(std::string_view rest) {
  static constexpr auto kVerbs = std::to_array<std::string_view>(
      {"add",      "analyze", "book",   "calculate", "call",    "check",     "compare",  "compute",   "convert",
       "copy",     "create",  "delete", "draft",     "draw",    "download",  "extract",  "fetch",     "find",
       "generate", "get",     "give",   "identify",  "list",    "look",      "make",     "merge",     "move",
       "obtain",   "open",    "play",   "plot",      "post",    "print",     "provide",  "read",      "recommend",
       "remove",   "rename",  "reply",  "retrieve",  "run",     "save",      "schedule", "search",    "send",
       "set",      "share",   "show",   "store",     "suggest", "summarize", "tell",     "translate", "update",
       "upload",   "verify",  "write"});
  if (rest.empty() || rest.front() != ' ') return false;
  rest.remove_prefix(1);
  std::size_t size = 0;
  while (size < rest.size() && is_letter(rest[size])) ++size;
  if (size == rest.size() || rest[size] != ' ') return false;
  return std::any_of(kVerbs.begin(), kVerbs.end(),
                     [&](std::string_view verb) { return verb.size() == size && same_letters(rest, verb); });
}

// How many bytes at `at` separate two clauses; 0 if none do.
std::size_t joint_at(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '\n' || c == ';') return 1;
  if (c == '.' || c == '!' || c == '?') return at + 1 == text.size() || is_space(text[at + 1]) ? 1 : 0;
  // Full stops of scripts without spaces.
  for (const std::string_view stop : {"。", "！", "？", "；"})
    if (text.substr(at).starts_with(stop)) return stop.size();
  if (c == ' ' || c == ',')
    for (const std::string_view joint : kJoints)
      if (same_letters(text.substr(at), joint)) return joint.size();
  if (c == ',' && begins_instruction(text.substr(at + 1))) return 2;
  return 0;
}

}  // namespace

Query split_query(std::string_view intent) {
  Query query;
  std::size_t length = std::min(intent.size(), kMostBytes);
  while (length > 0 && length < intent.size() && (static_cast<unsigned char>(intent[length]) & 0xC0) == 0x80) --length;
  query.text = without_negated(intent.substr(0, length));
  const std::string_view text = query.text;
  std::vector<std::string> clauses;
  std::size_t begin = 0;
  const auto take = [&](std::size_t end) {
    const std::string_view part = trimmed(text.substr(begin, end - begin));
    if (count_words(part) >= kFewestWords) clauses.emplace_back(part);
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t joint = joint_at(text, at);
    if (joint == 0) {
      ++at;
      continue;
    }
    take(at);
    at += joint;
    begin = at;
  }
  take(text.size());
  const std::size_t together = (clauses.size() + kMostClauses - 1) / kMostClauses;
  for (std::size_t i = 0; i < clauses.size() && clauses.size() > 1; ++i) {
    if (i % together == 0) {
      query.clauses.push_back(std::move(clauses[i]));
    } else {
      query.clauses.back() += ". " + clauses[i];
    }
  }
  return query;
}

std::vector<std::string> texts_of(const Query& query) {
  std::vector<std::string> texts;
  if (query.clauses.size() < kManyClauses) texts.push_back(query.text);
  texts.insert(texts.end(), query.clauses.begin(), query.clauses.end());
  for (std::string& text : texts) text = with_places_in_words(text);
  return texts;
}

void set_vectors(Query& query, std::vector<std::vector<float>> made) {
  query.vectors = std::move(made);
  if (query.clauses.size() < kManyClauses || query.vectors.size() != query.clauses.size()) return;
  std::vector<float> mean(query.vectors[0].size());
  for (std::size_t i = 0; i < query.clauses.size(); ++i) {
    if (query.vectors[i].size() != mean.size()) return;
    const auto weight = static_cast<float>(count_words(query.clauses[i]));
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += weight * query.vectors[i][k];
  }
  float squares = 0;
  for (const float value : mean) squares += value * value;
  if (squares > 0)
    for (float& value : mean) value /= std::sqrt(squares);
  query.vectors.insert(query.vectors.begin(), std::move(mean));
}

Result<void> embed_query(Query& query, Encoder& encoder) {
  auto vectors = encoder.embed(texts_of(query));
  if (!vectors) return std::move(vectors).failure();
  set_vectors(query, std::move(vectors).value());
  return {};
}

}  // namespace glovebox::search
