// Values of the variables that capabilities and their servers declare.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/variables.h"

namespace glovebox::capability {

// What people leave in place of a key: nothing, xxx, TODO, <your key>, changeme, your-api-key-here.
bool is_placeholder(std::string_view value);

struct VariableValues {
  std::map<std::string, std::string> values;
  std::vector<std::string> missing;  // not set, or a placeholder
};
VariableValues values_of(const std::vector<std::string>& names, const config::Variables& variables);

}  // namespace glovebox::capability
