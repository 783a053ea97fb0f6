// `glovebox doctor`: which layers this machine has, whether one of everything works, what blocks what is missing and
// the one thing to do about it.
#pragma once

namespace glovebox::cli {

int run_doctor(bool json);

}  // namespace glovebox::cli
