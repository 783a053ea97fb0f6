// Files that a gateway keeps while a run is under way or its changes are undecided, for people who watch it from
// another process: RUN.log and RUN.changes.
#pragma once

#include <algorithm>
#include <string>

namespace glovebox::http_api {

inline std::string live_folder(const std::string& state_folder) {
  return state_folder + "/live";
}

// Whether an id can be the name of a file: those of runs can.
inline bool is_file_name(const std::string& id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

}  // namespace glovebox::http_api
