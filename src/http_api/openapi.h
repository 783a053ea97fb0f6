// Generates the OpenAPI 3.1 document of the API from the table of routes, so that the two cannot differ.
#pragma once

#include <string>

namespace glovebox::http_api {

std::string openapi(const std::string& version);

}  // namespace glovebox::http_api
