#include "guest/source.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <span>
#include <string_view>

#include "guest/engine.h"
#include "guest/text.h"
#include "program/agent_program.h"
#include "program/plain_types.h"
#include "program/statements.h"

namespace glovebox::guest {
namespace {

// The code stands on lines of its own, so that its columns are the user's and its lines are off by one.
struct Wrapper {
  const char* before;
  const char* after;
};
constexpr Wrapper kExpression = {"\"use strict\";(async()=>(\n", "\n))"};
constexpr std::string_view kReturn = ";return(";
constexpr Wrapper kBody = {"\"use strict\";(async()=>{\n", "\n})"};

v8::Local<v8::String> wrap(v8::Isolate* isolate, const Wrapper& wrapper, v8::Local<v8::String> code) {
  const auto head = v8::String::Concat(isolate, name(isolate, wrapper.before), code);
  return v8::String::Concat(isolate, head, name(isolate, wrapper.after));
}

v8::MaybeLocal<v8::Function> compile(v8::Local<v8::Context> context, v8::Local<v8::String> text,
                                     v8::Local<v8::String> script_name) {
  v8::ScriptOrigin origin(script_name);
  v8::ScriptCompiler::Source source(text, origin);
  v8::Local<v8::Script> script;
  v8::Local<v8::Value> value;
  if (!v8::ScriptCompiler::Compile(context, &source).ToLocal(&script) || !script->Run(context).ToLocal(&value) ||
      !value->IsFunction()) {
    return {};
  }
  return value.As<v8::Function>();
}

// `f<T>(x)` is JavaScript too, two comparisons, and means something else. Where that may be meant, types go first.
bool may_call_with_type_arguments(const std::string& code) {
  for (std::size_t at = code.find('>'); at != std::string::npos; at = code.find('>', at + 1)) {
    if (at == 0 || code[at - 1] == '=') continue;
    std::size_t next = at + 1;
    while (next < code.size() && std::isspace(static_cast<unsigned char>(code[next]))) ++next;
    if (next < code.size() && (code[next] == '(' || code[next] == '`') && code.rfind('<', at) != std::string::npos) {
      return true;
    }
  }
  return false;
}

// Past white space and comments.
std::size_t find_first_word(std::string_view code) {
  std::size_t at = 0;
  while ((at = code.find_first_not_of(" \t\r\n", at)) != std::string_view::npos && code[at] == '/') {
    const std::string_view opening = code.substr(at, 2);
    if (opening != "//" && opening != "/*") break;
    const bool is_line = opening == "//";
    const std::size_t end = is_line ? code.find_first_of("\r\n", at) : code.find("*/", at + 2);
    if (end == std::string_view::npos) return end;
    // Unicode has two more line breaks, which hardly any program has.
    const std::string_view comment = code.substr(at, end - at);
    for (const char* line_break : {"\u2028", "\u2029"}) {
      if (is_line && comment.find(line_break) != std::string_view::npos) return std::string_view::npos;
    }
    at = is_line ? end : end + 2;
  }
  return at;
}

// A first word with which no expression begins: there is no need to try it as one.
bool begins_with_statement(const std::string& code) {
  const std::size_t from = find_first_word(code);
  if (from == std::string::npos) return false;
  const std::size_t length = std::min(code.find_first_not_of("abcdefghijklmnopqrstuvwxyz", from), code.size()) - from;
  const std::string_view word(code.data() + from, length);
  for (const std::string_view keyword :
       {"const", "return", "let", "for", "if", "while", "var", "try", "throw", "switch", "do", "enum", "interface",
        "type", "declare", "namespace", "abstract", "export"}) {
    // `let`, `type` and the like are names too; followed by a space and a name they are not.
    if (word == keyword) return from + length < code.size() && code[from + length] == ' ';
  }
  return false;
}

// A last statement whose value may be what the program is for.
bool may_have_value(std::string_view statement) {
  const std::string_view word = program::word_at(statement, 0);
  for (const std::string_view keyword :
       {"return", "const", "let", "var", "for", "while", "do", "if", "switch", "try", "throw", "function", "class",
        "break", "continue", "debugger", "with", "import", "export"}) {
    if (word == keyword) return false;
  }
  return word != "async" || !statement.starts_with("async function");
}

// Most programs end with a return, as their last line without an indent shows: those need no search for their end.
bool plainly_returns(std::string_view code) {
  std::size_t end = code.size();
  while (end > 0) {
    const std::size_t begin = code.rfind('\n', end - 1) == std::string_view::npos ? 0 : code.rfind('\n', end - 1) + 1;
    const std::string_view line = code.substr(begin, end - begin);
    constexpr std::string_view kNoBeginning = " \t\r})]/;";
    if (!line.empty() && kNoBeginning.find(line.front()) == std::string_view::npos) return line.starts_with("return ");
    end = begin == 0 ? 0 : begin - 1;
  }
  return false;
}

int count_lines(const std::string& code) {
  int lines = 1;
  for (const char c : code) lines += c == '\n';
  return lines;
}

class Compiler {
 public:
  Compiler(Engine& engine, const SourceText& source)
      : engine_(engine), isolate_(engine.isolate()), context_(engine.context()), name_(source.name) {
    code_ = without_signature(source.code);
    text_ = to_utf8(isolate_, code_);
    typescript_ = source.typescript;
    read_program();
  }

