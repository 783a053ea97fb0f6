// The environment of an upstream server: what programs usually need, and what its owner declares.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace glovebox::catalog {

// NAME=value of PATH, HOME, USER, LOGNAME, SHELL, TERM, TMPDIR, LANG, LC_*, TZ, XDG_* and of proxies and certificates
// as far as we have them ourselves, then `declared`, which wins. Our own secrets are not among them.
std::vector<std::string> server_environment(const std::map<std::string, std::string>& declared);

}  // namespace glovebox::catalog
