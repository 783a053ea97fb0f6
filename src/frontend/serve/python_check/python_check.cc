#include "frontend/serve/python_check/python_check.h"

#include <algorithm>
#include <boost/json.hpp>
#include <optional>

#include "broker/log_text.h"
#include "catalog/names.h"
#include "check/agent_text.h"
#include "config/nearest_word.h"
#include "frontend/serve/python_check/python_calls.h"
#include "frontend/serve/tool_advice/tool_advice.h"
#include "wire/program/agent_program.h"

namespace glovebox::frontend {
namespace {

namespace json = boost::json;
using Value = PythonArgument::Value;

constexpr const char* kWrongArguments = "WRONG_ARGUMENTS";
constexpr std::size_t kMostFindings = 100;
constexpr std::size_t kMostNames = 12;

std::string word_for(Value value) {
  switch (value) {
    case Value::kText:
    case Value::kMadeText: return "string";
    case Value::kInteger: return "integer";
    case Value::kNumber: return "number";
    case Value::kTruth: return "boolean";
    case Value::kNone: return "null";
    case Value::kList: return "array";
    case Value::kDict: return "object";
    case Value::kUnknown: break;
  }
  return "";
}

// The types of a schema that says no more than that; none where it says it in another way.
std::vector<std::string> types_of(const json::object& schema) {
  for (const char* other : {"$ref", "anyOf", "oneOf", "allOf", "not", "if", "const"})
    if (schema.contains(other)) return {};
  std::vector<std::string> types;
  const json::value* type = schema.if_contains("type");
  if (type && type->is_string()) types.emplace_back(type->get_string());
  if (type && type->is_array())
    for (const json::value& one : type->get_array())
      if (one.is_string()) types.emplace_back(one.get_string());
  return types;
}

bool fits(const std::string& word, const std::vector<std::string>& types) {
  const auto has = [&](std::string_view type) { return std::find(types.begin(), types.end(), type) != types.end(); };
  return has(word) || (word == "integer" && has("number"));
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kMostNames ? text + ", …" : text;
}

// A tool's arguments, where its schema names them all.
class Parameters {
 public:
  static std::optional<Parameters> of(const std::string& schema_json) {
    boost::system::error_code error;
    json::value schema = json::parse(schema_json, error);
    if (error || !schema.is_object()) return std::nullopt;
    json::object& object = schema.get_object();
    for (const char* other : {"$ref", "anyOf", "oneOf", "allOf", "patternProperties", "if", "not"})
      if (object.contains(other)) return std::nullopt;
    const json::value* more = object.if_contains("additionalProperties");
    Parameters parameters;
    // As the declarations have it: what is not listed is a mistake, unless the schema says otherwise.
    parameters.takes_more_ = more && !(more->is_bool() && !more->get_bool());
    if (json::value* properties = object.if_contains("properties"); properties && properties->is_object())
      parameters.properties_ = std::move(properties->get_object());
    else if (!more)
      parameters.takes_more_ = true;
    if (const json::value* required = object.if_contains("required"); required && required->is_array())
      for (const json::value& name : required->get_array())
        if (name.is_string()) parameters.required_.emplace_back(name.get_string());
    return parameters;
  }

  bool takes(const std::string& name) const { return takes_more_ || properties_.contains(name); }
  const std::vector<std::string>& required() const { return required_; }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& property : properties_) all.emplace_back(property.key());
    return all;
  }

  // Why the value does not fit; empty when it does, or when nobody can tell.
  std::string why_not(const PythonArgument& argument) const {
    const json::value* schema = properties_.if_contains(argument.name);
    if (!schema || !schema->is_object() || argument.value == Value::kUnknown) return "";
    const std::vector<std::string> types = types_of(schema->get_object());
    if (!types.empty() && !fits(word_for(argument.value), types))
      return "must be " + listed(types) + ", not " + word_for(argument.value);
    const json::value* values = schema->get_object().if_contains("enum");
    if (argument.value != Value::kText || !values || !values->is_array()) return "";
    std::vector<std::string> known;
    for (const json::value& value : values->get_array()) {
      if (value.is_string() && std::string_view(value.get_string()) == argument.text) return "";
      known.push_back(json::serialize(value));
    }
    return "must be one of " + listed(known);
  }

 private:
  json::object properties_;
  std::vector<std::string> required_;
  bool takes_more_ = false;
};