  std::optional<ErrorReport> compile_to(Program& program) {
    program.text = code_;
    if (auto report = compile_function(program.function)) return report;
    program.gives_last_value = gives_last_value_;
    return std::nullopt;
  }

 private:
  // Only what is no JavaScript as it stands is read in another way. Fences happen to be JavaScript: an empty template
  // literal, called.
  void read_program() {
    if (auto unfenced = program::without_fences(text_)) set_text(std::move(*unfenced));
    auto read = program::read_agent_program(text_);
    if (!read || (read->code != text_ && compiles(kBody, text_))) return;
    if (read->code != text_) set_text(std::move(read->code));
    tail_ = std::move(read->tail);
  }

  void set_text(std::string text) {
    text_ = std::move(text);
    code_ = to_v8(isolate_, text_);
  }

  std::optional<ErrorReport> compile_function(v8::Local<v8::Function>& program) {
    const bool strip_first = typescript_ && may_call_with_type_arguments(text_);
    if (!strip_first) {
      if (try_as_javascript(program)) return std::nullopt;
      if (!typescript_) {
        tell_other_language();
        return report_;
      }
    }
    if (!strip_first && try_plain_types(program)) return std::nullopt;
    // Where amaro is there already, it is as quick.
    if (!engine_.type_stripper().is_loaded() && try_blanking(program)) return std::nullopt;
    if (try_as_typescript(program)) return std::nullopt;
    tell_other_language();
    return report_;
  }

  void tell_other_language() {
    if (!program::looks_like_python(text_)) return;
    if (report_.code == "MODULE_DENIED") report_.message = "SyntaxError: this is not a JavaScript import";
    report_.type = "SyntaxError";
    report_.code = "SYNTAX_ERROR";
    report_.message += "\nThis looks like Python: set language to \"python\".";
  }

  // A byte order mark is not code, and a hashbang line is a comment.
  v8::Local<v8::String> without_signature(v8::Local<v8::String> code) {
    std::uint16_t start[3] = {};
    code->WriteV2(isolate_, 0, std::min<std::uint32_t>(3, static_cast<std::uint32_t>(code->Length())), start);
    const int mark = start[0] == 0xfeff ? 1 : 0;
    if (start[mark] == '#' && start[mark + 1] == '!') {
      return v8::String::Concat(isolate_, name(isolate_, "//"), tail(code, mark + 2));
    }
    return mark ? tail(code, mark) : code;
  }

  v8::Local<v8::String> tail(v8::Local<v8::String> text, int from) { return part(text, from, text->Length() - from); }

  v8::Local<v8::String> part(v8::Local<v8::String> text, int from, int length) {
    std::vector<std::uint16_t> units(static_cast<std::size_t>(length));
    text->WriteV2(isolate_, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(length), units.data());
    return v8::String::NewFromTwoByte(isolate_, units.data(), v8::NewStringType::kNormal, length).ToLocalChecked();
  }

