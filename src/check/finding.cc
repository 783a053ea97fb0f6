#include "check/finding.h"

#include <simdjson.h>

#include <algorithm>

#include "base/text/log_text.h"
#include "base/text/utf8.h"
#include "base/try.h"
#include "check/harmless.h"
#include "check/limits.h"

namespace glovebox::check {
namespace {

namespace dom = simdjson::dom;

constexpr int kErrorSeverity = 1;
constexpr std::int64_t kMostPosition = 1 << 30;

// "implicitly has an 'any' type": agents write plain JavaScript. But a member that does not exist is a mistake.
bool is_about_missing_types(int code, std::string_view message) {
  constexpr int kNoSuchElement = 7053;
  if (code < 7000 || code > 7999) return false;
  return code != kNoSuchElement || message.find("does not exist on type") == std::string_view::npos;
}

Failure nonsense() {
  return {ErrorCode::kProtocol, "the type checker gave an invalid answer"};
}

bool read_position(dom::element range, const char* which, long& line, long& column) {
  std::int64_t number = 0;
  std::int64_t place = 0;
  if (range[which]["line"].get_int64().get(number) != simdjson::SUCCESS ||
      range[which]["character"].get_int64().get(place) != simdjson::SUCCESS) {
    return false;
  }
  if (number < 0 || number > kMostPosition || place < 0 || place > kMostPosition) return false;
  line = static_cast<long>(number);
  column = static_cast<long>(place);
  return true;
}

using Key = std::tuple<int, long, long, long, long>;

Key key_of(const TypeFinding& finding) {
  return {finding.code, finding.line, finding.column, finding.end_line, finding.end_column};
}

}  // namespace

Result<std::vector<TypeFinding>> read_findings(std::string_view result_json, std::size_t most) {
  dom::parser parser;
  dom::element document;
  dom::array items;
  if (parser.parse(result_json.data(), result_json.size()).get(document) != simdjson::SUCCESS ||
      document["items"].get_array().get(items) != simdjson::SUCCESS) {
    return nonsense();
  }
  std::vector<TypeFinding> findings;
  for (const dom::element item : items) {
    if (findings.size() == most) break;
    std::int64_t severity = kErrorSeverity;
    if (item["severity"].get_int64().get(severity) == simdjson::SUCCESS && severity != kErrorSeverity) continue;
    TypeFinding finding;
    std::int64_t code = 0;
    std::string_view message;
    dom::element range;
    if (item["code"].get_int64().get(code) != simdjson::SUCCESS || code < 1 || code > 999'999 ||
        item["message"].get_string().get(message) != simdjson::SUCCESS ||
        item["range"].get(range) != simdjson::SUCCESS || !read_position(range, "start", finding.line, finding.column) ||
        !read_position(range, "end", finding.end_line, finding.end_column)) {
      return nonsense();
    }
    if (is_about_missing_types(static_cast<int>(code), message)) continue;
    finding.code = static_cast<int>(code);
    finding.message = message;
    dom::array related;
    if (item["relatedInformation"].get_array().get(related) == simdjson::SUCCESS && related.size() > 0) {
      // Other hints are about declarations that the agent cannot see; this one is about the code.
      std::string_view hint;
      if (related.at(0)["message"].get_string().get(hint) == simdjson::SUCCESS && hint.starts_with("Did you forget")) {
        finding.message += " " + std::string(hint);
      }
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

bool has_syntax_error(const std::vector<TypeFinding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const TypeFinding& finding) { return finding.code >= 1000 && finding.code < 2000; });
}

std::string suggestion_in(std::string_view message) {
  for (const std::string_view lead :
       {"Did you mean to write '", "Did you mean '", "Did you mean the static member '"}) {
    const std::size_t at = message.rfind(lead);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = message.substr(at + lead.size());
    const std::size_t end = rest.find('\'');
    if (end != std::string_view::npos && end > 0 && end <= 256) return base::neutralise(rest.substr(0, end));
  }
  return "";
}

std::string readable_message(std::string_view message) {
  // Advice about what to install or to set in a project: there is none here.
  for (const std::string_view advice : {" Do you need to ", " Did you mean to set the "}) {
    if (const std::size_t at = message.find(advice); at != std::string_view::npos) message = message.substr(0, at);
  }
  std::string text;
  while (!message.empty()) {
    // 'in quotes': a name or a type. Types contain quotes too, but those of strings are double.
    const std::size_t open = message.find('\'');
    const std::size_t close = open == std::string_view::npos ? open : message.find('\'', open + 1);
    if (close == std::string_view::npos) {
      text += message;
      break;
    }
    const std::string_view quoted = message.substr(open + 1, close - open - 1);
    const std::string_view shown = base::beginning_of(quoted, kMostQuotedBytes);
    text += message.substr(0, open + 1);
    text += shown;
    text += shown.size() < quoted.size() ? "…'" : "'";
    message.remove_prefix(close + 1);
  }
  std::string readable = base::neutralise(base::beginning_of(text, kMostFindingBytes));
  return text.size() > kMostFindingBytes ? readable + "…" : readable;
}

std::vector<Diagnostic> judge(const AgentText& text, const std::vector<TypeFinding>& with_tools,
                              const std::vector<TypeFinding>& without_tools) {
  std::set<Key> of_the_code;
  for (const TypeFinding& finding : without_tools) of_the_code.insert(key_of(finding));
  std::vector<Diagnostic> diagnostics;
  for (const TypeFinding& finding : with_tools) {
    Diagnostic diagnostic;
    const bool about_tools = !of_the_code.contains(key_of(finding)) && !is_harmless(finding, text);
    diagnostic.about = about_tools ? Diagnostic::About::kTools : Diagnostic::About::kCode;
    diagnostic.code = "TS" + std::to_string(finding.code);
    diagnostic.message = readable_message(finding.message);
    diagnostic.suggestion = suggestion_in(finding.message);
    diagnostic.position = text.position(finding.line, finding.column);
    diagnostic.end = text.position(finding.end_line, finding.end_column);
    AgentText::Excerpt excerpt = text.excerpt(diagnostic.position, diagnostic.end);
    diagnostic.source_line = std::move(excerpt.line);
    diagnostic.caret = std::move(excerpt.caret);
    diagnostics.push_back(std::move(diagnostic));
  }
  return diagnostics;
}

}  // namespace glovebox::check
