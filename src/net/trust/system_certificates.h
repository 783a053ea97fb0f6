// Which authorities this system trusts. The library that we ship knows only where Debian keeps them.
#pragma once

#include <string>
#include <vector>

namespace glovebox::net {

// The first of the files that is there; empty: what the library has built in, which is the first.
std::string certificates_among(const std::vector<std::string>& files);
// Those of this system; looked for once.
const std::string& system_certificates();

}  // namespace glovebox::net
