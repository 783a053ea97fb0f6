// The limits of the network side in one place, each with its reason. Those that a run's owner may choose are in
// SessionLimits.
#pragma once

#include <chrono>
#include <cstddef>

namespace glovebox::net {

inline constexpr std::size_t kKiB = 1024;

// One result of read(): large enough that passing it through broker and guest costs little, small enough to hold for
// many.
inline constexpr std::size_t kReadBytes = 256 * kKiB;

// Received bytes that wait for a reader. Few before the first read, because a program may start many fetches and check
// only their status; more afterwards, so that the network is not idle between two reads.
inline constexpr std::size_t kWaitingBytesBeforeRead = 64 * kKiB;
inline constexpr std::size_t kWaitingBytes = 256 * kKiB;

// One piece of a streamed request body.
inline constexpr std::size_t kMaxWriteBytes = 1024 * kKiB;

// The body of a redirect that is read and thrown away to keep the connection; beyond it a new one is cheaper.
inline constexpr std::size_t kMaxRedirectBodyBytes = 64 * kKiB;

// Servers accept far less.
inline constexpr std::size_t kMaxUrlBytes = 64 * kKiB;
inline constexpr std::size_t kMaxRequestHeaderBytes = 64 * kKiB;
inline constexpr std::size_t kMaxRequestHeaders = 256;

// Names that are resolved at one time, in all and for one run: a lookup holds a thread for as long as a name server
// takes, and those of one run must not keep others waiting.
inline constexpr std::size_t kMaxLookups = 16;
inline constexpr std::size_t kMaxLookupsPerOwner = 4;

// Connections of one run that are kept for its next request.
inline constexpr long kMaxIdleConnections = 16;

struct SessionLimits {
  std::size_t max_response_bytes = std::size_t{256} << 20;  // of one response, after decompression
  std::size_t max_header_bytes = 256 * kKiB;                // of one response, with all that come before the final one
  std::size_t max_headers = 1000;
  int max_redirects = 20;                             // as in the fetch standard
  std::chrono::milliseconds connect_timeout{30'000};  // a lookup, and then a connection with its TLS handshake
  std::size_t max_concurrent = 32;                    // further requests are queued
  std::size_t max_open = 1024;                        // responses that are neither read to their end nor cancelled
  // Of the decompressors of open responses: a window of 8 MB for each of max_concurrent, and some more.
  std::size_t max_decoder_bytes = std::size_t{384} << 20;
};

}  // namespace glovebox::net
