// What checking may take, each with its reason.
#pragma once

#include <chrono>
#include <cstddef>

namespace glovebox::check {

// From the question to the answer, waiting in line included. A program that takes longer is not worth the wait: the
// run begins unchecked, and the server that hangs is ended.
inline constexpr std::chrono::milliseconds kCheckTime{3000};

// The first check reads the language's own declarations, on a machine that may be busy.
inline constexpr std::chrono::milliseconds kStartTime{15'000};

// Without a question for so long, the server gives its memory back.
inline constexpr std::chrono::minutes kIdleTime{10};

// Private memory. 60 MB serve 1,000 tools; type bombs take all that there is. The collector tries to stay below the
// first number, and the kernel refuses what is beyond the second.
inline constexpr std::size_t kMemoryGoal = std::size_t{640} << 20;
inline constexpr std::size_t kMemoryLimit = std::size_t{1} << 30;

// CPU time of one server, in seconds; then the kernel ends it, and the next check starts another. Honest use takes
// milliseconds for each check.
inline constexpr std::size_t kCpuSeconds = 1200;

// The program, and what the tools are declared with. The sandbox takes longer programs, which nobody writes by hand.
inline constexpr std::size_t kMostCodeBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMostDeclarationBytes = std::size_t{32} << 20;

// Of the server's words: one message, and all of them until an answer comes (it tells its own doings at length).
inline constexpr std::size_t kMostMessageBytes = std::size_t{8} << 20;
inline constexpr std::size_t kMostAnswerBytes = std::size_t{64} << 20;

// Findings that are passed on, and the length of one. An agent mends the first few and asks again.
inline constexpr std::size_t kMostFindings = 50;
inline constexpr std::size_t kMostFindingBytes = 1000;
inline constexpr std::size_t kMostQuotedBytes = 200;

// Questions that wait in line; beyond, runs begin unchecked.
inline constexpr std::size_t kMostWaiting = 256;

}  // namespace glovebox::check
