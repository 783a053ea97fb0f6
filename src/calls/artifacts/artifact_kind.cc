#include "calls/artifacts/artifact_kind.h"

#include <algorithm>

#include "base/characters/ascii.h"
#include "base/text/utf8.h"

namespace glovebox::calls {
namespace {

// Magic bytes of a type: at the beginning, and four more at offset 8 where several types share those.
struct Mark {
  std::string_view begins;
  std::string_view at_eight = {};

  bool is_in(std::string_view bytes) const {
    return bytes.starts_with(begins) &&
           (at_eight.empty() || bytes.substr(std::min<std::size_t>(8, bytes.size())).starts_with(at_eight));
  }
};

struct KnownType {
  std::string_view type;
  std::string_view endings;  // each with its dot, separated by spaces
  Mark mark = {};            // without one, the type is text
};

constexpr KnownType kTypes[] = {
    {"image/png", ".png", {"\x89PNG\r\n\x1a\n"}},
    {"image/jpeg", ".jpg .jpeg", {"\xff\xd8\xff"}},
    {"image/gif", ".gif", {"GIF8"}},
    {"image/webp", ".webp", {"RIFF", "WEBP"}},
    {"audio/wav", ".wav", {"RIFF", "WAVE"}},
    {"audio/mpeg", ".mp3", {"ID3"}},
    {"application/pdf", ".pdf", {"%PDF-"}},
    {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".xlsx", {"PK\x03\x04"}},
    {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", ".docx", {"PK\x03\x04"}},
    {"application/zip", ".zip", {"PK\x03\x04"}},
    {"application/gzip", ".gz", {"\x1f\x8b"}},
    {"image/svg+xml", ".svg"},
    {"text/html", ".html .htm"},
    {"text/csv", ".csv"},
    {"text/tab-separated-values", ".tsv"},
    {"text/markdown", ".md .markdown"},
    {"application/json", ".json"},
    {"text/plain", ".txt .log"},
};
constexpr std::string_view kPlainText = "text/plain";
constexpr std::string_view kAnyBytes = "application/octet-stream";

// "Text/CSV; charset=utf-8" is text/csv.
const KnownType* type_named(std::string_view said) {
  std::string name = base::lower_case(said.substr(0, said.find(';')));
  while (name.ends_with(' ')) name.pop_back();
  const auto* const found =
      std::find_if(std::begin(kTypes), std::end(kTypes), [&](const KnownType& known) { return known.type == name; });
  return found == std::end(kTypes) ? nullptr : found;
}

const KnownType* type_of_ending(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos) return nullptr;
  const std::string ending = base::lower_case(name.substr(dot)) + " ";
  const auto* const found = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const KnownType& known) {
    return (std::string(known.endings) + " ").find(ending) != std::string::npos;
  });
  return found == std::end(kTypes) ? nullptr : found;
}

bool fits(const KnownType& known, std::string_view bytes, bool is_text) {
  return known.mark.begins.empty() ? is_text : known.mark.is_in(bytes);
}

}  // namespace

std::optional<std::string> why_no_artifact_name(std::string_view name) {
  const bool is_one =
      name.size() <= kMaxArtifactNameBytes && base::is_word(name, "._-") && base::is_alnum(name.front());
  if (is_one) return std::nullopt;
  return "An artifact's name has up to " + std::to_string(kMaxArtifactNameBytes) +
         " letters, digits, '.', '_' and '-', and begins with a letter or digit, as in \"chart.png\"";
}

bool is_artifact_type(std::string_view type) {
  const KnownType* const known = type_named(type);
  return type == kAnyBytes || (known && known->type == type);
}

std::string artifact_type(std::string_view name, std::string_view said, std::string_view bytes) {
  const bool is_text = base::is_utf8(bytes) && bytes.find('\0') == bytes.npos;
  for (const KnownType* known : {type_named(said), type_of_ending(name)}) {
    if (known && fits(*known, bytes, is_text)) return std::string(known->type);
  }
  if (is_text) return std::string(kPlainText);
  for (const KnownType& known : kTypes) {
    if (known.type.starts_with("image/") && !known.mark.begins.empty() && known.mark.is_in(bytes))
      return std::string(known.type);
  }
  return std::string(kAnyBytes);
}

}  // namespace glovebox::calls
