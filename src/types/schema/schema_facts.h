// What a schema says beside the type: text for people, and bounds that no type can express.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "types/schema/type_model.h"

namespace glovebox::types {

// Its description, or else its title. Untrusted text, unescaped.
std::string description_of(const boost::json::object& schema);

// Default, format, bounds and the like; values are JSON, or a format's name.
std::vector<Fact> facts_of(const boost::json::object& schema);

}  // namespace glovebox::types
