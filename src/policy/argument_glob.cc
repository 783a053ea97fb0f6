#include "policy/argument_glob.h"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cmath>

#include "base/characters/ascii.h"
#include "policy/path_grants.h"

namespace glovebox::policy {
namespace {

namespace json = boost::json;

// Matching takes time in proportion to the text, on the thread that serves all runs.
constexpr std::size_t kMostText = 64 * 1024;

// What no wildcard of an allow rule matches, because a shell, a query language, a list of addresses or a URL may take
// it for an end and continue with something else. To allow one of them, a rule must contain it literally.
constexpr std::string_view kControls(
    "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f"
    "\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f",
    33);
const std::string kNeverInText = std::string(kControls) + R"(;&|`$()<>"'\#?*@)";
// File names often contain ( ) # and @.
const std::string kNeverInPath = std::string(kControls) + R"(;&|`$<>"')";
// After ** a query may follow.
const std::string kNeverInUrl = std::string(kControls) + R"(;|`$()<>"'\^{} )";

bool has_scheme(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  return base::is_letter(text[0]) && base::is_word(text.substr(0, colon), "+-.");
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

bool is_number(const json::value& value) {
  return value.is_int64() || value.is_uint64() || value.is_double();
}

// A value read as a double may have been another number in the text: it never equals an integer for certain, and beyond
// 2^53 not even another double.
bool equal_numbers(const json::value& left, const json::value& right, Reading reading) {
  if (left.is_double() || right.is_double()) {
    const double value = left.to_number<double>();
    if (value != right.to_number<double>()) return false;
    return reading == Reading::kRestricting || (left.is_double() && right.is_double() && std::abs(value) < 0x1p53);
  }
  if (left.is_int64() && right.is_int64()) return left.get_int64() == right.get_int64();
  if (left.is_uint64() && right.is_uint64()) return left.get_uint64() == right.get_uint64();
  return false;  // uint64 is used only for what int64 cannot hold
}

bool is_literal(std::string_view text) {
  boost::system::error_code error;
  const json::value value = json::parse(json::string_view(text.data(), text.size()), error);
  return !error && (is_number(value) || value.is_bool() || value.is_null());
}

}  // namespace

bool glob_matches(std::string_view glob, std::string_view text, std::string_view stops, std::string_view never) {
  const auto is_in = [](std::string_view set, char c) { return set.find(c) != std::string_view::npos; };
  // For each position in `glob`, the positions in `text` where its match may end: time is their product, whatever the
  // text.
  std::vector<bool> here(text.size() + 1, false);
  here[0] = true;
  for (std::size_t at = 0; at < glob.size(); ++at) {
    std::vector<bool> next(text.size() + 1, false);
    if (glob[at] == '*') {
      const bool any = at + 1 < glob.size() && glob[at + 1] == '*';
      const bool after_slash = at > 0 && glob[at - 1] == '/';
      while (at + 1 < glob.size() && glob[at + 1] == '*') ++at;
      for (std::size_t i = 0; i <= text.size(); ++i) {
        const bool grows = i > 0 && next[i - 1] && (any || !is_in(stops, text[i - 1])) && !is_in(never, text[i - 1]);
        next[i] = here[i] || grows;
      }
      if (any && after_slash && at + 1 < glob.size() && glob[at + 1] == '/') {
        ++at;
        for (std::size_t i = text.size(); i > 0; --i) next[i] = here[i] || (text[i - 1] == '/' && next[i - 1]);
        next[0] = here[0];
      }
    } else {
      for (std::size_t i = 0; i < text.size(); ++i) {
        const bool fits = glob[at] == '?' ? !is_in(stops, text[i]) && !is_in(never, text[i]) : glob[at] == text[i];
        next[i + 1] = here[i] && fits;
      }
    }
    here = std::move(next);
  }
  return here[text.size()];
}

ArgumentGlob::ArgumentGlob(std::string_view text, bool quoted, std::string_view folder)
    : text_(text), folder_(folder), quoted_(quoted), literal_(!quoted && is_literal(text)) {
  if (text.find("://") != std::string_view::npos) {
    kind_ = Kind::kUrl;
  } else if (text.find('/') != std::string_view::npos || text == "." || text == ".." || text == "~") {
    kind_ = Kind::kPath;
    path_ = text.starts_with('~') ? normal_path("/", text).substr(1) : normal_path(folder, text);
  }
}

std::size_t ArgumentGlob::literal_characters() const {
  return static_cast<std::size_t>(
      std::count_if(text_.begin(), text_.end(), [](char c) { return c != '*' && c != '?'; }));
}

bool ArgumentGlob::matches(const json::value& value, Reading reading) const {
  const bool in_doubt = reading == Reading::kRestricting;
  if (const json::string* string = value.if_string()) {
    const std::string_view text(string->data(), string->size());
    if (text.size() > kMostText) return in_doubt;
    // "false" is not false: a server may take any text for true.
    if (literal_ && !in_doubt) return false;
    if (kind_ == Kind::kPath) return matches_path(text, reading);
    if (kind_ == Kind::kUrl) return matches_url(text, reading);
    return matches_text(text, reading);
  }
  if (value.is_array() || value.is_object()) return in_doubt;
  if (kind_ != Kind::kText || quoted_) return in_doubt;  // the rule is about a text, and this is not one
  if (literal_ && is_number(value)) {
    const json::value wanted = json::parse(text_);
    if (is_number(wanted)) return equal_numbers(wanted, value, reading);
  }
  const std::string text = json::serialize(value);
  return glob_matches(text_, text, "/");
}

bool ArgumentGlob::matches_text(std::string_view text, Reading reading) const {
  if (reading == Reading::kRestricting) return glob_matches(text_, text, "") || text.find('\0') != std::string::npos;
  // Names that lead elsewhere match only if the rule contains them literally.
  if ((text == "." || text == ".." || text == "~") && text != text_) return false;
  return text.find('\0') == std::string_view::npos && glob_matches(text_, text, "/", kNeverInText);
}

bool ArgumentGlob::matches_path(std::string_view text, Reading reading) const {
  const bool in_doubt = reading == Reading::kRestricting;
  // How a server interprets these is unknown.
  if (text.empty() || text.find('\0') != std::string_view::npos) return in_doubt;
  if (text.find('\\') != std::string_view::npos || has_scheme(text)) return in_doubt;
  const bool home = text.starts_with('~');
  if (home != text_.starts_with('~')) return home && in_doubt;
  const std::string path = home ? normal_path("/", text).substr(1) : normal_path(folder_, text);
  if (home && !path.starts_with('~')) return in_doubt;  // ~/../…
  if (glob_matches(path_, path, "/", in_doubt ? std::string_view() : kNeverInPath)) return true;
  // A rule that forbids everything beneath a folder also forbids the folder itself.
  return in_doubt && path_.ends_with("/**") && glob_matches(path_.substr(0, path_.size() - 3), path, "/");
}

bool ArgumentGlob::matches_url(std::string_view text, Reading reading) const {
  const bool in_doubt = reading == Reading::kRestricting;
  const std::string lower = base::lower_case(text);
  const std::string_view rest = std::string_view(lower).substr(0, lower.find_first_of("?#"));
  // Alternative spellings of one address; servers decode them, we do not.
  if (has_control_character(text) || text.find('\\') != std::string_view::npos ||
      rest.find("/.") != std::string::npos || rest.find('%') != std::string_view::npos ||
      rest.find('@') != std::string_view::npos) {
    return in_doubt;
  }
  if (in_doubt) return glob_matches(base::lower_case(text_), lower, "/?#@") || !has_scheme(text);
  return glob_matches(text_, text, "/?#@&", kNeverInUrl);
}

}  // namespace glovebox::policy
