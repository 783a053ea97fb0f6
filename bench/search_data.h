// What both parts of the search bench read with.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

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

}  // namespace glovebox::bench
