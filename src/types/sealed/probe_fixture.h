// For tests: questions to glovebox-types-probe, which does what they say (types/program/types_probe.cc).
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "base/program_part.h"
#include "types/declarations.h"
#include "types/part_message.h"
#include "types/sealed/generator_process.h"

namespace glovebox::types {

inline std::string probe_program() {
  return base::program_part("glovebox-types-probe");
}

// Long enough for a machine that does something else.
inline GeneratorProcess::Deadline in_a_minute() {
  return std::chrono::steady_clock::now() + std::chrono::minutes(1);
}

inline std::string order_to_probe(const std::string& order, const std::string& with = "") {
  PartQuestion question;
  question.prefix = "$s$t$";
  question.input_schema = order;
  question.output_schema = with;
  return encode(question);
}

inline ToolShape probe_tool(const std::string& server, const std::string& name, const std::string& order,
                            const std::string& with = "") {
  return {.server = server, .name = name, .input_schema = order, .output_schema = with};
}

}  // namespace glovebox::types
