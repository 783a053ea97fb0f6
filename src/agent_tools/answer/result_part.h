// Results and logs that are larger than a model should read at once: their shape, their beginning, and how to read
// more.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"

namespace glovebox::agent_tools {

struct Budget {
  std::size_t bytes = std::size_t{40} * 1024;  // of a result, as JSON
  // What the client may see of a JSON text. Asked before anything is cut: half a private value is not known as one.
  std::function<std::string(std::string)> as_client_sees;
};

struct ResultPart {
  std::string json;                 // an object: members of the structured answer
  std::string text;                 // the same in words
  std::vector<std::string> blocks;  // pictures and the like that are in it; see media_blocks.h
};

// The beginning of a result that is beyond its budget: its "shape", "head", and how to read on ("next").
ResultPart beginning_of_result(const std::string& run, std::string_view result, const Budget& budget);

// Which part of an ExecutionResult: `path` is a JSON pointer, `offset` and `limit` count items of a list, members of an
// object or bytes of a text. A limit of 0 is as many as fit.
struct PartWish {
  std::string path;
  std::size_t offset = 0;
  std::size_t limit = 0;
};
// "value", of how many ("total"), and where it continues ("next"), where it does. What does not fit by itself is named
// by its shape.
Result<ResultPart> read_part(const std::string& run, const std::string& outcome_json, const PartWish& wish,
                             const Budget& budget);

// The command that reads on from there.
std::string reading_on(const std::string& run, const std::string& path, std::size_t offset);

}  // namespace glovebox::agent_tools
