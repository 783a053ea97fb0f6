// Store's pages of runs and of approvals.
#include "store/record/pages.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/text/utf8.h"
#include "store/rows/run_row.h"
#include "store/store.h"

namespace glovebox::store {
namespace {

// Of a text in a list. The database gives one character or byte more, so that none is cut in half here.
constexpr std::size_t kSummaryBytes = 600;
// More runs are not created within a millisecond.
constexpr std::size_t kMostAtOneTime = 32;

// Where a page of approvals ended: "CREATED:ID".
struct PageEnd {
  std::int64_t created = 0;
  std::string id;
};

std::string text_of(const PageEnd& end) {
  return std::to_string(end.created) + ":" + end.id;
}

Result<PageEnd> page_end_of(const std::string& text) {
  PageEnd end;
  const char* const last = text.data() + text.size();
  const auto [rest, wrong] = std::from_chars(text.data(), last, end.created);
  if (wrong != std::errc() || rest == last || *rest != ':')
    return Failure{ErrorCode::kInvalidArgument, "\"after\" must be the \"next\" of another page"};
  end.id.assign(rest + 1, last);
  return end;
}

Result<RunSummary> read_summary(const Statement& row) {
  auto run = GLOVEBOX_TRY(read_first_columns<RunSummary>(row));
  run.client = row.text(5);
  run.intent = base::beginning_of(row.text(6), kSummaryBytes);
  run.code = base::beginning_of(row.text(7), kSummaryBytes);
  return run;
}

std::int64_t bytes_of(const ApprovalRecord& approval) {
  std::size_t bytes = approval.card.size();
  for (const ApprovalCall& call : approval.calls) bytes += call.arguments.size();
  return static_cast<std::int64_t>(bytes);
}

}  // namespace

// The next page begins before a time, so runs that were created at the same time are on the same page.
Result<RunPage> Store::page_of_runs(const WantedRuns& wanted) {
  return read([&]() -> Result<RunPage> {
    auto rows = GLOVEBOX_TRY(database_->prepare(
        "SELECT id, created, ended, status, language, client, substr(intent, 1, 601), substr(code, 1, 601), bytes FROM "
        "runs WHERE (?1 = '' OR status = ?1) AND (?3 = '' OR client = ?3) AND created < ?4 ORDER BY created DESC, id "
        "LIMIT ?2"));
    const std::size_t most = std::max<std::size_t>(wanted.most, 1);
    rows.bind(wanted.status ? name_of(*wanted.status) : std::string_view())
        .bind(static_cast<std::int64_t>(most + kMostAtOneTime))
        .bind(wanted.client)
        .bind(wanted.before);
    RunPage page;
    std::vector<RunSummary>& runs = page.runs;
    std::int64_t bytes = 0;
    while (GLOVEBOX_TRY(rows.step())) {
      RunSummary run = GLOVEBOX_TRY(read_summary(rows));
      const bool is_full = !runs.empty() && (runs.size() >= most || bytes > wanted.most_bytes);
      if (is_full && runs.front().created != run.created) {
        while (runs.back().created == run.created) runs.pop_back();
        page.next = runs.back().created;
        return page;
      }
      bytes += rows.number(8);
      runs.push_back(std::move(run));
    }
    if (runs.size() == most + kMostAtOneTime) page.next = runs.back().created;
    return page;
  });
}

Result<std::size_t> Store::count_runs(RunStatus status) {
  return read([&]() -> Result<std::size_t> {
    auto row = GLOVEBOX_TRY(database_->prepare("SELECT count(*) FROM runs WHERE status = ?"));
    const bool counted = GLOVEBOX_TRY(row.bind(name_of(status)).step());
    return counted ? static_cast<std::size_t>(row.number(0)) : 0;
  });
}

Result<std::vector<Store::RunTimes>> Store::times_of_runs(std::int64_t since, std::size_t most) {
  return read([&]() -> Result<std::vector<RunTimes>> {
    auto rows = GLOVEBOX_TRY(
        database_->prepare("SELECT created, ended FROM runs WHERE ended >= ? ORDER BY ended DESC LIMIT ?"));
    rows.bind(since).bind(static_cast<std::int64_t>(most));
    std::vector<RunTimes> times;
    while (GLOVEBOX_TRY(rows.step())) times.push_back({rows.number(0), rows.number(1)});
    return times;
  });
}

// Ids first: PostgreSQL sends all rows that a statement finds.
Result<ApprovalPage> Store::page_of_approvals(const WantedApprovals& wanted) {
  PageEnd begin{wanted.pending_only ? std::int64_t{-1} : std::numeric_limits<std::int64_t>::max(), ""};
  if (!wanted.after.empty()) begin = GLOVEBOX_TRY(page_end_of(wanted.after));
  return read([&]() -> Result<ApprovalPage> {
    std::vector<PageEnd> found;
    {
      auto rows = GLOVEBOX_TRY(database_->prepare(
          wanted.pending_only
              ? "SELECT id, created FROM approvals WHERE state = 'pending' AND (?4 = '' OR run = ?4) AND "
                "(created > ?1 OR (created = ?1 AND id > ?2)) ORDER BY created, id LIMIT ?3"
              : "SELECT id, created FROM approvals WHERE (?4 = '' OR run = ?4) AND (created < ?1 OR "
                "(created = ?1 AND id < ?2)) ORDER BY created DESC, id DESC LIMIT ?3"));
      rows.bind(begin.created).bind(begin.id).bind(static_cast<std::int64_t>(wanted.most) + 1).bind(wanted.run);
      while (GLOVEBOX_TRY(rows.step())) found.push_back({rows.number(1), rows.text(0)});
    }
    ApprovalPage page;
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (i >= wanted.most || bytes > wanted.most_bytes) {
        page.next = text_of(found[i - 1]);
        break;
      }
      auto approval = GLOVEBOX_TRY(read_whole_approval(found[i].id));
      if (!approval) continue;
      bytes += bytes_of(*approval);
      page.approvals.push_back(std::move(*approval));
    }
    return page;
  });
}

Result<std::vector<std::string>> Store::approval_ids(const std::string& run, bool pending_only) {
  return read([&]() -> Result<std::vector<std::string>> {
    auto rows = GLOVEBOX_TRY(
        database_->prepare("SELECT id FROM approvals WHERE (?1 = '' OR run = ?1) AND (?2 = 0 OR state = 'pending') "
                           "ORDER BY created, id"));
    rows.bind(run).bind(pending_only ? 1 : 0);
    std::vector<std::string> ids;
    while (GLOVEBOX_TRY(rows.step())) ids.push_back(rows.text(0));
    return ids;
  });
}

}  // namespace glovebox::store
