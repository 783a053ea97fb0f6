// The system calls that the type checker may make. It is a Go program with threads, so it needs more than a guest; none
// of them opens a file for writing, makes a socket, another process or executable memory.
#pragma once

#include <span>

#include "jail/confinement/seccomp_policy.h"

namespace glovebox::check {

// The program is started through this descriptor, which closes by that. It lies above the limit of descriptors, so
// that none can take its place: what runs has been executed once, and nothing else ever is.
inline constexpr int kProgramFd = 1000;
inline constexpr int kMostDescriptors = 128;

std::span<const jail::AllowedCall> checker_calls();

}  // namespace glovebox::check
