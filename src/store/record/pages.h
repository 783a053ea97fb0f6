// Lists that people scroll through, a page at a time. A row may hold megabytes that others have chosen, so a page is
// bounded in bytes as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "store/records.h"

namespace glovebox::store {

// What the rows of one page hold; the page ends with the first row that exceeds it.
inline constexpr std::int64_t kMostRunPageBytes = std::int64_t{64} << 20;
inline constexpr std::int64_t kMostApprovalPageBytes = std::int64_t{16} << 20;

inline constexpr std::size_t kMostEventPageBytes = std::size_t{16} << 20;

struct WantedRuns {
  std::optional<RunStatus> status{};  // any if absent
  std::string client{};               // any if empty
  std::int64_t before = std::numeric_limits<std::int64_t>::max();
  std::size_t most = 100;
  // Of code, contexts and results: the database passes over them on its way.
  std::int64_t most_bytes = kMostRunPageBytes;
};
struct RunPage {
  std::vector<RunSummary> runs;
  std::optional<std::int64_t> next;  // `before` of the next page; nothing: this was the last
};

struct WantedApprovals {
  bool pending_only = true;
  std::string run{};    // any if empty
  std::string after{};  // `next` of the page before; empty: the first page
  std::size_t most = 100;
  std::int64_t most_bytes = kMostApprovalPageBytes;  // of requests and arguments
};
struct ApprovalPage {
  std::vector<ApprovalRecord> approvals;
  std::string next;  // empty: this was the last
};

}  // namespace glovebox::store
