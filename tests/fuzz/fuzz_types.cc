// A tool of an untrusted server: server, name, alias, description, input and output schema, one per line (0x1e is a
// line break within one). Whatever they contain, the declarations are well formed and declare nothing else.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "expect.h"
#include "types/declarations.h"
#include "types/limits.h"
#include "types/python_stubs.h"

namespace fuzz_types {

namespace {

using namespace glovebox::types;

// The code of a TypeScript text, with strings as "" and without comments. Aborts if one of them is not closed or
// contains a line terminator.
std::string code_of(std::string_view text) {
  std::string code;
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i, 2) == "/*") {
      const std::size_t end = text.find("*/", i + 2);
      FUZZ_EXPECT(end != text.npos);
      FUZZ_EXPECT(text.substr(i, end - i).find("@ts-") == text.npos);
      i = end + 2;
    } else if (text[i] == '"') {
      std::size_t end = i + 1;
      for (; end < text.size() && text[end] != '"'; ++end) {
        FUZZ_EXPECT(static_cast<unsigned char>(text[end]) >= 0x20);
        if (text[end] == '\\') ++end;
      }
      FUZZ_EXPECT(end < text.size());
      code += "\"\"";
      i = end + 1;
    } else {
      code += text[i++];
    }
  }
  return code;
}

void check_typescript(std::string_view text, bool is_alone) {
  FUZZ_EXPECT(text.find("\xe2\x80\xa8") == text.npos && text.find("\xe2\x80\xa9") == text.npos);
  std::string open;
  std::string statement;
  for (const char c : code_of(text)) {
    FUZZ_EXPECT(c == '\n' || (c >= 0x20 && c < 0x7f));
    FUZZ_EXPECT(std::string_view("`'@#!%^*/\\~").find(c) == std::string_view::npos);
    if (open.empty() && (c == '\n' || c == ';')) {
      const bool is_ours = statement.empty() || statement == "}" || statement.starts_with("declare const ") ||
                           statement.starts_with("interface $") ||
                           statement.starts_with("interface CallableFunction ") || statement.starts_with("type $") ||
                           (is_alone && statement.starts_with("mcp"));
      FUZZ_EXPECT(is_ours);
      statement.clear();
    } else {
      statement += c;
    }
    if (c == '{' || c == '(' || c == '[') open += c;
    if (c == '}' || c == ')' || c == ']') {
      FUZZ_EXPECT(!open.empty() && open.back() == (c == '}' ? '{' : c == ')' ? '(' : '['));
      open.pop_back();
    }
  }
  FUZZ_EXPECT(open.empty());
}

void check_python(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    FUZZ_EXPECT(line.find('\r') == line.npos && line.find('\0') == line.npos && line.find('\f') == line.npos);
    const bool is_ours = line.empty() || line.front() == ' ' || line.starts_with("from typing import ") ||
                         line.starts_with("# mcp.server.tool.raw(...) gives ") ||
                         line.starts_with("# content; else ") || line.starts_with("class _") || line.starts_with('_') ||
                         line == "})" || line == "mcp: _mcp";
    FUZZ_EXPECT(is_ours);
    at = end + 1;
  }
}

}  // namespace

FUZZ_TARGET(types) {
  std::vector<std::string> fields(1);
  for (const std::uint8_t byte : std::vector<std::uint8_t>(data, data + size)) {
    if (byte == '\n') {
      fields.emplace_back();
    } else {
      fields.back() += byte == 0x1e ? '\n' : static_cast<char>(byte);
    }
  }
  fields.resize(6);
  const ToolShape tool{.server = fields[0],
                       .name = fields[1],
                       .alias = fields[2],
                       .description = fields[3],
                       .input_schema = fields[4],
                       .output_schema = fields[5]};
  ToolShape other = tool;
  other.name += "x";
  other.server_alias = fields[2];
  for (const Form form : {Form::kCompact, Form::kFull}) {
    const std::string all = declare_all({tool, other}, form, {{fields[2], fields[1]}});
    FUZZ_EXPECT(all.size() < 4 * kMostDeclarationBytes + 64 * size + 4096);
    check_typescript(all, false);
    check_typescript(declare_tool(tool, form), true);
  }
  check_python(python_stubs({tool, other}));
  return 0;
}

}  // namespace fuzz_types
