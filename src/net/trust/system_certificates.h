// The certificate authorities that this system trusts. The library that we ship knows only Debian's location.
#pragma once

#include <string>
#include <vector>

namespace glovebox::net {

// The first of the files that exists; empty: the library's built-in default, which is the first.
std::string certificates_among(const std::vector<std::string>& files);
// Those of this system; searched for once.
const std::string& system_certificates();

}  // namespace glovebox::net
