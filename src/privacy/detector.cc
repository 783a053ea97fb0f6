#include "privacy/detector.h"

#include <algorithm>

#include "base/try.h"
#include "privacy/byte_search.h"
#include "privacy/characters.h"
#include "privacy/disguises/broken_lines.h"
#include "privacy/disguises/encoded_text.h"
#include "privacy/disguises/inner_tags.h"
#include "privacy/disguises/plain_form.h"
#include "privacy/rules/bank_accounts.h"
#include "privacy/rules/birth_dates.h"
#include "privacy/rules/digit_groups.h"
#include "privacy/rules/mail_and_urls.h"
#include "privacy/rules/national_ids.h"
#include "privacy/rules/network_addresses.h"
#include "privacy/rules/payment_cards.h"
#include "privacy/rules/phone_numbers.h"
#include "privacy/rules/spelled_mail.h"
#include "privacy/rules/uuid.h"
#include "privacy/rules/wallets.h"
#include "privacy/secrets/codes_in_other_scripts.h"
#include "privacy/secrets/command_arguments.h"
#include "privacy/secrets/command_lines.h"
#include "privacy/secrets/named_codes.h"
#include "privacy/secrets/password_columns.h"
#include "privacy/secrets/secret_assignments.h"
#include "privacy/secrets/stated_secrets.h"
#include "privacy/secrets/vendor_keys.h"

namespace glovebox::privacy {
namespace {

constexpr int kMostDepth = 3;             // base64 within base64
constexpr std::size_t kShortestRun = 16;  // of base64: twelve bytes

class Scan {
 public:
  Scan(std::string_view text, std::vector<Finding>& found) : text_(text), found_(found) {}

  bool may_have_tags() const { return tags_; }

  // Calls `look_into` for runs of base64, and `on_break` where a line may end.
  template <typename LookInto, typename OnBreak>
  void run(LookInto look_into, OnBreak on_break) {
    std::size_t position = 0;
    std::size_t looked_into = 0;
    while (position < text_.size()) {
      const std::uint16_t classes = classes_of(text_[position]);
      if ((classes & (kDigit | kUpper | kLower)) == 0) {
        if (text_[position] == '\n' || (text_[position] == '"' && may_end_string(position))) on_break(position);
        position = (classes & kAnchor) != 0 ? std::max(anchor(position), position + 1) : position + 1;
        continue;
      }
      const WordEnd word = word_end(text_, position);
      const std::size_t end = word.end;
      if (position >= looked_into && (classes_of(privacy::at(text_, end)) & kBase64) != 0) {
        looked_into = base64_run_end(text_, position);
        if (looked_into - position >= kShortestRun) look_into(position, looked_into);
      } else if (position >= looked_into && end - position >= kShortestRun) {
        looked_into = base64_run_end(text_, position);
        look_into(position, looked_into);
      }
      position = std::max(examine(position, word), end);
    }
  }

 private:
  // Each of these returns where to continue; a position not after the given one means that nothing was found.
  std::size_t keep(const std::optional<Finding>& finding) {
    if (!finding) return 0;
    found_.push_back(*finding);
    return finding->end;
  }

  bool may_end_string(std::size_t quote) const {
    const char next = privacy::at(text_, quote + 1);
    return next == ',' || next == ' ' || next == '\n' || next == '\r';
  }

  // +49301234567+49301234568
  bool is_behind_phone(std::size_t at) const {
    return !found_.empty() && found_.back().end == at && found_.back().entity == Entity::kPhone;
  }

  static bool is_tag_end(char c) { return is_word(c) || c == '"' || c == '\''; }

