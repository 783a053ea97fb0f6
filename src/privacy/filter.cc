#include "privacy/filter.h"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <vector>

#include "base/text/json_builder.h"
#include "base/text/json_text.h"
#include "privacy/byte_search.h"
#include "privacy/characters.h"
#include "privacy/disguises/broken_lines.h"
#include "privacy/disguises/inner_tags.h"
#include "privacy/disguises/plain_form.h"
#include "privacy/rules/spelled_mail.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kRemembered = 256;  // of a line: as far as a value reaches

constexpr std::string_view kModes[] = {"off", "detect", "tokenize", "block"};

// Goes through JSON once, tracking at each byte whether it is within a string.
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view json) : json_(json) {}

  // Passes one byte, or an escape as a whole.
  void step() {
    if (in_string_ && json_[position_] == '\\') {
      position_ = std::min(position_ + 2, json_.size());
      return;
    }
    if (json_[position_] == '"') in_string_ = !in_string_;
    ++position_;
  }
  void go_to(std::size_t position) {
    const std::string_view until = json_.substr(0, position);
    while (position_ < position) {
      position_ = next_of<HighBytes::kPassed, '"', '\\'>(until, position_);
      if (position_ < position) step();
    }
  }
  std::size_t position() const { return position_; }
  bool in_string() const { return in_string_; }

 private:
  std::string_view json_;
  std::size_t position_ = 0;
  bool in_string_ = false;
};

bool is_of_number(char c) {
  return is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

}  // namespace

std::optional<Mode> mode_named(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kModes); ++i)
    if (kModes[i] == name) return static_cast<Mode>(i);
  return std::nullopt;
}

std::string_view name_of(Mode mode) {
  return kModes[static_cast<std::size_t>(mode)];
}

bool Filtered::any() const {
  return std::any_of(found.begin(), found.end(), [](std::uint32_t count) { return count > 0; });
}

std::string Filtered::counts() const {
  base::ObjectText counts;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i] > 0) counts.number(entity_name(static_cast<Entity>(i)), found[i]);
  return counts.done();
}

Filter::Filter(std::shared_ptr<const Detector> detector, std::shared_ptr<TokenVault> vault, Mode mode)
    : detector_(std::move(detector)), vault_(std::move(vault)), mode_(mode) {}

bool Filter::replaces(const Finding& finding) const {
  return mode_ != Mode::kDetect || finding.entity == Entity::kSecret;
}

std::string Filter::token(const Finding& finding, std::string_view surface, TokenVault::Time now) const {
  if (finding.entity == Entity::kSecret) return "<SECRET:" + std::string(finding.kind) + ">";
  if (!vault_ || surface.size() > TokenVault::kLongestValue)
    return "<" + std::string(finding.entity == Entity::kCustom ? finding.kind : token_name(finding.entity)) + ">";
  // The plain form, so that an address is the same within a URL, across two lines, and alone.
  const auto plain = PlainForm::of_value(surface);
  std::string_view seen = plain ? plain->text() : surface;
  const std::string untagged =
      seen.find_first_of("<*_~`") == std::string_view::npos ? std::string() : without_tags(seen);
  if (!untagged.empty()) seen = untagged;
  const bool broken = next_of<HighBytes::kPassed, '\n', '"'>(seen, 0) < seen.size();
  const bool spelled = finding.entity == Entity::kEmail &&
                       (seen.find('@') == std::string_view::npos || seen.find_first_of(" (") != std::string_view::npos);
  if (!broken && !spelled) return vault_->token_for(finding, seen, now);
  const std::string value = broken ? without_breaks(seen) : std::string(seen);
  return vault_->token_for(finding, spelled ? plain_email(value) : value, now);
}

Filtered Filter::text(std::string text, std::string_view context) const {
  Filtered filtered;
  if (mode_ == Mode::kOff) {
    filtered.text = std::move(text);
    return filtered;
  }
  if (!context.empty()) text.insert(0, context);
  std::size_t copied = context.size();
  const std::vector<Finding> findings = detector_->scan(text);
  const TokenVault::Time now = findings.empty() ? TokenVault::Time() : this->now();
  for (const Finding& finding : findings) {
    if (finding.end <= copied) continue;
    const std::size_t begin = std::max(finding.begin, copied);
    ++filtered.found[static_cast<std::size_t>(finding.entity)];
    if (!replaces(finding)) continue;
    filtered.text.append(text, copied, begin - copied);
    // The token of a value that begins in the context stands for the whole value, though only its end is replaced.
    filtered.text += token(finding, std::string_view(text).substr(finding.begin, finding.end - finding.begin), now);
    copied = finding.end;
  }
  if (copied == 0) {
    filtered.text = std::move(text);
  } else {
    filtered.text.append(text, copied);
  }
  return filtered;
}

namespace {

Filtered unfiltered(std::string text) {
  Filtered filtered;
  filtered.text = std::move(text);
  return filtered;
}

}  // namespace

