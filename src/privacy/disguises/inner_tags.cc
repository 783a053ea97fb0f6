#include "privacy/disguises/inner_tags.h"

#include <algorithm>

#include "privacy/byte_search.h"
#include "privacy/characters.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kReachBeside = 192;  // longer than any value but keys
constexpr std::size_t kLongestTag = 256;
constexpr std::size_t kNearInWord = 64;  // near enough to belong to the same value

// Where the tag or comment that begins at `at` ends, if text goes on within one word there; else `at`.
std::size_t tag_end(std::string_view text, std::size_t at) {
  constexpr std::string_view kInline =
      " a abbr b bdi bdo big cite code del dfn em font i ins kbd mark nobr q s samp small span strike strong sub sup "
      "tt u "
      "var wbr ";
  constexpr std::size_t kLongestName = 6;
  const std::string_view reach = text.substr(0, at + kLongestTag);
  if (text.substr(at, 4) == "<!--") {
    const std::size_t close = reach.find("-->", at);
    return close == std::string_view::npos ? at : close + 3;
  }
  std::size_t end = at + 1;
  if (privacy::at(text, end) == '/') ++end;
  std::string name = " ";
  while (name.size() <= kLongestName && is_letter(privacy::at(text, end))) name += to_lower(text[end++]);
  const char next = privacy::at(text, end);
  if ((next != '>' && next != ' ' && next != '/') || kInline.find(name + ' ') == std::string_view::npos) return at;
  const std::size_t close = reach.find_first_of("<>", end);
  return close != std::string_view::npos && text[close] == '>' ? close + 1 : at;
}

// 4111 **1111** 1111: where a mark of Markdown next to a digit ends that begins at `at`; else `at`. A digit, or a space
// and a digit, is on its other side.
std::size_t emphasis_end(std::string_view text, std::size_t at) {
  constexpr std::size_t kMostMarks = 3;
  const char mark = text[at];
  std::size_t end = at;
  while (end - at <= kMostMarks && privacy::at(text, end) == mark) ++end;
  const std::size_t size = end - at;
  if (size > (mark == '`' ? 1 : kMostMarks) || ((mark == '_' || mark == '~') && size < 2)) return at;
  const bool left = is_digit(before(text, at));
  const bool right = is_digit(privacy::at(text, end));
  const bool far_left = before(text, at) == ' ' && is_digit(before(text, at - 1));
  const bool far_right = privacy::at(text, end) == ' ' && is_digit(privacy::at(text, end + 1));
  const bool inside = left && right && !(mark == '*' && size == 1);  // 24*60
  return inside || (left && far_right) || (right && far_left) ? end : at;
}

// Where the tags that begin at `at` end; they may have a space between them.
std::size_t tags_end(std::string_view text, std::size_t at) {
  if (text[at] != '<') return emphasis_end(text, at);
  std::size_t end = tag_end(text, at);
  while (end > at) {
    const std::size_t next = privacy::at(text, end) == ' ' ? end + 1 : end;
    const std::size_t more = privacy::at(text, next) == '<' ? tag_end(text, next) : next;
    if (more == next) return end;
    end = more;
  }
  return end;
}

bool may_be_of_value(char c) {
  return is_word(c) || std::string_view("@.-+_/()=:!#$%&*?").find(c) != std::string_view::npos ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_telling(char c) {
  return is_digit(c) || c == '@';
}

// Whether a value may go on past tags: both sides touch them, or digits do with a space between; and in one of the two
// words is a digit or an @, or ends the last `cut`.
bool are_within_value(std::string_view text, std::size_t begin, std::size_t end, std::size_t cut) {
  const bool space_left = before(text, begin) == ' ';
  const bool space_right = at(text, end) == ' ';
  const std::size_t left = space_left ? begin - 1 : begin;
  const std::size_t right = space_right ? end + 1 : end;
  const char last = before(text, left);
  const char first = at(text, right);
  const bool spaced =
      space_left || space_right || text.substr(begin, end - begin).find("> <") != std::string_view::npos;
  if (spaced) return is_digit(last) && (is_digit(first) || first == '(');
  if (!may_be_of_value(last) || !may_be_of_value(first)) return false;
  std::size_t near = left;
  while (near > 0 && left - near < kNearInWord && may_be_of_value(text[near - 1]))
    if (is_telling(text[--near])) return true;
  if (near == cut) return true;  // of a value that had a tag before
  near = right;
  int more = 2;  // tags further on
  for (std::size_t i = 0; i < kNearInWord; ++i, ++near) {
    if (at(text, near) == '<' && more-- > 0) near = tags_end(text, near);
    if (!may_be_of_value(at(text, near))) return false;
    if (is_telling(text[near])) return true;
  }
  return false;
}

}  // namespace

std::optional<WithoutTags> WithoutTags::next(std::string_view text, std::size_t from) {
  WithoutTags stretch;
  std::size_t copied = std::string_view::npos;
  const auto next_mark = [&](std::size_t at) { return next_of<HighBytes::kPassed, '<', '*', '_', '~', '`'>(text, at); };
  for (std::size_t at = next_mark(from); at < text.size(); at = next_mark(at)) {
    if (!stretch.cuts_.empty() && at > stretch.end_) break;
    const std::size_t end = tags_end(text, at);
    if (end == at || !are_within_value(text, at, end, copied)) {
      at = std::max(end, at + 1);
      continue;
    }
    if (stretch.cuts_.empty()) {
      stretch.begin_ = at - std::min(at - from, kReachBeside);
      copied = stretch.begin_;
    }
    stretch.text_.append(text, copied, at - copied);
    if (text.substr(at, end - at).find("> <") != std::string_view::npos) stretch.text_ += ' ';
    stretch.cuts_.push_back({at, end, stretch.text_.size()});
    copied = end;
    stretch.end_ = std::min(end + kReachBeside, text.size());
    at = end;
  }
  if (stretch.cuts_.empty()) return std::nullopt;
  stretch.text_.append(text, copied, stretch.end_ - copied);
  return stretch;
}

std::optional<Finding> WithoutTags::across(const Finding& finding) const {
  // The first cut that is not before a place, and so the one after what a character there was copied from.
  const auto from = [&](std::size_t place) {
    return std::lower_bound(cuts_.begin(), cuts_.end(), place,
                            [](const Cut& cut, std::size_t wanted) { return cut.place < wanted; });
  };
  const auto first = from(finding.begin + 1);
  const auto last = from(finding.end);
  if (first == last) return std::nullopt;
  const auto original = [&](std::vector<Cut>::const_iterator cut, std::size_t place) {
    return cut == cuts_.begin() ? begin_ + place : (cut - 1)->end + (place - (cut - 1)->place);
  };
  Finding found = finding;
  found.begin = original(first, finding.begin);
  found.end = original(last, finding.end);
  return found;
}

std::string without_tags(std::string_view value) {
  std::string plain;
  for (std::size_t i = 0; i < value.size();) {
    const std::size_t end = std::string_view("<*_~`").find(value[i]) != std::string_view::npos ? tags_end(value, i) : i;
    if (end == i) {
      plain += value[i++];
      continue;
    }
    if (value.substr(i, end - i).find("> <") != std::string_view::npos) plain += ' ';
    i = end;
  }
  return plain;
}

}  // namespace glovebox::privacy
