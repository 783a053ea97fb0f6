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
  std::string mode;                   // off, detect, tokenize, block; empty: the command's default
  std::string enforce;                // answers, boundary; empty: answers
  std::vector<std::string> entities;  // empty: the usual ones
  std::vector<std::string> allow;     // values that may be disclosed
  std::vector<std::string> restore;   // patterns of tools that get values in place of tokens
  std::vector<Custom> custom;
};

// Data that is read from one tool and reaches another.
struct FlowRule {
  std::string from;  // patterns of tools
  std::string to;
  std::string action = "ask";  // or deny
};

void read_privacy(const JsonMember& member, PrivacySettings& settings, std::vector<JsonProblem>& problems);
void read_flows(const JsonMember& member, std::vector<FlowRule>& flows, std::vector<JsonProblem>& problems);

}  // namespace glovebox::config