  std::size_t anchor(std::size_t at) {
    const char next = privacy::at(text_, at + 1);
    switch (text_[at]) {
      case '@':
        if (const std::size_t past = keep(find_email(text_, at))) return past;
        return next == ' ' || next == ')' || before(text_, at) == ' ' ? keep(find_spaced_email(text_, at)) : 0;
      case '+':
        if (!is_digit(next) && next != '(') return 0;
        return is_word(before(text_, at)) && !is_behind_phone(at) ? 0 : keep(find_phone(text_, at));
      case '>':  // <password>…</password>
        tags_ |= is_tag_end(before(text_, at)) || before(text_, at) == '-' || before(text_, at) == '/';
        return is_tag_end(before(text_, at)) && is_word(next) && keep(find_assigned_secret(text_, at)) > 0 ? at + 1 : 0;
      case '(':
        if ((next == '"' || next == '\'') && is_word(before(text_, at)))  // setPassword("…")
          return keep(find_assigned_secret(text_, at)) > 0 ? at + 1 : 0;
        if (!is_digit(next) || is_word(before(text_, at))) return 0;
        if (const std::size_t past = keep(find_card(text_, at + 1))) return past;  // card (4916) 1257 9194 7716
        return keep(find_phone(text_, at));
      case '-':
        if (next == '-' && privacy::at(text_, at + 2) == '-') return keep(find_private_key(text_, at));
        return next == '-' || std::string_view("pPuUawNAXsk").find(next) != std::string_view::npos
                   ? keep(find_option_secret(text_, at))
                   : 0;
      case '\xd0':
        if (next == '\x9f' || next == '\xbf') keep(find_password_in_sentence(text_, at));
        return 0;
      case '\xe3':
      case '\xe5':
      case '\xeb': keep(find_password_in_other_script(text_, at)); return 0;
      case ':':
        if (next == '/') {
          if (const std::size_t past = keep(find_secret_url(text_, at))) return past;
          keep(find_url_host(text_, at));
          return keep(find_url_credentials(text_, at));
        }
        if (next == ':') return is_word(before(text_, at)) ? 0 : keep(find_ipv6(text_, at));
        [[fallthrough]];
      default: return keep(find_assigned_secret(text_, at)) > 0 ? at + 1 : 0;
    }
  }

  [[gnu::always_inline]] std::size_t examine(std::size_t begin, const WordEnd& word) {
    const std::size_t end = word.end;
    if (!word.letters) return number(begin, end);
    if (begin + 3 <= text_.size() && has_trigram(kSecretOrPasswordBegins, text_.data() + begin)) {
      if (may_be_secret(text_, begin)) {
        if (const std::size_t past = keep(find_secret(text_, begin))) return past;
      }
      if (may_name_password(text_, begin, word.end - begin)) {
        keep(find_password_in_sentence(text_, begin));
        if (privacy::at(text_, word.end) != '=') find_password_column(text_, begin, word.end, found_);
      }
      if (has_trigram(kCommandBegins, text_.data() + begin)) find_command_argument(text_, begin, word.end, found_);
    }
    if (may_name_code(text_, begin, end)) find_named_codes(text_, begin, end, found_);
    const std::size_t size = end - begin;
    const char next = privacy::at(text_, end);
    if (next != ' ') {
      if (next == '~' || (next == '.' && size == 14) || (next == '-' && size == 32)) {
        if (const std::size_t past = keep(find_marked_secret(text_, begin, end))) return past;
      }
      if (size == 8 && next == '-') {
        if (const std::size_t past = uuid_end(text_, begin); past > begin) return past;
      }
      if (size <= 4 && next == ':' && is_hex(text_[begin])) {
        if (const std::size_t past = address(begin)) return past;
      } else if ((size == 2 && next == '-') || (size == 4 && next == '.')) {
        if (const std::size_t past = keep(find_mac(text_, begin))) return past;
      }
    }
    if (is_letter(text_[begin])) {
      // DE89, AB123456C, DE 89, AB 12
      if ((word.digits && is_digit(privacy::at(text_, begin + 2))) ||
          (size == 2 && is_digit(privacy::at(text_, begin + 3)))) {
        if (const std::size_t past = keep(find_iban(text_, begin))) return past;
        if (const std::size_t past = keep(find_insurance_number(text_, begin))) return past;
      }
      if (may_be_of_mail(text_, begin, size)) {
        if (const std::size_t past = mail_word(begin, size)) return past;
      }
      if (size >= 3 && size <= 9 && (next == ' ' || next == '.') &&
          (is_digit(privacy::at(text_, end + 1)) || next == '.')) {
        if (const std::size_t past = keep(find_birth_date(text_, begin))) return past;
      }
    }
    if (!word.digits || size < 9) return is_digit(text_[begin]) ? keep(find_birth_date(text_, begin)) : 0;
    if (const std::size_t past = keep(find_national_word(text_, begin, end))) return past;
    if (size >= 14) {
      if (const std::size_t past = keep(find_wallet(text_, begin, end))) return past;
      return card_within(begin, end);
    }
    return 0;
  }

