// Questions and parts as bytes, for the socket to the process that reads schemas. A field is its length, as four bytes
// in the machine's order, and its bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "types/part.h"

namespace glovebox::types {

std::string encode(const PartQuestion& question);
// Its views lead into `bytes`. Nothing where `bytes` are no question.
std::optional<PartQuestion> decode_question(std::string_view bytes);

std::string encode(const Part& part);
// Nothing where `bytes` are no part. What the part says is not checked: part_check.h.
std::optional<Part> decode_part(std::string_view bytes);

}  // namespace glovebox::types
