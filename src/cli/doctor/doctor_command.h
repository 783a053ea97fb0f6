// `glovebox doctor`: which confinement layers this machine has, whether one of everything works, what blocks what is
// missing, and how to fix it.
#pragma once

namespace glovebox::cli {

int run_doctor(bool json);

}  // namespace glovebox::cli
