#include "workspace/report.h"

#include <algorithm>
#include <cstdio>

#include "base/text/log_text.h"
#include "base/text/utf8.h"
#include "terminal/exit_codes.h"

namespace glovebox::cli {
namespace {

std::string valid_utf8(std::string_view text) {
  std::string valid(text);
  if (!base::is_utf8(valid))
    std::replace_if(
        valid.begin(), valid.end(), [](char c) { return c < 0; }, '?');
  return valid;
}

void print_failure(const catalog::CallFailure& failure, const std::string& tool = "") {
  ObjectText error;
  error.text("code", failure.code.name()).text("message", failure.message).text_if("toolName", tool);
  print_json(ObjectText().flag("ok", false).json("error", error.done()).done());
}

}  // namespace

void print_json(std::string_view json) {
  std::puts(base::neutralise_json(json).c_str());
}

void print_line(std::string_view text) {
  std::puts(base::neutralise(valid_utf8(text)).c_str());
}

void print_table(const std::vector<std::vector<std::string>>& rows) {
  const auto width = [](const std::string& cell) {
    return static_cast<std::size_t>(
        std::count_if(cell.begin(), cell.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  };
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line.append(widths[i] - width(row[i]) + 2, ' ');
    }
    print_line(line);
  }
}

void print_note(std::string_view text) {
  std::fprintf(stderr, "%s\n", base::neutralise(valid_utf8(text)).c_str());
}

int fail_with(int exit_code, ErrorWord code, const std::string& message, bool json) {
  return fail_with(exit_code, catalog::CallFailure{code, message}, json);
}

int fail_with(int exit_code, const catalog::CallFailure& failure, bool json) {
  if (json) print_failure(failure);
  print_note("glovebox: " + failure.message);
  return exit_code;
}

int fail_usage(const std::string& message, bool json) {
  return fail_with(kUsage, "USAGE", message, json);
}

int exit_code_of(const catalog::CallFailure& failure) {
  const auto word = failure.code.word();
  return word && word->area() == ErrorWord::Area::kCall ? word->exit_code() : static_cast<int>(kToolFailed);
}

int fail_call(const catalog::CallFailure& failure, bool json, const std::string& tool) {
  if (json) print_failure(failure, tool);
  print_note("glovebox: " + failure.code.text() + ": " + failure.message);
  return exit_code_of(failure);
}

std::string first_line(std::string_view text, std::size_t most) {
  const std::string_view line = text.substr(0, text.find('\n'));
  return std::string(base::beginning_of(line, most)) + (line.size() > most ? "…" : "");
}

}  // namespace glovebox::cli
