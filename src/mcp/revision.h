// The revisions of the protocol that we speak.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace glovebox::mcp {

// The style of a conversation: with a handshake and sessions, or with everything in each request.
enum class Era { kLegacy, kModern };

inline constexpr std::string_view kModernRevision = "2026-07-28";
inline constexpr std::string_view kNewestLegacyRevision = "2025-11-25";
inline constexpr std::array<std::string_view, 4> kLegacyRevisions = {"2025-11-25", "2025-06-18", "2025-03-26",
                                                                     "2024-11-05"};

// Members of `_meta` of the modern era.
inline constexpr std::string_view kMetaVersion = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kMetaClientInfo = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view kMetaCapabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kMetaLogLevel = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view kMetaServerInfo = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view kMetaSubscriptionId = "io.modelcontextprotocol/subscriptionId";

inline bool is_legacy_revision(std::string_view version) {
  for (const std::string_view known : kLegacyRevisions)
    if (known == version) return true;
  return false;
}

// All revisions as a JSON array, newest first.
inline constexpr std::string_view kAllRevisionsJson =
    R"(["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"])";

}  // namespace glovebox::mcp