class PythonCheck {
 public:
  PythonCheck(const std::string& code, const catalog::Catalog& catalog, const std::vector<std::string>& open)
      : code_(wire::without_fences(code).value_or(code)), text_(code), catalog_(catalog), open_(open) {}

  std::vector<Diagnostic> run() {
    const std::vector<std::string> servers = catalog_.servers();
    const auto is_server = [&](std::string_view name) {
      return std::find(servers.begin(), servers.end(), name) != servers.end();
    };
    for (const PythonCall& call : python_calls(code_, is_server)) {
      if (found_.size() >= kMostFindings) break;
      look_at(call);
    }
    return std::move(found_);
  }

 private:
  void look_at(const PythonCall& call) {
    const std::string server = catalog_.resolve_server(call.server);
    const std::string& known = server.empty() ? call.server : server;
    if (std::find(open_.begin(), open_.end(), known) != open_.end()) return;
    if (server.empty())
      return add(kUnknownServer, unknown_server_message(call.server), call.server_begin, call.server_end);
    if (call.tool.empty() || call.tool.starts_with("__")) return;
    const auto tool = catalog_.known(server, call.tool);
    if (!tool) return add(kUnknownTool, unknown_tool_message(server, call.tool), call.tool_begin, call.tool_end);
    if (call.is_call && tool->state == catalog::Tool::State::kUsable) look_at_arguments(call, *tool);
  }

  void look_at_arguments(const PythonCall& call, const catalog::Tool& tool) {
    const auto parameters = Parameters::of(tool.input_schema);
    if (!parameters) return;
    const std::string label = tool.server + "." + catalog::written_name(tool);
    if (call.is_placed) {
      return add(kWrongArguments, label + " takes named arguments: " + call_form(catalog_, tool, true), call.tool_begin,
                 call.tool_end);
    }
    for (const PythonArgument& argument : call.arguments) {
      if (!parameters->takes(argument.name)) {
        const std::vector<std::string> names = parameters->names();
        const std::vector<std::string_view> candidates(names.begin(), names.end());
        const std::string meant(config::nearest_word(argument.name, candidates));
        add(kWrongArguments,
            label + " takes no argument '" + argument.name + "'; " +
                (!meant.empty()  ? "did you mean " + meant + "?"
                 : names.empty() ? "it takes none"
                                 : "it takes " + listed(names)),
            argument.begin, argument.end, meant);
      } else if (const std::string why = parameters->why_not(argument); !why.empty()) {
        add(kWrongArguments, argument.name + " of " + label + " " + why, argument.value_begin, argument.value_end);
      }
    }
    if (call.is_open) return;
    std::vector<std::string> missing;
    for (const std::string& name : parameters->required()) {
      const bool is_there = std::any_of(call.arguments.begin(), call.arguments.end(),
                                        [&](const PythonArgument& argument) { return argument.name == name; });
      if (!is_there) missing.push_back(name);
    }
    if (!missing.empty()) add(kWrongArguments, label + " needs " + listed(missing), call.tool_begin, call.tool_end);
  }

  void add(const char* code, std::string message, std::size_t begin, std::size_t end, std::string suggestion = "") {
    Diagnostic found;
    found.about = Diagnostic::About::kTools;
    found.code = code;
    found.message = broker::neutralise(message);
    found.suggestion = broker::neutralise(suggestion);
    found.position = position(begin);
    found.end = position(end);
    check::AgentText::Excerpt excerpt = text_.excerpt(found.position, found.end);
    found.source_line = std::move(excerpt.line);
    found.caret = std::move(excerpt.caret);
    found_.push_back(std::move(found));
  }

  SourcePosition position(std::size_t offset) const {
    const std::string_view before = std::string_view(code_).substr(0, offset);
    const auto line = std::count(before.begin(), before.end(), '\n');
    const std::size_t begin = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
    long column = 0;
    // In units of UTF-16: a character of four bytes has two.
    for (const char c : before.substr(begin)) {
      const auto byte = static_cast<unsigned char>(c);
      column += (byte & 0xc0) != 0x80 ? (byte >= 0xf0 ? 2 : 1) : 0;
    }
    return text_.position(line + 1, column);
  }

  const std::string code_;
  const check::AgentText text_;
  const catalog::Catalog& catalog_;
  const std::vector<std::string>& open_;
  std::vector<Diagnostic> found_;
};

}  // namespace

std::vector<Diagnostic> check_python(const std::string& code, const catalog::Catalog& catalog,
                                     const std::vector<std::string>& open) {
  return PythonCheck(code, catalog, open).run();
}

}  // namespace glovebox::frontend
