#include "search/text/places.h"

#include <algorithm>

namespace glovebox::search {
namespace {

constexpr std::size_t kLongestEnding = 5;  // .xlsx, .jsonl

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_of_place(char c) {
  const bool mark = c == '/' || c == '.' || c == '_' || c == '-' || c == '~' || c == '%' || c == ':' || c == '\\' ||
                    c == '?' || c == '=' || c == '&' || c == '#' || c == '+' || c == '@';
  return mark || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_word_character(char c) {
  return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

// plan.md, but not "notes" or ".config".
bool has_ending(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos || dot == 0 || dot + 1 == name.size() || name.size() - dot - 1 > kLongestEnding) return false;
  return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dot) + 1, name.end(), is_word_character);
}

// The place in words; empty if it is none.
std::string in_words(std::string_view place) {
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (!place.starts_with(scheme)) continue;
    std::string_view host = place.substr(scheme.size());
    host = host.substr(0, host.find_first_of("/?#"));
    return host.empty() ? "" : "the web page " + std::string(host);
  }
  const bool is_path = place.starts_with('/') || place.starts_with("~/") || place.starts_with("./") ||
                       place.starts_with("../") ||
                       (place.size() > 3 && is_word_character(place[0]) && place[1] == ':' && place[2] == '\\');
  if (!is_path) return "";
  const bool folder = place.back() == '/' || place.back() == '\\';
  while (!place.empty() && (place.back() == '/' || place.back() == '\\')) place.remove_suffix(1);
  const std::size_t last = place.find_last_of("/\\");
  if (last == place.npos || last + 1 == place.size()) return "";
  const std::string_view name = place.substr(last + 1);
  if (!folder && has_ending(name)) return "the file " + std::string(name);
  // "/login" may be anything.
  return last == 0 ? "" : "the folder " + std::string(name);
}

}  // namespace

std::string with_places_in_words(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const bool begins = is_blank(before) || before == '"' || before == '\'' || before == '`' || before == '(';
    std::size_t end = at;
    while (begins && end < text.size() && is_of_place(text[end])) ++end;
    // What ends a sentence is no part of it.
    std::size_t kept = end;
    while (kept > at && (text[kept - 1] == '.' || text[kept - 1] == ':' || text[kept - 1] == '?')) --kept;
    const std::string words = kept - at > 1 ? in_words(text.substr(at, kept - at)) : "";
    if (words.empty()) {
      out += text[at++];
      continue;
    }
    out += words;
    at = kept;
  }
  return out;
}

}  // namespace glovebox::search