  // "at", and what Cloudflare writes before an address.
  [[gnu::noinline]] std::size_t mail_word(std::size_t begin, std::size_t size) {
    const std::size_t end = begin + size;
    if (may_be_at_sign(text_, begin, size)) return keep(find_spelled_email(text_, begin, end));
    const std::string_view word = text_.substr(begin, size);
    return word == "cfemail" || word == "protection" ? keep(find_hexadecimal_email(text_, end)) : 0;
  }

  // card4111111111111111, 4111111111111111exp: digits next to a letter. But a digest is no card.
  std::size_t card_within(std::size_t begin, std::size_t end) {
    constexpr std::size_t kShortestDigest = 24;
    if (end - begin >= kShortestDigest && std::all_of(text_.begin() + begin, text_.begin() + end, is_hex)) return 0;
    std::size_t first = begin;
    while (first < end && is_letter(text_[first])) ++first;
    std::size_t last = first;
    while (last < end && is_digit(text_[last])) ++last;
    const bool touches_once = (first == begin) != (last == end);
    if (!touches_once || last - first < 15 || last - first > 16) return 0;
    const auto card = find_card(text_.substr(0, last), first);
    return card && card->end == last ? keep(card) : 0;
  }

  std::size_t address(std::size_t begin) {
    if (const std::size_t past = keep(find_mac(text_, begin))) return past;
    return keep(find_ipv6(text_, begin));
  }

  // 4111 | 1111, 4111·1111: digits behind marks that only the groups of a named card have between them.
  bool goes_on_oddly(std::size_t end) const {
    for (std::size_t i = 0; i < 5; ++i) {
      const char c = privacy::at(text_, end + i);
      if (is_digit(c)) return i > 0;
      if ((classes_of(c) & kGap) == 0) return false;
    }
    return false;
  }

  // Whether more digits follow after what may separate groups.
  bool goes_on(std::size_t end) const {
    for (std::size_t i = 0; i < 4; ++i) {
      const char c = privacy::at(text_, end + i);
      if (is_digit(c)) return true;
      if (std::string_view(" -./_()[]+").find(c) == std::string_view::npos) return false;
    }
    return false;
  }

  std::size_t number(std::size_t begin, std::size_t end) {
    const std::size_t size = end - begin;
    const char next = privacy::at(text_, end);
    tags_ |= next == '*' || next == '`' || next == '~' || (next == '_' && privacy::at(text_, end + 1) == '_');
    if ((next == ':' && size >= 8) || (next == '/' && size == 1)) {
      if (const std::size_t past = keep(find_secret(text_, begin))) return past;
    }
    if (size > 19) return 0;
    if (size >= 3 && size <= 8 && is_next_to_other_script(text_, begin, end)) {
      if (const std::size_t past = keep(find_code_in_other_script(text_, begin, end))) return past;
    }
    // In unusual groups, only from the first one on: a text may be one long row of numbers.
    const bool first = begin < 2 || !is_digit(text_[begin - 2]) || is_word(text_[begin - 1]);
    // Most numbers are single, and few single ones are private.
    if (size < 7 && next != ':' && !(next == '-' && size == 2) && !goes_on(end)) {
      if (next == '.' && size == 4) return keep(find_mac(text_, begin));
      if (first && goes_on_oddly(end)) {
        if (const std::size_t past = keep(find_named_card(text_, begin))) return past;
      }
      const bool spelled_year = size == 4 && static_cast<unsigned char>(next) >= 0xe0;  // 1980年
      const bool day = size <= 2 && (next == ' ' || next == '.' || next == '-' || next == '/');
      return day || spelled_year ? keep(find_birth_date(text_, begin)) : 0;
    }
    if (next == '.' && size <= 3) {
      if (const std::size_t past = keep(find_ipv4(text_, begin))) return past;
    }
    if (next == ':' && size <= 4) {
      if (const std::size_t past = address(begin)) return past;
    }
    if ((next == '-' && size == 2) || (next == '.' && size == 4)) {
      if (const std::size_t past = keep(find_mac(text_, begin))) return past;
    }
    if (size == 8 && next == '-') {
      if (const std::size_t past = uuid_end(text_, begin); past > begin) return past;
    }
    // A decimal: the digits after its point are not a number of their own.
    if (before(text_, begin) == '.' && begin > 1 && is_digit(text_[begin - 2])) return 0;
    if (size == 18) {
      if (const std::size_t past = keep(find_national_word(text_, begin, end))) return past;
    }
    if (size == 3 || size == 9) {
      if (const std::size_t past = keep(find_ssn(text_, begin))) return past;
    }
    if (size == 4 || size == 6 || size >= 12 || (size <= 8 && first)) {
      if (const std::size_t past = keep(find_card(text_, begin))) return past;
    }
    if (size <= 15 && (size >= 9 || next == ' ' || next == '-' || next == '.')) {
      if (const std::size_t past = keep(find_national_number(text_, begin))) return past;
    }
    if (size <= 8 && size != 3) {
      if (const std::size_t past = keep(find_birth_date(text_, begin))) return past;
    }
    return keep(find_phone(text_, begin));
  }

