// Limits of the type generator, each with its reason.
#pragma once

#include <chrono>
#include <cstddef>

namespace glovebox::types {

// The schemas of one tool, with what is asked about them. The largest seen have some ten kilobytes; a tool with more is
// declared with `any`.
inline constexpr std::size_t kMostQuestionBytes = std::size_t{2} << 20;

// A declaration has at most 64 KB (types/limits.h).
inline constexpr std::size_t kMostAnswerBytes = std::size_t{128} << 10;

// Private memory of the process. The tree of 2 MB of JSON takes at most some 130 MB.
inline constexpr std::size_t kGeneratorMemory = std::size_t{256} << 20;

// CPU time of one process; then the kernel kills it, and the next question starts another. Honest use takes
// microseconds for each question.
inline constexpr std::size_t kGeneratorCpuSeconds = 60;

// Of one answer. It takes microseconds, and milliseconds for the largest schemas; the rest is for a busy machine.
inline constexpr std::chrono::milliseconds kAnswerTime{2000};

// Of a start, which takes a few milliseconds.
inline constexpr std::chrono::milliseconds kGeneratorStartTime{5000};

// Of all that one text waits for. Clients of the gateway give up after a minute, people sooner.
inline constexpr std::chrono::milliseconds kWholeTextTime{10'000};

// Processes, each of one server; beyond this the one that was used longest ago is ended. A search declares five tools,
// which may be of as many servers.
inline constexpr std::size_t kMostGenerators = 5;

// Without a question for this long, the processes are ended.
inline constexpr std::chrono::milliseconds kGeneratorIdleTime{60'000};

// A server whose schemas end or hang the process this often is not asked about again, for a while.
inline constexpr int kMostGeneratorFailures = 3;
inline constexpr std::chrono::minutes kPauseForServer{10};

// A start that fails is independent of the question: for this long the next one is not tried.
inline constexpr std::chrono::seconds kPauseAfterFailedStart{30};

// Parts that are kept; a gateway with a thousand tools has some megabytes of them.
inline constexpr std::size_t kMostKeptBytes = std::size_t{64} << 20;

// Texts that wait to be made; beyond this they are made without types.
inline constexpr std::size_t kMostTextsWaiting = 256;

}  // namespace glovebox::types
