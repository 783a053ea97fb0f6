// Limits of checking, each with its reason.
#pragma once

#include <chrono>
#include <cstddef>

namespace glovebox::check {

// Of one check alone. A program that takes longer is not worth the wait: the run begins unchecked, and the hanging
// server is killed.
inline constexpr std::chrono::milliseconds kCheckTime{3000};

// From the request to the answer: the time in the queue, a start of the server, and the check.
inline constexpr std::chrono::milliseconds kWholeTime{15'000};

// The first check reads the language's own declarations, on a machine that may be busy.
inline constexpr std::chrono::milliseconds kStartTime{12'000};

// Without a request for this long, the server is ended, to free its memory.
inline constexpr std::chrono::minutes kIdleTime{10};

// Private memory. 70 MB suffice for 1,000 tools; type bombs take all that there is. The garbage collector tries to stay
// below the first number, and the kernel refuses more than the second.
inline constexpr std::size_t kMemoryGoal = std::size_t{640} << 20;
inline constexpr std::size_t kMemoryLimit = std::size_t{1} << 30;

// CPU time of one server, in seconds; then the kernel kills it, and the next check starts another. Honest use takes
// milliseconds for each check.
inline constexpr std::size_t kCpuSeconds = 1200;

// The program, and the declarations of the tools. The sandbox takes longer programs, which are not written by hand.
inline constexpr std::size_t kMostCodeBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMostDeclarationBytes = std::size_t{32} << 20;

// Of the server's output: one message, and all of it until an answer comes (it may log).
inline constexpr std::size_t kMostMessageBytes = std::size_t{8} << 20;
inline constexpr std::size_t kMostAnswerBytes = std::size_t{64} << 20;

// Findings that are reported, and the length of one. An agent fixes the first few and tries again.
inline constexpr std::size_t kMostFindings = 50;
inline constexpr std::size_t kMostFindingBytes = 1000;
inline constexpr std::size_t kMostQuotedBytes = 200;

// Queued requests; beyond this, runs begin unchecked.
inline constexpr std::size_t kMostWaiting = 256;

}  // namespace glovebox::check
