// The parts of declarations that are made from JSON Schemas. Schemas are read elsewhere, in a sealed process
// (types/sealed/); here a part is asked for, and put into its place.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::types {

// Both forms of TypeScript declare the same types. They differ in comments and line breaks.
enum class Form {
  kCompact,  // for agents: fewest tokens
  kFull,     // for people
};

enum class PartKind : std::uint8_t { kCompact, kFull, kPython };

// About one tool. The schemas belong to the caller.
struct PartQuestion {
  PartKind kind = PartKind::kCompact;
  int indent = 0;                    // of kFull: that of the line in which the signature begins
  std::string prefix{};              // with which the names of its types begin
  std::vector<std::string> taken{};  // of kPython: names with that prefix which are in use
  std::string_view input_schema{};   // JSON
  std::string_view output_schema{};  // JSON, or empty
  std::string_view source{};         // the server whose schemas these are; not sent
};

struct Part {
  // TypeScript: (args: …): Promise<…>. Python: (self, …) -> …, twice where arguments may also be named.
  std::vector<std::string> signatures;
  // The types that they refer to, as statements on lines of their own.
  std::string types;
};

using AskForPart = std::function<Part(const PartQuestion& question)>;

// In place of a part that cannot be made: any call is accepted, and a comment says why.
Part open_part(const PartQuestion& question, std::string_view why);

// The names that the types of a Python part declare, in their order.
std::vector<std::string> python_names_in(std::string_view types);

}  // namespace glovebox::types
