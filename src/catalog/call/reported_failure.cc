#include "catalog/call/reported_failure.h"

#include <algorithm>

#include "base/characters/ascii.h"
#include "base/text/json_text.h"
#include "catalog/call/known_paths.h"

namespace glovebox::catalog {
namespace {

constexpr std::size_t kMostCharacters = 500;
constexpr std::string_view kPath = "<path>";
// How stack frames of Python, of JavaScript and Java, of Go and of Rust begin.
constexpr std::string_view kFrames[] = {"Traceback (most recent call last)", "\n    at ", "\n\tat ", "\ngoroutine ",
                                        "\nstack backtrace:"};

bool is_word(char c) {
  return base::is_alnum(c) || static_cast<unsigned char>(c) >= 0x80 ||
         std::string_view("._-~/<>").find(c) != std::string_view::npos;
}

// Characters of a path without quotes. A comma, a bracket or a colon usually ends it.
bool is_path_part(char c) {
  return is_word(c) || c == '+' || c == '@' || c == '%' || c == '#' || c == '=' || c == '$';
}

// Where the path that begins here ends.
std::size_t end_of_path(std::string_view text, std::size_t begin, char before) {
  if (before == '\'' || before == '"' || before == '`') {
    const std::size_t quote = text.find(before, begin);
    const std::size_t line = text.find('\n', begin);
    if (quote != text.npos && quote < line) return quote;
  }
  std::size_t end = begin;
  while (end < text.size() && is_path_part(text[end])) ++end;
  // A full stop ends the sentence.
  while (end > begin + 1 && text[end - 1] == '.') --end;
  return end;
}

std::string shortened(std::string text) {
  std::size_t characters = 0;
  std::size_t last = 0;  // where a text with more characters is cut
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) == 0x80) continue;
    if (++characters == kMostCharacters) last = i;
    if (characters > kMostCharacters) {
      text.resize(last);
      return text + "…";
    }
  }
  return text;
}

bool is_known_path(std::string_view path, const KnownPaths& known) {
  const bool climbs = path.find("/../") != path.npos || path.ends_with("/..");
  const bool is_within = known.workspace.size() > 1 && path.starts_with(known.workspace) &&
                         (path.size() == known.workspace.size() || path[known.workspace.size()] == '/');
  if (is_within && !climbs) return true;
  return known.arguments.find(base::json_string(path)) != std::string_view::npos;
}

std::string without_unknown_paths(std::string_view text, const KnownPaths& known) {
  constexpr std::string_view kFile = "file://";
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const char before = i == 0 ? ' ' : text[i - 1];
    if (text.substr(i).starts_with(kFile)) {
      out += kPath;
      i = end_of_path(text, i + kFile.size(), before);
      continue;
    }
    const bool begins = text[i] == '/' && !is_word(before);
    // Two slashes after a colon are a URL's: its host follows, and then its path.
    if (begins && before == ':' && text.substr(i).starts_with("//")) {
      while (i < text.size() && is_path_part(text[i])) out += text[i++];
      continue;
    }
    if (begins && i + 1 < text.size() && is_path_part(text[i + 1])) {
      const std::size_t end = end_of_path(text, i, before);
      const std::string_view path = text.substr(i, end - i);
      out += is_known_path(path, known) ? path : kPath;
      i = end;
      continue;
    }
    // The home folder as ~.
    if (text[i] == '~' && !is_word(before) && i + 1 < text.size() && is_path_part(text[i + 1]) &&
        text.substr(i, end_of_path(text, i, ' ') - i).find('/') != text.npos) {
      out += kPath;
      i = end_of_path(text, i, before);
      continue;
    }
    out += text[i++];
  }
  return out;
}

}  // namespace

std::string without_host_paths(std::string_view text) {
  return without_unknown_paths(text, {});
}

CallFailure reported_failure(CallFailure failure) {
  return reported_failure(std::move(failure), {});
}

CallFailure reported_failure(CallFailure failure, const KnownPaths& known) {
  if (!failure.detail.empty()) return failure;
  failure.detail = failure.message;
  std::string said = std::move(failure.message);
  for (const std::string_view frames : kFrames) said.resize(std::min(said.find(frames), said.size()));
  while (!said.empty() && (said.back() == '\n' || said.back() == ' ')) said.pop_back();
  failure.message = shortened(failure.code == "INVALID_ARGUMENTS" ? said : without_unknown_paths(said, known));
  return failure;
}

}  // namespace glovebox::catalog
