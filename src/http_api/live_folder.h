// Files that a gateway keeps while a run is under way or its changes are undecided, for people who watch it from
// another process: RUN.log and RUN.changes.
#pragma once

#include <string>

#include "base/characters/ascii.h"

namespace glovebox::http_api {

inline std::string live_folder(const std::string& state_folder) {
  return state_folder + "/live";
}

// Whether an id can be the name of a file: those of runs can.
inline bool is_file_name(const std::string& id) {
  return base::is_word(id, "_-");
}

}  // namespace glovebox::http_api