Filtered Filter::json(std::string json) const {
  if (mode_ == Mode::kOff) return unfiltered(std::move(json));
  if (const auto twin = TwinText::of(json)) {
    const std::string once = twin->without_text(json);
    const std::vector<Finding> findings = detector_->scan(once);
    if (findings.empty()) return unfiltered(std::move(json));
    const base::TwiceSaid places{twin->begin, twin->json_begin_without_text(), twin->json_end_without_text()};
    if (auto filtered = said_twice(once, findings, places)) return std::move(*filtered);
  }
  const std::vector<Finding> findings = detector_->scan(json);
  if (findings.empty()) return unfiltered(std::move(json));
  return replaced(json, findings, nullptr);
}

Filtered Filter::json_said_twice(std::string json, const base::TwiceSaid& places) const {
  if (mode_ == Mode::kOff) return unfiltered(base::with_text(std::move(json), places));
  const std::vector<Finding> findings = detector_->scan(json);
  if (findings.empty()) return unfiltered(base::with_text(std::move(json), places));
  if (auto filtered = said_twice(json, findings, places)) return std::move(*filtered);
  return this->json(base::with_text(std::move(json), places));
}

std::optional<Filtered> Filter::said_twice(const std::string& json, const std::vector<Finding>& findings,
                                           const base::TwiceSaid& said) const {
  const auto crosses = [&](const Finding& one) {
    return (one.begin < said.begin && one.end > said.begin) || (one.begin < said.end && one.end > said.end) ||
           (one.begin < said.text && one.end > said.text);
  };
  if (std::any_of(findings.begin(), findings.end(), crosses)) return std::nullopt;
  std::array<std::size_t, 3> places = {said.text, said.begin, said.end};
  Filtered filtered = replaced(json, findings, &places);
  for (const Finding& finding : findings)
    if (finding.begin >= said.begin && finding.begin < said.end)
      ++filtered.found[static_cast<std::size_t>(finding.entity)];
  filtered.text = base::with_text(std::move(filtered.text), {places[0], places[1], places[2]});
  return filtered;
}

Filtered Filter::replaced(const std::string& json, const std::vector<Finding>& findings,
                          std::array<std::size_t, 3>* places) const {
  Filtered filtered;
  const TokenVault::Time now = this->now();
  std::string& out = filtered.text;
  out.reserve(json.size());
  JsonCursor cursor(json);
  std::size_t copied = 0;
  std::size_t place = 0;
  // Places that come before `until` are in `out`, moved by what was replaced before them.
  const auto note_places = [&](std::size_t until) {
    for (; places && place < places->size() && (*places)[place] <= until; ++place)
      (*places)[place] += out.size() - copied;
  };
  for (const Finding& finding : findings) {
    ++filtered.found[static_cast<std::size_t>(finding.entity)];
    if (!replaces(finding) || finding.end <= copied) continue;
    const std::size_t begin = std::max(finding.begin, copied);
    note_places(begin);
    cursor.go_to(begin);
    // Never in the middle of an escape.
    out.append(json, copied, cursor.position() - copied);
    const std::string instead = token(finding, std::string_view(json).substr(begin, finding.end - begin), now);
    bool said = false;
    // What it covers within strings is removed; quotes, commas and brackets between them stay.
    while (cursor.position() < finding.end) {
      const std::size_t position = cursor.position();
      const char c = json[position];
      if (cursor.in_string() && c != '"') {
        if (!said) out += instead;
        said = true;
        cursor.step();
      } else if (!cursor.in_string() && is_digit(c)) {
        while (!out.empty() && is_of_number(out.back())) out.pop_back();
        out += '"' + (said ? std::string() : instead) + '"';
        said = true;
        while (cursor.position() < json.size() && is_of_number(json[cursor.position()])) cursor.step();
      } else {
        out += c;
        cursor.step();
      }
    }
    copied = cursor.position();
  }
  note_places(json.size());
  out.append(json, copied);
  return filtered;
}

bool LineFilter::is_within_key(std::string_view line) {
  constexpr std::string_view kEnd = "-----END ";
  if (filter_->mode() == Mode::kOff) return false;
  if (within_key_) {
    within_key_ = line.find(kEnd) == std::string_view::npos;
    return true;
  }
  const std::size_t begin = line.find("-----BEGIN ");
  const bool key = begin != std::string_view::npos && line.find("PRIVATE KEY", begin) != std::string_view::npos;
  within_key_ = key && line.find(kEnd, begin) == std::string_view::npos;
  return false;
}

std::string LineFilter::text(std::string line) {
  if (is_within_key(line)) {
    last_.clear();
    return "<SECRET:private-key>";
  }
  const std::string context = last_.empty() ? std::string() : last_ + "\n";
  last_ = line.size() <= kRemembered ? line : line.substr(line.size() - kRemembered);
  return filter_->text(std::move(line), context).text;
}

std::string LineFilter::json(std::string line) {
  if (!line.starts_with('"')) return filter_->json(std::move(line)).text;
  boost::system::error_code error;
  const boost::json::value value = boost::json::parse(line, error);
  if (error || !value.is_string()) return filter_->json(std::move(line)).text;
  return base::json_string(text(std::string(value.get_string())));
}

}  // namespace glovebox::privacy
