// Gateway side: keeps images of Python between processes, one for each pack. The zygote checks the content of an image;
// this checks who owns the file, and makes it appear atomically.
#pragma once

#include <string>

#include "base/unique_fd.h"
#include "glovebox/result.h"

namespace glovebox::jail {

class PythonCache {
 public:
  // `folder` need not exist. Without one, or where it cannot be written, images live as long as this process.
  static Result<PythonCache> open(std::string folder, const std::string& pack_path);

  // The image of this pack; not valid if there is none, or if others may write it.
  base::UniqueFd find() const;
  // A new file for an image, which find() does not see before keep().
  Result<base::UniqueFd> create();
  void keep();
  void drop() const;
  const std::string& path() const { return path_; }

 private:
  std::string folder_;
  std::string path_;
  std::string temporary_;
};

// $XDG_CACHE_HOME/glovebox or ~/.cache/glovebox; empty where neither is known.
std::string user_cache_folder();

}  // namespace glovebox::jail
