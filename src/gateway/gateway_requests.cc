// What clients and workflows ask of a gateway about runs that are in the store.
#include "base/try.h"
#include "gateway/gateway.h"
#include "store/thread/ask_store.h"

namespace glovebox::gateway {

void Gateway::follow(const std::string& run, const std::string& parent, const RunEvents& events, Followed done) {
  const auto listens_here = [this, run, parent, events] {
    if (!attach(run, events)) return false;
    if (!parent.empty()) parents_[run] = parent;
    return true;
  };
  if (listens_here()) return done(true);
  store::ask_store_until_back(
      services_->store, services_->executor, weak_from_this(),
      [run](store::Store& store) { return store.find_run(run); },
      [this, listens_here, run, parent, events,
       done = std::move(done)](const Result<std::optional<store::RunRecord>>& found) {
        if (closed_) return;
        // It may have been adopted, or begun, meanwhile.
        if (listens_here()) return done(true);
        if (!found) return done(found.failure());
        done(found->has_value());
        if (!*found) return;
        if (has_ended((*found)->status)) {
          if (events.on_end) events.on_end({run, (*found)->status, (*found)->outcome, nullptr});
          return;
        }
        others_.listen(run, parent, events);
        adopt_later();
        poll();
      });
}

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

// --- continue_run: finds the run, then what it waits for, answers that, and follows the run.

struct Gateway::Asking {
  store::RunRecord run;
  std::vector<std::string> open;  // approval requests
};

void Gateway::continue_run(const std::string& run, const Continuation& with, RunEvents events, Continued done) {
  // Its gateway may have ended since the last poll.
  adopt_first([this, run, with, events = std::move(events), done = std::move(done)] {
    const auto read = [run, called = with_called(run),
                       client = with.from.principal](store::Store& store) -> Result<Asking> {
      auto record = GLOVEBOX_TRY(store.find_run(run));
      // A run of another client is reported as unknown.
      if (!record || record->client != client) return Failure{ErrorCode::kNotFound, "there is no run " + run};
      auto open = GLOVEBOX_TRY(pending_ids(store, called));
      return Asking{std::move(*record), std::move(open)};
    };
    store::ask_store(services_->store, services_->executor, read,
                     [weak = weak_from_this(), with, events, done](const Result<Asking>& asking) {
                       const auto gateway = weak.lock();
                       if (!gateway) return;
                       if (!asking) return done(asking.failure());
                       const auto& found = asking->run;
                       if (has_ended(found.status)) {
                         if (events.on_end) events.on_end({found.id, found.status, found.outcome, nullptr});
                         return done(std::optional<Listener>());
                       }
                       if (!with.approved) return gateway->continue_found(*asking, with, events, done);
                       gateway->check_answerer(found.session, with.from,
                                               [weak, asking = *asking, with, events, done](const Result<void>& may) {
                                                 if (!may) return done(may.failure());
                                                 const auto still = weak.lock();
                                                 if (still) still->continue_found(asking, with, events, done);
                                               });
                     });
  });
}

void Gateway::continue_found(const Asking& asking, const Continuation& with, const RunEvents& events,
                             const Continued& done) {
  const std::string& run = asking.run.id;
  if (!find(run) && !services_->store.is_shared()) {
    return done(Failure{ErrorCode::kConflict, "run " + run +
                                                  " belongs to another gateway of this workspace, whose client " +
                                                  "answers; nothing was recorded"});
  }
  const auto meant = meant_by(run, with, asking.open);
  if (!meant) return done(meant.failure());
  const auto write = [meant = *meant, with, workspace = services_->workspace,
                      now = services_->now()](store::Store& store) -> Result<void> {
    for (const std::string& approval : meant) {
      GLOVEBOX_TRY(give_answer(
          store, {approval, {}, with.approved, with.scope, with.reason, {}, with.from.principal, with.channel},
          workspace, now));
    }
    return {};
  };
  store::ask_store(services_->store, services_->executor, write,
                   [weak = weak_from_this(), run, events, done](const Result<void>& written) {
                     const auto gateway = weak.lock();
                     if (!gateway) return;
                     if (!written) return done(written.failure());
                     auto listener = gateway->attach(run, events);
                     if (!listener) gateway->others_.listen(run, "", events);
                     gateway->poll();
                     done(std::move(listener));
                   });
}

}  // namespace glovebox::gateway
