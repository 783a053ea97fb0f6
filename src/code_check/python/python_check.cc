#include "code_check/python/python_check.h"

#include <algorithm>
#include <boost/json.hpp>
#include <set>

#include "base/text/log_text.h"
#include "catalog/names.h"
#include "check/agent_text.h"
#include "code_check/python/written_arguments.h"
#include "code_check/tool_advice.h"

namespace glovebox::code_check {
namespace {

constexpr const char* kWrongArguments = "WRONG_ARGUMENTS";
constexpr std::size_t kMostFindings = 100;

class PythonCheck {
 public:
  PythonCheck(const std::string& code, const WrittenCalls& written, const catalog::Catalog& catalog,
              const std::vector<std::string>& open)
      : text_(code), written_(written), catalog_(catalog), open_(open) {}

  std::vector<Diagnostic> run() {
    for (const WrittenCall& call : written_.calls) {
      if (found_.size() >= kMostFindings) break;
      check_call(call);
    }
    return std::move(found_);
  }

 private:
  // A guest that reads one program after the other could report names of earlier programs for this one.
  bool is_written(const std::string& name) const { return text_.code().find(name) != std::string::npos; }

  void check_call(const WrittenCall& call) {
    if (!is_written(call.server) || !is_written(call.tool)) return;
    const std::string server = catalog_.resolve_server(call.server);
    const std::string& known = server.empty() ? call.server : server;
    if (std::find(open_.begin(), open_.end(), known) != open_.end()) return;
    if (server.empty()) {
      if (written_.names_known && unknown_.insert(call.server).second)
        add(kUnknownServer, unknown_server_message(call.server), call.server_begin, call.server_end);
      return;
    }
    if (call.tool.empty()) return;
    const auto tool = catalog_.known(server, call.tool);
    if (!tool) {
      if (written_.names_known) add(kUnknownTool, unknown_tool_message(server, call.tool), call.begin, call.end);
      return;
    }
    if (call.arguments.is_object() && tool->state == catalog::Tool::State::kUsable) check_arguments(call, *tool);
  }

  void check_arguments(const WrittenCall& call, const catalog::Tool& tool) {
    const std::string label = tool.server + "." + catalog::written_name(tool);
    if (const auto* placed = call.arguments.get_object().if_contains("is_placed");
        placed && placed->is_bool() && placed->get_bool()) {
      return add(kWrongArguments, label + " takes named arguments: " + call_form(catalog_, tool, true), call.begin,
                 call.end);
    }
    for (ArgumentMistake& mistake : argument_mistakes(call.arguments, tool.input_schema, label)) {
      if (!is_written(mistake.name)) continue;
      const bool has_place = mistake.begin.line > 0;
      add(kWrongArguments, std::move(mistake.message), has_place ? mistake.begin : call.begin,
          has_place ? mistake.end : call.end, std::move(mistake.suggestion));
    }
  }

  void add(const char* code, std::string message, const SourcePosition& begin, const SourcePosition& end,
           std::string suggestion = "") {
    Diagnostic found;
    found.about = Diagnostic::About::kTools;
    found.code = code;
    found.message = base::neutralise(message);
    found.suggestion = base::neutralise(suggestion);
    found.position = text_.position(begin.line, begin.column - 1);
    found.end = text_.position(end.line, end.column - 1);
    check::AgentText::Excerpt excerpt = text_.excerpt(found.position, found.end);
    found.source_line = std::move(excerpt.line);
    found.caret = std::move(excerpt.caret);
    found_.push_back(std::move(found));
  }

  const check::AgentText text_;
  const WrittenCalls& written_;
  const catalog::Catalog& catalog_;
  const std::vector<std::string>& open_;
  std::set<std::string> unknown_;  // servers, each reported once
  std::vector<Diagnostic> found_;
};

}  // namespace

std::vector<Diagnostic> check_python(const std::string& code, const WrittenCalls& written,
                                     const catalog::Catalog& catalog, const std::vector<std::string>& open) {
  return PythonCheck(code, written, catalog, open).run();
}

}  // namespace glovebox::code_check
