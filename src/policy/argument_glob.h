// Matches one argument of a tool call against a rule's condition. Text only: no link is followed, no name is resolved.
//
// Rules that allow and rules that restrict read a doubtful value in opposite ways: what cannot be compared for certain
// is not allowed, and is restricted.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>

namespace glovebox::policy {

enum class Reading {
  kAllowing,     // of an allow rule: in doubt it does not match
  kRestricting,  // of an ask or deny rule: in doubt it matches
};

class ArgumentGlob {
 public:
  // `text` as written in the rule. `quoted`: it was in quotes, and means a JSON string only. `folder` is the base of
  // relative paths: absolute and normal.
  ArgumentGlob(std::string_view text, bool quoted, std::string_view folder);

  bool matches(const boost::json::value& value, Reading reading) const;

  // Characters that are not wildcards: the more, the more specific.
  std::size_t literal_characters() const;

 private:
  enum class Kind { kText, kPath, kUrl };
  bool matches_text(std::string_view text, Reading reading) const;
  bool matches_path(std::string_view text, Reading reading) const;
  bool matches_url(std::string_view text, Reading reading) const;

  std::string text_;
  std::string folder_;
  std::string path_;  // kPath: normal and absolute, unless it begins with ~
  bool quoted_ = false;
  bool literal_ = false;  // a JSON number, true, false or null
  Kind kind_ = Kind::kText;
};

// `*` and `?` match what is not in `stops`, `**` matches anything, and `/**/` also a single slash; none of them matches
// what is in `never`. Bytes are compared, without case folding.
bool glob_matches(std::string_view glob, std::string_view text, std::string_view stops, std::string_view never = {});

}  // namespace glovebox::policy
