// Findings about a program before it ran, mostly of its type check.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox {

struct SourcePosition {
  int line = 0;    // from 1
  int column = 0;  // from 1, in UTF-16 units
};

struct Diagnostic {
  enum class Severity { kError /* it stopped the run */, kWarning };
  enum class About {
    kTools,   // a tool's name, its arguments or its result: it would not be there if tools could be called anyhow
    kCode,    // everything else
    kCheck,   // the check itself, which could not be made; there is no position then
    kLimits,  // a limit that the code asked for and does not get; nor is there a position
  };
  Severity severity = Severity::kWarning;
  About about = About::kCode;
  std::string code;     // TS2561, …; CHECK_UNAVAILABLE, LIMIT_NOT_RAISED
  std::string message;  // one or a few lines; control characters are already neutralised
  SourcePosition position;
  SourcePosition end;
  std::string source_line;  // the line of `position`, cut if it is long
  std::string caret;        // what stands below it: blanks and ^^^
  std::string suggestion;   // the name that was probably meant; may be empty
};

// What is done about findings.
enum class CheckMode {
  kOff,
  kWarn,    // they are reported with the result
  kTools,   // those about tools stop the run before it begins; others are reported
  kStrict,  // any of them stops it, and so does a check that cannot be made
};

inline std::optional<CheckMode> check_mode_named(std::string_view name) {
  if (name == "off") return CheckMode::kOff;
  if (name == "warn") return CheckMode::kWarn;
  if (name == "tools") return CheckMode::kTools;
  if (name == "strict") return CheckMode::kStrict;
  return std::nullopt;
}

inline std::string_view name_of(CheckMode mode) {
  switch (mode) {
    case CheckMode::kOff: return "off";
    case CheckMode::kWarn: return "warn";
    case CheckMode::kTools: return "tools";
    case CheckMode::kStrict: return "strict";
  }
  return "tools";
}

// A compiler's way to show it: place, message, line and caret.
std::string describe(const Diagnostic& diagnostic, const std::string& file_name);

}  // namespace glovebox
