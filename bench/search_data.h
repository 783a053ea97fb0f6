// What the parts of the search bench read and measure with.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/whole_file.h"
#include "glovebox/result.h"

namespace glovebox::bench {

template <typename T>
T must(Result<T> result) {
  if (result) return std::move(result).value();
  std::fprintf(stderr, "glovebox-search-bench: %s\n", result.failure().message.c_str());
  std::exit(1);
}

inline std::string whole(const std::string& file) {
  return must(base::read_whole_file(file, std::size_t{1} << 30));
}

// The folders in `folder` that hold labelled sets, in order of their names.
inline std::vector<std::string> set_folders(const std::string& folder) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (std::filesystem::exists(entry.path() / "tools.jsonl")) found.push_back(entry.path().string());
  std::sort(found.begin(), found.end());
  return found;
}

// Of this thread: what others on the machine take does not count.
inline double cpu_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

}  // namespace glovebox::bench
