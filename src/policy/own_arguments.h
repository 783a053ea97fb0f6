// Whether the arguments of a call name a file of Glovebox itself: its config, its state, code that runs with the
// owner's rights. As far as text can tell: no link is followed.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

namespace glovebox::policy {

struct OwnFiles {
  std::string folder = "/";        // where relative paths begin
  std::vector<std::string> paths;  // absolute and normal, beside what is_own() knows by name

  // Any text of the arguments, and any key, as a path or a word of a command.
  bool are_named_in(const boost::json::object& arguments) const;

 private:
  bool is_one(std::string_view path) const;
  bool are_named_in(std::string_view text) const;
  bool are_named_in(const boost::json::value& value) const;
};

}  // namespace glovebox::policy
