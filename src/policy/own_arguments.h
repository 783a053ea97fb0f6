// Whether the arguments of a call name a file of Glovebox itself: its config, its state, code that runs with the
// owner's rights. By text; checks that need the disk, for links and for other workspaces, are passed in.
#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <string>
#include <vector>

namespace glovebox::policy {

struct OwnFiles {
  std::string folder = "/";        // base of relative paths
  std::vector<std::string> paths;  // absolute and normal, beside what is_own() knows by name
  // Whether one of these is one nevertheless, which the text alone does not show. They are absolute; `..` is
  // interpreted as the kernel does, after links.
  std::function<bool(const std::vector<std::string>& paths)> on_disk = {};

  // Checks every text and every key of the arguments, as a path or a word of a command. More names than can be checked
  // quickly count as one of ours: a person is asked then.
  bool are_named_in(const boost::json::object& arguments) const;

 private:
  bool is_one(const std::string& path) const;
};

}  // namespace glovebox::policy
