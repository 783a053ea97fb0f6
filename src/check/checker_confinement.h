// How the type checker is confined. It is a Go program with threads, so it needs more system calls than a guest; none
// of them opens a file for writing, makes a socket, another process or executable memory.
#pragma once

#include "jail/confinement/confinement.h"

namespace glovebox::check {

// The program is started through this descriptor, which closes by that. It lies above the limit of descriptors, so
// that none can take its place: what runs has been executed once, and nothing else ever is.
inline constexpr int kProgramFd = 1000;
inline constexpr int kMostDescriptors = 128;

const jail::Confinement& checker_confinement();

}  // namespace glovebox::check