  std::string_view text_;
  std::vector<Finding>& found_;
  bool tags_ = false;
};

// * matches anything; case does not count. Linear except for the stars, of which a pattern has few.
bool matches(std::string_view pattern, std::string_view value) {
  std::size_t p = 0;
  std::size_t v = 0;
  std::size_t star = std::string_view::npos;
  std::size_t mark = 0;
  while (v < value.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = v;
    } else if (p < pattern.size() && to_lower(pattern[p]) == to_lower(value[v])) {
      ++p;
      ++v;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      v = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool begins_before(const Finding& a, const Finding& b) {
  return a.begin < b.begin;
}

// Of overlapping findings, the most significant one stays.
void resolve(std::vector<Finding>& found) {
  // Most texts have their findings in order, each apart from the next.
  const auto touches = [](const Finding& one, const Finding& next) { return next.begin < one.end; };
  if (std::adjacent_find(found.begin(), found.end(), touches) == found.end()) return;
  std::stable_sort(found.begin(), found.end(), begins_before);
  std::vector<Finding> kept;
  kept.reserve(found.size());
  for (const Finding& next : found) {
    if (kept.empty() || next.begin >= kept.back().end) {
      kept.push_back(next);
      continue;
    }
    Finding& last = kept.back();
    // https://name:word@host.com: word@host.com is not an address.
    if (last.entity == Entity::kUrlCredentials && next.entity == Entity::kEmail) continue;
    const bool better = next.entity < last.entity || (next.entity == last.entity && next.end > last.end);
    Finding winner = better ? next : last;
    // The union of both stays covered, except for hosts: an address within one is the finding then.
    if (last.entity != Entity::kDomainName && next.entity != Entity::kDomainName) {
      winner.begin = last.begin;
      winner.end = std::max(last.end, next.end);
    }
    last = winner;
  }
  found = std::move(kept);
}

}  // namespace

EntitySet every_entity() {
  return EntitySet().set();
}

EntitySet usual_entities() {
  EntitySet entities = every_entity();
  entities.reset(static_cast<std::size_t>(Entity::kDomainName));
  return entities;
}

Detector::Detector() = default;

Result<Detector> Detector::make(DetectorSettings settings) {
  Detector detector;
  detector.entities_ = settings.entities;
  detector.entities_.set(static_cast<std::size_t>(Entity::kSecret));
  detector.entities_.set(static_cast<std::size_t>(Entity::kCustom));
  detector.allow_ = std::move(settings.allow);
  for (CustomPattern& pattern : settings.custom)
    detector.custom_.push_back(GLOVEBOX_TRY(PatternFinder::make(std::move(pattern))));
  return detector;
}

bool Detector::is_allowed(std::string_view value) const {
  return std::any_of(allow_.begin(), allow_.end(), [&](const std::string& pattern) { return matches(pattern, value); });
}

void Detector::find_custom(std::string_view text, std::vector<Finding>& found) const {
  for (const PatternFinder& pattern : custom_) pattern.find(text, found);
}

// Finds values that span the end of a line, where neither line has a finding of its own.
void Detector::scan_across(std::string_view text, std::size_t at, int depth, std::vector<Finding>& across) const {
  const auto broken = line_break_at(text, at);
  const auto joined = broken ? JoinedLines::around(text, *broken) : std::nullopt;
  if (!joined) return;
  for (const bool space : {false, true}) {
    std::vector<Finding> within;
    scan_plain(joined->with(space), depth, Lines::kOne, within);
    for (const Finding& finding : within)
      if (const auto found = joined->across(finding, space)) across.push_back(*found);
  }
}

bool Detector::scan_plain(std::string_view text, int depth, Lines lines, std::vector<Finding>& found) const {
  const auto first = static_cast<std::ptrdiff_t>(found.size());
  std::vector<Finding> across;
  const auto look_into = [&](std::size_t begin, std::size_t end) {
    if (depth == kMostDepth) return;
    std::vector<Finding> within;
    each_base64_text(text.substr(begin, end - begin), [&](std::string_view inner) {
      const auto plain = PlainForm::of(inner);
      scan_plain(plain ? plain->text() : inner, depth + 1, lines, within);
      return !within.empty();
    });
    if (within.empty()) return;
    // Without a part from the middle it could not be decoded any more: the whole run is replaced.
    Finding best = *std::min_element(within.begin(), within.end(),
                                     [](const Finding& a, const Finding& b) { return a.entity < b.entity; });
    best.begin = begin;
    best.end = end;
    found.push_back(best);
  };
  Scan scan(text, found);
  scan.run(look_into, [&](std::size_t at) {
    if (lines == Lines::kMany) scan_across(text, at, depth, across);
  });
  find_custom(text, found);
  const auto unwanted = [&](const Finding& finding) {
    return !entities_.test(static_cast<std::size_t>(finding.entity)) || finding.score < kReportedFrom ||
           (finding.entity != Entity::kSecret && is_allowed(text.substr(finding.begin, finding.end - finding.begin)));
  };
  found.erase(std::remove_if(found.begin() + first, found.end(), unwanted), found.end());
  if (across.empty()) return scan.may_have_tags();
  std::sort(found.begin() + first, found.end(), begins_before);
  std::erase_if(across, [&](const Finding& finding) {
    // The last that begins before its end; they may overlap one another, but are sorted by their begin.
    const auto next = std::lower_bound(found.begin() + first, found.end(), finding.end,
                                       [](const Finding& one, std::size_t end) { return one.begin < end; });
    return next != found.begin() + first && (next - 1)->end > finding.begin;
  });
  found.insert(found.end(), across.begin(), across.end());
  return scan.may_have_tags();
}

// Values with tags of HTML in their middle.
void Detector::scan_without_tags(std::string_view text, std::vector<Finding>& found) const {
  resolve(found);
  const std::size_t first_pass = found.size();
  std::size_t from = 0;
  while (const auto stretch = WithoutTags::next(text, from)) {
    from = stretch->end();
    std::vector<Finding> within;
    scan_plain(stretch->text(), 0, Lines::kOne, within);
    for (const Finding& finding : within) {
      const auto across = stretch->across(finding);
      if (!across) continue;
      // <b>bob@example.com</b>and: it is whole within its tag.
      const auto last = found.begin() + static_cast<std::ptrdiff_t>(first_pass);
      const auto next = std::lower_bound(found.begin(), last, across->end,
                                         [](const Finding& one, std::size_t end) { return one.begin < end; });
      const bool whole = across->entity == Entity::kEmail && next != found.begin() &&
                         (next - 1)->entity == Entity::kEmail && (next - 1)->begin == across->begin &&
                         before(text, across->begin) == '>';
      if (!whole) found.push_back(*across);
    }
  }
}

std::vector<Finding> Detector::scan(std::string_view text) const {
  std::vector<Finding> found;
  const auto plain = PlainForm::of(text);
  const std::string_view read = plain ? plain->text() : text;
  if (scan_plain(read, 0, Lines::kMany, found)) scan_without_tags(read, found);
  resolve(found);
  if (plain) {
    OriginalPlaces places(text);
    for (Finding& finding : found) {
      finding.begin = places.begin_of(finding.begin);
      finding.end = places.end_of(finding.end);
    }
  }
  if (plain && !custom_.empty()) {
    // A pattern may have an escape in it, such as &amp;.
    const auto first = static_cast<std::ptrdiff_t>(found.size());
    find_custom(text, found);
    const auto allowed = [&](const Finding& finding) {
      return is_allowed(text.substr(finding.begin, finding.end - finding.begin));
    };
    found.erase(std::remove_if(found.begin() + first, found.end(), allowed), found.end());
    resolve(found);
  }
  return found;
}

}  // namespace glovebox::privacy
