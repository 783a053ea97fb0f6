// `glovebox config validate`: what is wrong with a config file, and where.
#pragma once

#include <string>

namespace glovebox::frontend {

int run_config_validate(const std::string& file, bool json);

}  // namespace glovebox::frontend