  // Of what fails both as an expression and as a body, the body's error is the one to report.
  std::span<const Wrapper> wrappers() const {
    static constexpr Wrapper kBoth[] = {kExpression, kBody};
    return begins_with_statement(text_) || begins_with_declaration() ? std::span(kBoth).subspan(1) : std::span(kBoth);
  }

  // A function alone is an expression. With a bracket on the next line it would be, too, which is never meant.
  bool begins_with_declaration() const {
    const std::size_t from = find_first_word(text_);
    if (from == std::string::npos) return false;
    const std::string_view code = std::string_view(text_).substr(from);
    const bool declares =
        code.starts_with("function") || code.starts_with("async function") || code.starts_with("class ");
    return declares && program::top_level_statements(text_).size() > 1;
  }

  // `1 + 1;` is meant as an expression.
  v8::Local<v8::String> wrapped(const Wrapper& wrapper) {
    const std::size_t end = text_.find_last_not_of(" \t\r\n;");
    const bool has_semicolon = end != std::string::npos && text_.find(';', end) != std::string::npos;
    if (wrapper.before == kBody.before) return wrap(isolate_, wrapper, with_tail());
    if (!has_semicolon) return wrap(isolate_, wrapper, code_);
    return wrap(isolate_, wrapper, to_v8(isolate_, std::string_view(text_).substr(0, end + 1)));
  }

  v8::Local<v8::String> with_tail() {
    return tail_.empty() ? code_ : v8::String::Concat(isolate_, code_, to_v8(isolate_, "\n" + tail_));
  }

  bool compiles(const Wrapper& wrapper, std::string_view code) {
    const v8::TryCatch try_catch(isolate_);
    v8::Local<v8::Function> ignored;
    return compile(context_, wrap(isolate_, wrapper, to_v8(isolate_, code)), name_).ToLocal(&ignored);
  }

  // A body that ends with an expression gives its value, as it would at a prompt. The engine confirms that what stands
  // before is complete and that the rest is an expression: then a `return` between them changes nothing else.
  void return_last_value(v8::Local<v8::String> wrapped_body, v8::Local<v8::Function>& program) {
    const auto before = static_cast<int>(std::strlen(kBody.before));
    const int length = wrapped_body->Length() - before - static_cast<int>(std::strlen(kBody.after));
    if (length <= 0) return;
    const auto body_text = part(wrapped_body, before, length);
    const std::string body = to_utf8(isolate_, body_text);
    const auto statements = program::top_level_statements(body);
    if (statements.empty()) return;
    const program::SourceStatement last = statements.back();
    std::string_view value = std::string_view(body).substr(last.begin, last.end - last.begin);
    if (!may_have_value(value)) return;
    while (value.ends_with(';')) value.remove_suffix(1);
    const std::size_t rest_end = statements.size() > 1 ? statements[statements.size() - 2].end : 0;
    const std::string rest = body.substr(0, rest_end);
    const std::string_view gap = std::string_view(body).substr(rest_end, last.begin - rest_end);
    // On a line of its own a word begins a statement, whatever stands above; a bracket may continue with that.
    const bool may_continue = std::string_view("([`+-/*").find(value.front()) != std::string_view::npos;
    const bool needs_end = may_continue || gap.find('\n') == std::string_view::npos;
    if (!compiles(kBody, needs_end && !rest.empty() ? rest + " debugger" : rest) || !compiles(kExpression, value))
      return;
    // Before the line break, so that columns stay.
    const std::string returning = rest + std::string(kReturn) + std::string(gap) + std::string(value) + "\n)";
    const v8::TryCatch try_catch(isolate_);
    v8::Local<v8::Function> returns;
    if (!to_v8(isolate_, body)->StringEquals(body_text)) return;  // half a character, which UTF-8 does not have
    if (!compile(context_, wrap(isolate_, kBody, to_v8(isolate_, returning)), name_).ToLocal(&returns)) return;
    program = returns;
    gives_last_value_ = true;
    if (gap.find('\n') == std::string_view::npos) shift_columns(rest);
  }

