// Whether the arguments of a call name a file of Glovebox itself: its config, its state, code that runs with the
// owner's rights. By text; what takes a look at the disk, for links and for other workspaces, is given.
#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <string>
#include <vector>

namespace glovebox::policy {

struct OwnFiles {
  std::string folder = "/";        // where relative paths begin
  std::vector<std::string> paths;  // absolute and normal, beside what is_own() knows by name
  // Whether one of these, which text alone does not tell, is one nevertheless. They are absolute; `..` in one is meant
  // as the kernel takes it, behind links.
  std::function<bool(const std::vector<std::string>& paths)> on_disk = {};

  // Any text of the arguments, and any key, as a path or a word of a command. More names than can be looked up in no
  // time count as one of ours: a person is asked then.
  bool are_named_in(const boost::json::object& arguments) const;

 private:
  bool is_one(const std::string& path) const;
};

}  // namespace glovebox::policy
