// How the type generator is confined. It is one thread of our own that reads a socket, computes and writes to it, so it
// needs even less than a guest.
#pragma once

#include "jail/confinement/confinement.h"

namespace glovebox::types {

// The socket's number, which the filter names; and the program's, which exec closes.
inline constexpr int kGeneratorSocketFd = 3;
inline constexpr int kGeneratorProgramFd = 4;

const jail::Confinement& generator_confinement();

}  // namespace glovebox::types