  // What stands behind `rest` on its line has moved by a `return`.
  void shift_columns(const std::string& rest) {
    const std::size_t line_begin = rest.rfind('\n') == std::string::npos ? 0 : rest.rfind('\n') + 1;
    const int column = to_v8(isolate_, std::string_view(rest).substr(line_begin))->Length() + 1;
    v8::Local<v8::Value> arguments[] = {v8::Integer::New(isolate_, count_lines(rest) + 1),
                                        v8::Integer::New(isolate_, column),
                                        v8::Integer::New(isolate_, static_cast<int>(kReturn.size()))};
    engine_.prelude_function("shift_columns")->Call(context_, v8::Undefined(isolate_), 3, arguments).ToLocalChecked();
  }

  bool compile_body_or_value(const Wrapper& wrapper, v8::Local<v8::String> text, v8::Local<v8::Function>& program) {
    if (!compile(context_, text, name_).ToLocal(&program)) return false;
    if (wrapper.before == kBody.before && !plainly_returns(text_)) return_last_value(text, program);
    return true;
  }

  bool try_as_javascript(v8::Local<v8::Function>& program) {
    for (const Wrapper& wrapper : wrappers()) {
      v8::TryCatch try_catch(isolate_);
      if (compile_body_or_value(wrapper, wrapped(wrapper), program)) return true;
      // Types come off next; what JavaScript thinks of them is of no interest.
      if (!typescript_ && wrapper.before == kBody.before) report_syntax_error(try_catch);
    }
    return false;
  }

  // The fastest way, for types that are found without a parser, in what cannot be an expression.
  bool try_plain_types(v8::Local<v8::Function>& program) {
    if (wrappers().size() > 1 || !tail_.empty()) return false;
    const auto blanked = program::blank_plain_types(text_);
    if (!blanked) return false;
    const v8::TryCatch try_catch(isolate_);
    return compile_body_or_value(kBody, wrap(isolate_, kBody, to_v8(isolate_, *blanked)), program);
  }

  // The fast way, for what needs no more than spaces in place of types. It must not take for a body what amaro would
  // take for an expression: of that the parser and V8 have to be sure, each by itself.
  bool try_blanking(v8::Local<v8::Function>& program) {
    const v8::TryCatch try_catch(isolate_);
    for (const Wrapper& wrapper : wrappers()) {
      v8::Local<v8::Value> typed = wrapped(wrapper);
      v8::Local<v8::Value> blanked;
      const auto blank = engine_.prelude_function("blank_types");
      if (!blank->Call(context_, v8::Undefined(isolate_), 1, &typed).ToLocal(&blanked)) return false;
      const bool is_body = wrapper.before == kBody.before;
      if (!blanked->IsString()) {
        // No TypeScript at all, as far as the parser can tell: as an expression that is to be expected.
        if (blanked->IsUndefined() && !is_body) continue;
        return false;
      }
      const auto text = blanked.As<v8::String>();
      if (is_body && wrappers().size() > 1 && is_expression(text)) return false;
      if (compile_body_or_value(wrapper, text, program)) return true;
    }
    return false;
  }

  bool is_expression(v8::Local<v8::String> body) {
    const auto before = static_cast<int>(std::strlen(kBody.before));
    int length = body->Length() - before - static_cast<int>(std::strlen(kBody.after));
    // As in wrapped().
    const auto ends_in_nothing = [&] {
      std::uint16_t last = 0;
      body->WriteV2(isolate_, static_cast<std::uint32_t>(before + length - 1), 1, &last);
      return last == ' ' || last == '\t' || last == '\r' || last == '\n' || last == ';';
    };
    while (length > 0 && ends_in_nothing()) --length;
    const auto code = part(body, before, length);
    v8::Local<v8::Function> ignored;
    return compile(context_, wrap(isolate_, kExpression, code), name_).ToLocal(&ignored);
  }

