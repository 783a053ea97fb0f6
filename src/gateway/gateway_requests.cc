// What clients and workflows ask of a gateway about runs that are in the store.
#include <boost/asio/post.hpp>
#include <set>

#include "base/try.h"
#include "gateway/gateway.h"
#include "store/thread/ask_store.h"

namespace glovebox::gateway {

Result<std::optional<store::RunRecord>> Gateway::get_run(const std::string& run) {
  return services_->store.find_run(run);
}

std::vector<std::string> Gateway::with_called(const std::string& run) const {
  std::vector<std::string> runs = called_by(run);
  runs.insert(runs.begin(), run);
  return runs;
}

Result<std::vector<std::string>> Gateway::pending_ids(store::Store& store, const std::vector<std::string>& runs) {
  std::vector<std::string> all;
  for (const std::string& run : runs)
    for (std::string& approval : GLOVEBOX_TRY(store.approval_ids(run, true))) all.push_back(std::move(approval));
  return all;
}

Result<std::vector<std::string>> Gateway::pending_ids(const std::string& run) {
  return pending_ids(services_->store, with_called(run));
}

Result<Gateway::Pending> Gateway::pending(const std::string& run) {
  return pending(services_->store, with_called(run));
}

Result<Gateway::Pending> Gateway::pending(store::Store& store, const std::vector<std::string>& runs) {
  const auto ids = GLOVEBOX_TRY(pending_ids(store, runs));
  Pending found;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (bytes > kMostShownRequestBytes) {
      found.more = ids.size() - i;
      break;
    }
    auto approval = GLOVEBOX_TRY(store.find_approval(ids[i]));
    if (!approval) continue;
    bytes += approval->card.size();
    found.shown.push_back(std::move(*approval));
  }
  return found;
}

void Gateway::cancel_run(const std::string& run, std::function<void(const Result<bool>&)> done) {
  if (!done) done = [](const Result<bool>&) {};
  if (const auto managed = find(run)) {
    managed->cancel();
    return done(true);
  }
  const auto ask = [run, folder = services_->state_folder](store::Store& store) -> Result<bool> {
    if (!GLOVEBOX_TRY(store.ask_to_cancel(run))) return false;
    const auto record = GLOVEBOX_TRY(store.find_run_in_short(run));
    if (record) wake_gateway(folder, record->owner);
    return true;
  };
  store::ask_store(services_->store, services_->executor, ask, std::move(done));
}

void Gateway::answer_later(const ApprovalAnswer& answer, const std::string& run,
                           std::function<void(const Result<void>&)> done) {
  const auto owners = std::make_shared<std::set<std::string>>();  // to be woken when the answer is committed
  const auto write = [answer, runs = with_called(run), workspace = services_->workspace, now = services_->now(), owners,
                      own = services_->owner](store::Store& store) -> Result<void> {
    std::vector<std::string> approvals{answer.approval};
    if (answer.approval.empty()) approvals = GLOVEBOX_TRY(pending_ids(store, runs));
    ApprovalAnswer one = answer;
    for (std::string& approval : approvals) {
      one.approval = std::move(approval);
      const auto receipt = GLOVEBOX_TRY(give_answer(store, one, workspace, now));
      if (receipt.owner != own) owners->insert(receipt.owner);
    }
    return {};
  };
  services_->store.post_write(
      write, [weak = weak_from_this(), executor = services_->executor, owners, folder = services_->state_folder,
              done = std::move(done)](Result<void> written) mutable {
        for (const std::string& owner : *owners) wake_gateway(folder, owner);
        boost::asio::post(executor, [weak, done = std::move(done), written = std::move(written)] {
          if (const auto gateway = weak.lock()) gateway->poll();
          done(written);
        });
      });
}

}  // namespace glovebox::gateway
