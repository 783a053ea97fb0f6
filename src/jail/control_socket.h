// Packets with at most one descriptor, on the control socket between gateway and zygote.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace glovebox::jail {

bool send_packet(int socket, const void* data, std::size_t size, int fd_to_pass);

// The packet's size, 0 at the end, -1 with errno. `received_fd` is -1 when none came; a received one is close-on-exec.
ssize_t receive_packet(int socket, void* data, std::size_t capacity, int& received_fd, int flags = 0);

}  // namespace glovebox::jail