  bool try_as_typescript(v8::Local<v8::Function>& program) {
    const auto strip = engine_.prelude_function("strip_types");
    for (const Wrapper& wrapper : wrappers()) {
      v8::TryCatch try_catch(isolate_);
      v8::Local<v8::Value> typed = wrapped(wrapper);
      v8::Local<v8::Value> stripped;
      if (!strip->Call(context_, v8::Undefined(isolate_), 1, &typed).ToLocal(&stripped)) {
        // Not the code's syntax: the stripper itself gave up, on 10^5 brackets or for want of memory.
        report_ = engine_.errors().describe(context_, try_catch.Exception());
        report_.message = "the types could not be removed: " + report_.message;
        if (report_.code == "RUNTIME_ERROR") report_.code = "SYNTAX_ERROR";
        if (report_.code == "SYNTAX_ERROR") report_.type = "SyntaxError";
        continue;
      }
      if (stripped->IsString()) {
        if (compile_body_or_value(wrapper, stripped.As<v8::String>(), program)) return true;
        report_syntax_error(try_catch);
      } else if (stripped->IsObject()) {
        report_stripper_error(stripped.As<v8::Object>());
      }
    }
    return false;
  }

  void report_syntax_error(const v8::TryCatch& try_catch) {
    int line = 0;
    int column = 0;
    if (const auto message = try_catch.Message(); !message.IsEmpty()) {
      line = message->GetLineNumber(context_).FromMaybe(0);
      column = message->GetStartColumn(context_).FromMaybe(0) + 1;
    }
    ErrorReport thrown = engine_.errors().describe(context_, try_catch.Exception());
    if (thrown.code == "RUNTIME_ERROR") {
      thrown.type = "SyntaxError";
      thrown.code = "SYNTAX_ERROR";
    }
    place(std::move(thrown), line, column);
  }

  void report_stripper_error(v8::Local<v8::Object> error) {
    const auto number = [&](const char* field) {
      v8::Local<v8::Value> value;
      if (!error->Get(context_, name(isolate_, field)).ToLocal(&value)) return 0;
      return value->Int32Value(context_).FromMaybe(0);
    };
    v8::Local<v8::Value> message;
    ErrorReport report;
    report.type = "SyntaxError";
    report.code = "SYNTAX_ERROR";
    if (error->Get(context_, name(isolate_, "message")).ToLocal(&message) && message->IsString()) {
      report.message = "SyntaxError: " + to_utf8(isolate_, message.As<v8::String>(), 2000);
    }
    place(std::move(report), number("line"), number("column"));
  }

  void place(ErrorReport report, int line, int column) {
    const int lines = count_lines(text_);
    report.line = line - 1;
    report.column = column;
    if (report.line > lines) {
      // The error is in the wrapper: the code stopped before it was complete.
      report.message = "SyntaxError: Unexpected end of the code";
      report.line = lines;
      const std::size_t last_line = text_.rfind('\n') == std::string::npos ? 0 : text_.rfind('\n') + 1;
      report.column = static_cast<int>(text_.size() - last_line) + 1;
    }
    if (report.line < 1) report.line = report.column = 0;
    report.stack.clear();
    if (report.line > 0) {
      report.stack = report.message + "\n    at " + to_utf8(isolate_, name_, 255) + ":" + std::to_string(report.line) +
                     ":" + std::to_string(report.column);
    }
    if (report.message.find("Cannot use import statement outside a module") != std::string::npos ||
        report.message.find("'import', and 'export' cannot be used outside of module code") != std::string::npos) {
      report.type = "PermissionError";
      report.code = "MODULE_DENIED";
      report.message =
          "PermissionDenied: modules cannot be imported or exported in the sandbox; "
          "everything the code may use is a global";
    }
    report_ = std::move(report);
  }

  Engine& engine_;
  v8::Isolate* isolate_;
  v8::Local<v8::Context> context_;
  v8::Local<v8::String> name_;
  v8::Local<v8::String> code_;
  std::string text_;
  std::string tail_;
  bool typescript_ = true;
  bool gives_last_value_ = false;
  ErrorReport report_;
};

}  // namespace

std::optional<ErrorReport> compile_program(Engine& engine, const SourceText& source, Program& program) {
  return Compiler(engine, source).compile_to(program);
}

}  // namespace glovebox::guest
