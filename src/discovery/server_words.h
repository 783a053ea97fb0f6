// How servers describe themselves, for the search: title and description of those that have been started.
#pragma once

#include <map>
#include <string>

#include "catalog/catalog.h"

namespace glovebox::discovery {

// By name of the server in the config. Untrusted text, cut to a sentence or two.
std::map<std::string, std::string> server_words(catalog::Catalog& catalog);

}  // namespace glovebox::discovery
