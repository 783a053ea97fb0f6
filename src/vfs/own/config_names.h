// Places that the text of a workspace's config, or the record of what its owner approved, names and that no run may
// change.
#pragma once

#include <boost/json/array.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::vfs {

// Absolute and normal. `folder` is the config's; where the text is not a config, or uses a variable that is unknown
// here, all of that folder is meant. Variables are replaced as the config's reader does it.
std::vector<std::string> places_named_in(std::string_view text, const std::string& folder);

// The same of the lines of a trust record: skills "../shared/skills".
std::vector<std::string> places_agreed_to(const boost::json::array& lines, const std::string& folder);

}  // namespace glovebox::vfs
