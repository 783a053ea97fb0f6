// References in arguments: "$OUTPUT[fetch].items[0].name" is the output of the task `fetch`, "$INPUT.city" the
// workflow's input. A text that is nothing but a reference becomes the value, of whatever type; within a longer text a
// reference becomes text. "$$OUTPUT" is the word itself.
#pragma once

#include <boost/json.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "glovebox/result.h"

namespace glovebox::workflow {

struct Reference {
  std::string task;  // empty: $INPUT
  std::vector<std::variant<std::string, std::size_t>> path;
};

// A text, split at its references.
using TextPiece = std::variant<std::string, Reference>;
Result<std::vector<TextPiece>> cut_text(std::string_view text);

// Every reference in the value, with the JSON pointer of its text, beginning with `at`; or what is wrong with one.
struct FoundReference {
  std::string pointer;
  Reference reference;
};
struct BadReference {
  std::string pointer;
  std::string message;
};
void find_references(const boost::json::value& value, const std::string& at, std::vector<FoundReference>& found,
                     std::vector<BadReference>& bad);

// Of what a task gets of others, as JSON: no run takes a larger context. Each reference is a copy, so without a bound a
// short definition could ask for any number of copies of a large output.
inline constexpr std::size_t kMostContextBytes = std::size_t{32} << 20;
// Takes about what the value has as JSON from `room`. False when there is not that much.
bool take_room(const boost::json::value& value, std::size_t& room);

// The value with all references replaced. `output` returns the output of a task, or null where there is none. Fails
// beyond kMostContextBytes.
using OutputOf = std::function<const boost::json::value*(const std::string& task)>;
Result<boost::json::value> resolve(const boost::json::value& value, const boost::json::value& input,
                                   const OutputOf& output);

// One step of a JSON pointer.
std::string pointer_step(std::string_view key);

}  // namespace glovebox::workflow
