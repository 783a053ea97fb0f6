// Every limit of MCP in one place, each with its reason. A peer is never trusted: not a client, not an upstream server.
#pragma once

#include <chrono>
#include <cstddef>

namespace glovebox::mcp {

inline constexpr std::size_t kMessageMiB = std::size_t{1} << 20;

// One message that a client sends us. Code, arguments and answers of people are small; what is larger is an attack on
// the parser.
inline constexpr std::size_t kMaxRequestBytes = 8 * kMessageMiB;

// One message that a server sends us. Tool results of 10 MB are ordinary; they pass as bytes and are never a tree here.
inline constexpr std::size_t kMaxResponseBytes = 64 * kMessageMiB;

// Nesting of any message. Readers downstream recurse.
inline constexpr int kMaxMessageDepth = 128;

// An id is a number or a short string. It is echoed and kept while a request is under way.
inline constexpr std::size_t kMaxIdBytes = 256;
// For a traceparent: version 00 has 55 bytes, and a later one may have more.
inline constexpr std::size_t kMaxTraceparentBytes = 256;

// Names of methods, tools and prompts as they appear on the wire.
inline constexpr std::size_t kMaxNameBytes = 1024;

// Requests of one peer that are under way at once.
inline constexpr std::size_t kMaxConcurrentRequests = 128;

// Subscriptions to single resources of one peer.
inline constexpr std::size_t kMaxSubscriptions = 1000;

// Questions in one input_required answer, and rounds of questions for one call: a server that asks without end would
// otherwise keep a client busy for ever.
inline constexpr std::size_t kMaxInputRequests = 64;
inline constexpr int kMaxInputRounds = 16;

// For this long at most, open questions of a server stop the time limit of a call: its run waits with its process, and
// may belong to a client that never answers.
inline constexpr std::chrono::minutes kMaxQuestionTime{30};

// What a sealed requestState may hold. It travels with every retry.
inline constexpr std::size_t kMaxRequestStateBytes = 256 * 1024;

// Time between a question and its answer: people go to lunch.
inline constexpr std::chrono::seconds kRequestStateLifetime{24 * 60 * 60};

// Items in one page of a list.
inline constexpr std::size_t kPageSize = 100;

// Pages that a client follows: a cursor that never ends is bogus. Items of all pages: a short one takes more room here
// than in the message.
inline constexpr int kMaxPages = 1000;
inline constexpr std::size_t kMaxListItems = 100'000;

// A notification or a question of an upstream server. Both become trees, which have many times the size of their text.
inline constexpr std::size_t kMaxServerNoticeBytes = 1 * kMessageMiB;
inline constexpr std::size_t kMaxServerQuestionBytes = 4 * kMessageMiB;

// Messages of the largest size that all streams of one HTTP server together may leave unfinished: it has a stream for
// each call, and need not end one after its answer.
inline constexpr std::size_t kMaxUnfinishedMessages = 4;

// The last part of a server's standard error is kept, up to this many bytes (twice that before it is cut).
inline constexpr std::size_t kMaxServerLogBytes = 256 * 1024;

// HTTP: header fields of one request, connections, sessions.
inline constexpr std::size_t kMaxHeaderBytes = 32 * 1024;
inline constexpr std::size_t kMaxConnections = 1536;  // that have shown their token
inline constexpr std::size_t kMaxConnectionsOfOneAddress = 1280;
// Fewer than for an address: on one machine all have the same, and the owner's token must still find a place.
inline constexpr std::size_t kMaxConnectionsOfOneToken = 1152;
// Connections that have not shown a token, or not yet.
inline constexpr std::size_t kMaxUnknown = 320;
inline constexpr std::size_t kMaxUnknownOfOneAddress = 192;  // a client may begin as many calls at once
inline constexpr std::size_t kMaxSessions = 1280;
inline constexpr std::size_t kMaxSessionsOfOneToken = 1152;
inline constexpr std::chrono::minutes kSessionIdleTime{60};

// A client that takes longer to send the head of a request, the rest of it, or to take a piece of the answer, is cut
// off.
inline constexpr std::chrono::seconds kHeadTime{10};
inline constexpr std::chrono::seconds kRequestReadTime{30};
inline constexpr std::chrono::seconds kIdleConnectionTime{120};
inline constexpr std::chrono::seconds kWriteTime{30};

// Answers that are being written to all connections of one token. A client may read slowly.
inline constexpr std::size_t kMaxAnswerBytesOfOneToken = 512 * kMessageMiB;

// Bytes that wait for a slow reader before it is cut off. Larger than the largest single message.
inline constexpr std::size_t kMaxQueuedBytes = kMaxResponseBytes + 16 * kMessageMiB;

// Room for short lines in a line stream that is full, so that a call whose answer does not fit ends with an error.
inline constexpr std::size_t kShortLinesRoom = 1 * kMessageMiB;

// Bytes that wait for a slow reader before progress and log lines are dropped for it.
inline constexpr std::size_t kMaxQueuedBeforeNotices = 1 * kMessageMiB;

// Progress and log lines of one call are joined for this long, into texts of at most this many bytes.
inline constexpr std::chrono::milliseconds kNoticeTime{50};
inline constexpr std::size_t kMaxJoinedBytes = 64 * 1024;

// Clients abandon a request that is silent for a minute, or less.
inline constexpr std::chrono::seconds kProgressWhileAsking{10};
// Joined log texts of one call that may wait.
inline constexpr std::size_t kMaxWaitingLogs = 64;

// A call that its client follows as a task: how long its result is kept where the client does not say, and at most;
// how often a client should ask; and how many results are kept of all clients together.
inline constexpr std::chrono::milliseconds kTaskTime{60 * 60 * 1000};
inline constexpr std::chrono::milliseconds kMaxTaskTime{24 * 60 * 60 * 1000};
inline constexpr std::chrono::milliseconds kTaskPollInterval{500};
inline constexpr std::size_t kMaxEndedTasks = 1000;
inline constexpr std::size_t kMaxEndedTaskBytes = 64 * kMessageMiB;

// Events kept for a session so that a broken stream can be resumed: of one session, beside its last event, which may be
// larger, and of all sessions together.
inline constexpr std::size_t kMaxReplayBytes = 4 * kMessageMiB;
inline constexpr std::size_t kMaxReplayBytesOfAll = 256 * kMessageMiB;

// A quiet stream sends keep-alives, before something between us and the client considers it dead.
inline constexpr std::chrono::seconds kKeepAlive{15};

}  // namespace glovebox::mcp
