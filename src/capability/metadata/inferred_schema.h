// Infers a JSON Schema for arguments from one example.
#pragma once

#include <boost/json/value.hpp>
#include <string>

namespace glovebox::capability {

// Objects get the types of their members, all required; lists the type that all of their items have.
std::string inferred_schema(const boost::json::value& example);

}  // namespace glovebox::capability
