// The keys `privacy` and `flows` of a config file.
#pragma once

#include <string>
#include <vector>

#include "config/jsonc.h"

namespace glovebox::config {

struct PrivacySettings {
  struct Custom {
    std::string name;
    std::string pattern;
    std::string validate;
    bool operator==(const Custom&) const = default;
  };
  std::string mode;                   // off, detect, tokenize, block; empty: as the command has it
  std::string enforce;                // answers, boundary; empty: answers
  std::vector<std::string> entities;  // empty: the usual ones
  std::vector<std::string> allow;     // values that may leave
  std::vector<std::string> restore;   // patterns of tools that get values for tokens
  std::vector<Custom> custom;
};

// What is read from one tool and reaches another.
struct FlowRule {
  std::string from;  // patterns of tools
  std::string to;
  std::string action = "ask";  // or deny
};

void read_privacy(const JsonMember& member, PrivacySettings& settings, std::vector<JsonProblem>& problems);
void read_flows(const JsonMember& member, std::vector<FlowRule>& flows, std::vector<JsonProblem>& problems);

}  // namespace glovebox::config
