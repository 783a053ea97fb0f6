// How the type checker is confined. It is a multithreaded Go program, so it needs more system calls than a guest; none
// of them opens a file for writing, or creates a socket, a process or executable memory.
#pragma once

#include "jail/confinement/confinement.h"

namespace glovebox::check {

// The program is executed through this descriptor, which exec closes. It is above the descriptor limit, so that no
// other can take its place: the program is executed once, and nothing else ever is.
inline constexpr int kProgramFd = 1000;
inline constexpr int kMostDescriptors = 128;

const jail::Confinement& checker_confinement();

}  // namespace glovebox::check
