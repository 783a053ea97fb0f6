#include "types/part_message.h"

#include <cstring>

namespace glovebox::types {
namespace {

constexpr std::size_t kMostSignatures = 2;
constexpr int kMostIndent = 64;

void append_field(std::string& bytes, std::string_view field) {
  const auto size = static_cast<std::uint32_t>(field.size());
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes += field;
}

// Takes a field off the front.
std::optional<std::string_view> take_field(std::string_view& bytes) {
  std::uint32_t size = 0;
  if (bytes.size() < sizeof size) return std::nullopt;
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes.remove_prefix(sizeof size);
  if (size > bytes.size()) return std::nullopt;
  const std::string_view field = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return field;
}

}  // namespace

std::string encode(const PartQuestion& question) {
  std::string bytes{static_cast<char>(question.kind), static_cast<char>(question.indent)};
  append_field(bytes, question.prefix);
  append_field(bytes, question.input_schema);
  append_field(bytes, question.output_schema);
  for (const std::string& name : question.taken) append_field(bytes, name);
  return bytes;
}

std::optional<PartQuestion> decode_question(std::string_view bytes) {
  if (bytes.size() < 2) return std::nullopt;
  PartQuestion question;
  question.kind = static_cast<PartKind>(bytes[0]);
  question.indent = bytes[1];
  if (question.kind > PartKind::kPython || question.indent < 0 || question.indent > kMostIndent) return std::nullopt;
  bytes.remove_prefix(2);
  const auto prefix = take_field(bytes);
  const auto input = take_field(bytes);
  const auto output = take_field(bytes);
  if (!prefix || !input || !output) return std::nullopt;
  question.prefix = *prefix;
  question.input_schema = *input;
  question.output_schema = *output;
  while (!bytes.empty()) {
    const auto name = take_field(bytes);
    if (!name) return std::nullopt;
    question.taken.emplace_back(*name);
  }
  return question;
}

std::string encode(const Part& part) {
  std::string bytes;
  append_field(bytes, part.types);
  for (const std::string& signature : part.signatures) append_field(bytes, signature);
  return bytes;
}

std::optional<Part> decode_part(std::string_view bytes) {
  Part part;
  const auto types = take_field(bytes);
  if (!types) return std::nullopt;
  part.types = *types;
  while (!bytes.empty()) {
    const auto signature = take_field(bytes);
    if (!signature || part.signatures.size() == kMostSignatures) return std::nullopt;
    part.signatures.emplace_back(*signature);
  }
  return part.signatures.empty() ? std::nullopt : std::optional(std::move(part));
}

}  // namespace glovebox::types
