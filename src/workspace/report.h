// How the gateway's commands report their results.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text/json_builder.h"
#include "catalog/tool_source.h"
#include "glovebox/error_word.h"

namespace glovebox::cli {

using base::json_list;
using base::ListText;
using base::ObjectText;
using base::text_list;

// Prints one JSON object, with nothing in it that moves a cursor.
void print_json(std::string_view json);
// Prints text for people, neutralised, with a line break.
void print_line(std::string_view text);
void print_note(std::string_view text);

// The first row is the heading; columns line up, and the last is as long as it is.
void print_table(const std::vector<std::vector<std::string>>& rows);

// An error on stderr and, with --json, as {"ok":false,"error":{…}}; returns `exit_code`.
int fail_with(int exit_code, ErrorWord code, const std::string& message, bool json);
int fail_with(int exit_code, const catalog::CallFailure& failure, bool json);
int fail_usage(const std::string& message, bool json);
// With the exit code that belongs to the failure.
int fail_call(const catalog::CallFailure& failure, bool json, const std::string& tool = "");
int exit_code_of(const catalog::CallFailure& failure);

// Of a text, its first line, no longer than `most` characters.
std::string first_line(std::string_view text, std::size_t most);

}  // namespace glovebox::cli
