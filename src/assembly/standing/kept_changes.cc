#include "assembly/standing/kept_changes.h"

#include <unistd.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <map>

#include "base/private_folder.h"
#include "base/text/utf8.h"
#include "base/try.h"
#include "base/whole_file.h"
#include "gateway/principal/asker.h"

namespace glovebox::assembly {
namespace {

namespace json = mcp::json;

constexpr std::size_t kMostRuns = 16;
constexpr std::chrono::hours kLongest{1};
// Of one text, and of all of a run: of more only the size is shown.
constexpr std::size_t kMostText = std::size_t{256} << 10;
constexpr std::size_t kMostTexts = std::size_t{1} << 20;

// Null: it is not there, no text, or too much.
json::value text_or_null(const Result<std::string>& content, std::size_t& room) {
  if (!content || content->size() > room || !base::is_utf8(*content)) return nullptr;
  if (content->find('\0') != content->npos) return nullptr;
  room -= content->size();
  return json::value(*content);
}

json::object changes_in_full(const ChangeSet& changes) {
  json::array files;
  std::size_t room = kMostTexts;
  for (const Change& change : changes.changes()) {
    json::object file = {{"path", change.path}, {"kind", json::string(name_of(change.kind))}};
    file["before"] = change.bytes_before ? text_or_null(base::read_whole_file(change.path, kMostText), room) : nullptr;
    file["after"] = change.bytes_after ? text_or_null(changes.content_of(change.path, kMostText), room) : nullptr;
    file["bytesBefore"] = change.bytes_before ? json::value(*change.bytes_before) : json::value(nullptr);
    file["bytesAfter"] = change.bytes_after ? json::value(*change.bytes_after) : json::value(nullptr);
    files.push_back(std::move(file));
  }
  return {{"files", std::move(files)}};
}

Result<void> describe(const std::string& folder, const std::string& path, const ChangeSet& changes) {
  GLOVEBOX_TRY_VOID(base::make_private_folders(folder));
  return base::replace_file(path, json::serialize(changes_in_full(changes)), 0600);
}

}  // namespace

KeptChanges::~KeptChanges() {
  while (!kept_.empty()) forget(kept_.begin());
  disk_.wait_for_posted();
}

void KeptChanges::on_disk(std::function<Result<void>()> work, std::function<void(const Result<void>&)> then) {
  disk_.post(
      [executor = executor_, alive = std::weak_ptr<bool>(alive_), work = std::move(work), then = std::move(then)] {
        auto done = work();
        boost::asio::post(executor, [alive, then, done = std::move(done)] {
          if (!alive.expired()) then(done);
        });
      });
}

std::deque<KeptChanges::Kept>::iterator KeptChanges::find(const std::string& run) {
  return std::find_if(kept_.begin(), kept_.end(), [&](const Kept& one) { return one.run == run; });
}

void KeptChanges::forget(std::deque<Kept>::iterator one) {
  disk_.post([path = path_of(one->run), changes = one->changes]() mutable {
    ::unlink(path.c_str());
    changes.drop();
  });
  kept_.erase(one);
}

void KeptChanges::make_room() {
  std::map<std::string, std::size_t> had;
  for (const Kept& one : kept_) ++had[one.client];
  // The first of several that have as many: they are in the order in which they came.
  forget(std::max_element(kept_.begin(), kept_.end(),
                          [&](const Kept& a, const Kept& b) { return had[a.client] < had[b.client]; }));
}

void KeptChanges::keep(const std::string& client, const std::string& run, const ChangeSet& changes) {
  while (kept_.size() >= kMostRuns) make_room();
  kept_.push_back({std::string(gateway::authenticated_part(client)), run, changes});
  on_disk([folder = folder_, path = path_of(run), changes] { return describe(folder, path, changes); },
          [this, run](const Result<void>& described) {
            const auto found = find(run);
            if (found == kept_.end()) return;
            if (!described) return forget(found);
            found->is_described = true;
            on_described_();
          });
}

void KeptChanges::settle(const std::string& run, bool commits, std::function<void(const Result<void>&)> done) {
  const auto found = find(run);
  if (found == kept_.end() || !found->is_described)
    return done(Failure{ErrorCode::kNotFound, "the changes of " + run + " are no longer kept; run it again"});
  if (found->is_settled) {
    const std::string state = found->state == "kept" ? "being settled" : found->state;
    return done(Failure{ErrorCode::kConflict, "the changes are " + state + " already"});
  }
  found->is_settled = true;
  on_disk(
      [changes = found->changes, commits]() mutable -> Result<void> {
        if (commits) return changes.commit();
        changes.drop();
        return {};
      },
      [this, run, commits, done = std::move(done)](const Result<void>& settled) {
        if (const auto one = find(run); one != kept_.end()) {
          one->is_settled = settled.ok();
          if (settled) one->state = commits ? "committed" : "dropped";
        }
        done(settled);
      });
}

json::array KeptChanges::to_json() {
  while (!kept_.empty() && std::chrono::steady_clock::now() - kept_.front().since > kLongest) forget(kept_.begin());
  json::array out;
  for (const Kept& one : kept_)
    if (one.is_described) out.push_back(json::object{{"run", one.run}, {"state", one.state}});
  return out;
}

}  // namespace glovebox::assembly
