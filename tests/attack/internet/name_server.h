// A name server for one process: it answers from a table of names that resolve to addresses that they should not.
#pragma once

#include <atomic>

#include "base/unique_fd.h"

namespace glovebox::attack {

inline constexpr const char* kGoodAddress = "93.184.216.34";
inline constexpr const char* kOtherAddress = "93.184.216.35";

base::UniqueFd open_name_server();                       // 127.0.0.1, port 53
void answer_names(int socket, std::atomic<int>& count);  // forever
}  // namespace glovebox::attack
