// That declarations are well formed and declare nothing but what is ours, by other means than types/part_check.h.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "expect.h"

// The code of a TypeScript text, with strings as "" and without comments. Aborts if one of them is not closed or
// contains a line terminator.
inline std::string code_of(std::string_view text) {
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

inline void check_typescript(std::string_view text, bool is_alone) {
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

inline void check_python(const std::string& text) {
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
