// How a live workflow carries out commands.
#include <algorithm>
#include <boost/asio/post.hpp>
#include <iterator>
#include <set>

#include "base/text/utf8.h"
#include "base/try.h"
#include "mcp/json/json_tree.h"
#include "store/thread/ask_store.h"
#include "workflow/layer_question/layer_question.h"
#include "workflow/live/live_workflow.h"
#include "workflow/live/task_request.h"
#include "workflow/place.h"

namespace glovebox::workflow {
namespace {

constexpr std::size_t kMostReasonBytes = 2000;
constexpr std::size_t kMostErrorBytes = 500;
constexpr std::size_t kMostRefusedKept = 64;
// Each command is a part of the state, which is in memory.
constexpr std::size_t kMostDecisions = 10'000;
// Tasks of all plans that a workflow has had while it is driven here: those of former plans keep their places.
constexpr std::size_t kMostTasksEver = 2 * kMostTasks;

Failure no(std::string message) {
  return {ErrorCode::kConflict, std::move(message)};
}

// The model behind an MCP client relays what its user says about calls, as with continue_run; but where the plan says
// that a person decides, it must come over a channel that proves a person.
bool is_agent(const store::WorkflowCommand& command) {
  return command.channel == "mcp";
}

// Came by a channel that only a person has, or the holder of the owner's token. A command that needs no terminal can be
// typed by an agent with a shell.
bool is_person(const store::WorkflowCommand& command) {
  return command.channel == "terminal" || command.channel == "elicitation" || command.channel == "http";
}

}  // namespace

void LiveWorkflow::obey(std::int64_t command, std::function<void(Result<void>)> tell) {
  const auto refused = refused_.find(command);
  given_.push_back({command, std::move(tell), refused == refused_.end() ? Result<void>() : refused->second});
  if (left_) return tell_obeyed();
  wake_for_commands();
}

// Until they are here, nothing else happens: what is commanded comes before what would follow.
void LiveWorkflow::read_commands() {
  reads_commands_ = true;
  std::move(given_.begin(), given_.end(), std::back_inserter(obeyed_));
  given_.clear();
  store::ask_store(
      shared_->store, shared_->executor, [id = record_.id](store::Store& store) { return store.open_commands(id); },
      [weak = weak_from_this()](Result<std::vector<store::WorkflowCommand>> commands) {
        if (const auto self = weak.lock()) self->on_commands(std::move(commands));
      });
}

void LiveWorkflow::on_commands(Result<std::vector<store::WorkflowCommand>> commands) {
  reads_commands_ = false;
  if (left_) return;
  if (commands) {
    commands_.assign(std::make_move_iterator(commands->begin()), std::make_move_iterator(commands->end()));
  } else {
    // They are in the store, and the engine finds them again with its next poll that reaches it.
    shared_->notice(commands.failure().message);
    tell_obeyed();
  }
  turn();
}

void LiveWorkflow::tell_obeyed() {
  auto obeyed = std::exchange(obeyed_, {});
  if (left_) std::move(given_.begin(), given_.end(), std::back_inserter(obeyed));
  if (left_) given_.clear();
  for (Given& one : obeyed)
    boost::asio::post(shared_->executor, [tell = std::move(one.tell), verdict = one.verdict] { tell(verdict); });
}

// Stops at a rollback that can be obeyed, until it is read what that goes back to.
void LiveWorkflow::obey_commands() {
  for (; !commands_.empty(); commands_.pop_front()) {
    const store::WorkflowCommand& command = commands_.front();
    if (command.id <= commands_done_) continue;
    const auto type = command_named(command.type);
    Result<void> obeyed = no("there is no command " + command.type);
    if (type) {
      auto said = check_payload(*type, command.payload);
      obeyed = said ? check_known(command, *type, said.value()) : Result<void>(said.failure());
      if (obeyed && *type == CommandType::kRollback && !way_back_) return;
      if (obeyed) obeyed = obey(command, *type, said.value());
    }
    way_back_.reset();
    commands_done_ = command.id;
    json::object decided{{"id", "command-" + std::to_string(command.id)},
                         {"command", command.type},
                         {"who", command.who},
                         {"channel", command.channel},
                         {"accepted", obeyed.ok()}};
    // It may repeat what the client has said.
    if (!obeyed) {
      decided["error"] = base::beginning_of(obeyed.failure().message, kMostErrorBytes);
      refused_.insert_or_assign(command.id, obeyed.failure());
      if (refused_.size() > kMostRefusedKept) refused_.erase(refused_.begin());
      for (auto* const waiting : {&given_, &obeyed_})
        for (Given& one : *waiting)
          if (one.command == command.id) one.verdict = obeyed;
    }
    if (const auto payload = mcp::parse_object(command.payload.empty() ? "{}" : command.payload)) {
      // As long as the client likes, and there may be many commands.
      for (const char* key : {"decision", "reason"})
        if (const auto text = mcp::string_member(payload.value(), key))
          decided[key] = base::beginning_of(*text, kMostReasonBytes);
    }
    (void)update_state({{"decisions", {std::move(decided)}}}, true).ok();
    if (checkpoint_kind_.empty()) checkpoint_kind_ = "command";
    if (checkpoint_label_.empty()) checkpoint_label_ = command.type;
  }
}

std::function<Result<StoredWorkflow>(store::Store&)> LiveWorkflow::way_back() const {
  const auto said = check_payload(CommandType::kRollback, commands_.front().payload);
  const auto checkpoint = static_cast<std::int64_t>(*mcp::number_member(said.value(), "checkpoint"));
  std::set<std::string> known;
  for (const Entry& entry : entries_)
    if (entry.output) known.insert(entry.task.id);
  // The plan is the one that is here: a command before this one may have changed it, and that is not in the store yet.
  return [id = record_.id, checkpoint, known = std::move(known), plan = std::make_shared<const Definition>(definition_),
          most = shared_->options.most_kept_bytes](store::Store& store) -> Result<StoredWorkflow> {
    auto back = GLOVEBOX_TRY(StoredWorkflow::read_at(store, id, checkpoint));
    back.definition = *plan;
    GLOVEBOX_TRY_VOID(back.read_outputs(store, most, known));
    return back;
  };
}

void LiveWorkflow::read_way_back() {
  reads_commands_ = true;
  store::ask_store_until_back(shared_->store, shared_->executor, weak_from_this(), way_back(),
                              [this](Result<StoredWorkflow> back) {
                                reads_commands_ = false;
                                way_back_ = std::move(back);
                                turn();
                              });
}

Result<void> LiveWorkflow::check(const store::WorkflowCommand& command) const {
  const auto type = command_named(command.type);
  if (!type) return Failure{ErrorCode::kInvalidArgument, "there is no command " + command.type};
  const auto said = GLOVEBOX_TRY(check_payload(*type, command.payload));
  return check_known(command, *type, said);
}

std::vector<Task> LiveWorkflow::tasks_that_stay(CommandType type) const {
  std::vector<Task> stay;
  for (std::size_t place = 0; place < entries_.size(); ++place) {
    const ScheduledTask& task = scheduler_->tasks()[place];
    if (task.gone) continue;
    const bool begun = scheduler_->position().layer && task.layer <= *scheduler_->position().layer;
    if (type == CommandType::kReplanDag && task.status == TaskStatus::kPending && !begun) continue;
    stay.push_back(entries_[place].task);
  }
  return stay;
}

Result<void> LiveWorkflow::check_yes(const json::object& said) const {
  std::vector<Task> next;
  const auto layer = scheduler_->next_layer();
  for (std::size_t place = 0; layer && place < entries_.size(); ++place) {
    const ScheduledTask& task = scheduler_->tasks()[place];
    if (!task.gone && task.layer == *layer && !has_ended(task.status)) next.push_back(entries_[place].task);
  }
  const auto digest = mcp::string_member(said, "digest");
  if (!digest)
    return no("an approval needs the \"digest\" of the tasks that it is for: glovebox runs show " + record_.id);
  if (*digest == question_about(std::move(next)).digest) return {};
  return no("the next tasks are not the ones that were approved: review them again");
}

Result<void> LiveWorkflow::check_known(const store::WorkflowCommand& command, CommandType type,
                                       const json::object& said) const {
  if (scheduler_->aborting()) return no("the workflow is being aborted");
  if (type != CommandType::kAbort && state_.decisions.size() >= kMostDecisions)
    return no("this workflow has " + std::to_string(kMostDecisions) + " decisions, and can only be aborted");
  const bool asks = scheduler_->asks();
  const bool asks_person = asks && scheduler_->decision_after(*scheduler_->position().layer) == Decision::kHuman;
  const bool person_decides = asks_person && !is_person(command);
  const bool changes_question = asks_person && is_agent(command);
  const auto no_change = [&] {
    return no("a person is being asked about the next tasks; an agent cannot change them before there is an answer");
  };
  const auto only_person = [&] {
    return no("a person decides here, at a terminal: glovebox runs resume " + record_.id);
  };
  const auto known_task = [&](const std::string& id) -> Result<std::size_t> {
    const auto found = places_.find(id);
    if (found == places_.end() || scheduler_->tasks()[found->second].gone) {
      return Failure{ErrorCode::kNotFound, "there is no task " + id};
    }
    return found->second;
  };
  switch (type) {
    case CommandType::kAbort: return {};
    case CommandType::kPause:
      if (scheduler_->position().paused) return no("the workflow is already paused");
      return {};
    case CommandType::kContinue:
      if (!asks && !scheduler_->position().paused)
        return no("the workflow is neither paused nor waiting for a decision");
      if (person_decides) return only_person();
      return asks_person ? check_yes(said) : Result<void>();
    case CommandType::kSkipLayer:
      if (!scheduler_->next_layer()) return no("there is no layer left to skip");
      if (person_decides) return only_person();
      return {};
    case CommandType::kInjectTasks:
    case CommandType::kReplanDag: {
      if (changes_question) return no_change();
      const auto tasks = read_tasks(*said.if_contains("tasks"), tasks_that_stay(type), "/tasks");
      if (!tasks) return Failure{ErrorCode::kInvalidArgument, describe(tasks.failure())};
      if (entries_.size() + tasks->size() > kMostTasksEver)
        return no("the plan of this workflow has been changed too often; start another workflow");
      for (const Task& task : tasks.value()) {
        const auto config = shared_->options.sandbox_config(task.sandbox_config, language_of(task));
        if (!config) return config.failure();
      }
      return {};
    }
    case CommandType::kModifyArgs: {
      if (changes_question) return no_change();
      const std::size_t place = GLOVEBOX_TRY(known_task(*mcp::string_member(said, "task")));
      if (scheduler_->tasks()[place].status != TaskStatus::kPending) {
        return no("task " + entries_[place].task.id + " is no longer pending");
      }
      const std::size_t layer = scheduler_->tasks()[place].layer;
      if (scheduler_->is_agreed(layer)) {
        return no("a person has approved task " + entries_[place].task.id + " as it is, and its layer has started");
      }
      Task changed = entries_[place].task;
      (changed.type == Task::Type::kTool ? changed.arguments : changed.context) = said.at("arguments").as_object();
      std::vector<Task> others;
      for (std::size_t other = 0; other < entries_.size(); ++other) {
        if (other != place && !scheduler_->tasks()[other].gone) others.push_back(entries_[other].task);
      }
      const auto read = read_tasks(json::array{to_json(changed)}, others, "/tasks");
      if (!read) return Failure{ErrorCode::kInvalidArgument, describe(read.failure())};
      return {};
    }
    case CommandType::kApprovalResponse: {
      const auto id = mcp::string_member(said, "task");
      if (mcp::string_member(said, "decision")) {
        const std::size_t place = GLOVEBOX_TRY(known_task(*id));
        if (scheduler_->tasks()[place].status != TaskStatus::kUnknown) {
          return no("the outcome of task " + *id + " is not in question");
        }
        return {};
      }
      if (mcp::string_member(said, "approval")) return {};
      if (id) {
        const std::size_t place = GLOVEBOX_TRY(known_task(*id));
        if (!entries_[place].waits) return no("task " + *id + " is not waiting for approval");
        if (mcp::true_member(said, "approved")) {
          return no(
              "an approval is for one request: give its \"approval\" from the workflow's report, beside the task");
        }
        return {};
      }
      if (!asks) return no("the workflow is not waiting for a decision");
      const bool yes = mcp::true_member(said, "approved");
      if (person_decides && (yes || is_agent(command))) return only_person();
      return asks_person && yes ? check_yes(said) : Result<void>();
    }
    case CommandType::kRollback: {
      if (scheduler_->running() > 0) return no("tasks are running: pause the workflow and wait for them first");
      if (!may_store(state_bytes() + kLeastStoreRoom)) return no("its client has too much in the store to roll back");
      // A rollback would repeat tasks whose outcome is unknown.
      if (is_agent(command) && (asks_person || scheduler_->unknown() > 0)) {
        return no("a person decides here: glovebox runs rollback " + record_.id);
      }
      return {};
    }
  }
  return {};
}

Result<void> LiveWorkflow::obey(const store::WorkflowCommand& command, CommandType type, const json::object& said) {
  switch (type) {
    case CommandType::kAbort:
      abort_reason_ = mcp::string_member(said, "reason").value_or("asked to by " + command.who);
      scheduler_->abort();
      return {};
    case CommandType::kPause: scheduler_->pause(); return {};
    case CommandType::kContinue: scheduler_->go_on(); return {};
    case CommandType::kSkipLayer: {
      const auto layer = scheduler_->skip_layer();
      json::array skipped;
      for (std::size_t place = 0; place < entries_.size(); ++place) {
        const ScheduledTask& task = scheduler_->tasks()[place];
        if (task.gone || task.layer != *layer || task.status != TaskStatus::kSkipped) continue;
        entries_[place].record.ended = shared_->options.now();
        touch(place);
        skipped.push_back(json::object{{"id", entries_[place].task.id}, {"status", "skipped"}});
        release_outputs(place);
      }
      GLOVEBOX_TRY_VOID(update_state({{"tasks", std::move(skipped)}}, true));
      scheduler_->ask_again();
      if (scheduler_->asks()) scheduler_->go_on();
      return {};
    }
    case CommandType::kInjectTasks:
    case CommandType::kReplanDag: return replace_tasks(type, said);
    case CommandType::kModifyArgs: {
      const std::size_t place = place_of(*mcp::string_member(said, "task"));
      Task& task = entries_[place].task;
      (task.type == Task::Type::kTool ? task.arguments : task.context) = said.at("arguments").as_object();
      for (Task& defined : definition_.tasks) {
        if (defined.id == task.id) defined = task;
      }
      step_.definition = json::serialize(to_json(definition_));
      count_users();
      scheduler_->ask_again();
      return {};
    }
    case CommandType::kApprovalResponse: return answer(command, said);
    case CommandType::kRollback: return roll_back(GLOVEBOX_TRY(std::move(*way_back_)));
  }
  return {};
}

Result<void> LiveWorkflow::answer(const store::WorkflowCommand& command, const json::object& said) {
  const auto id = mcp::string_member(said, "task");
  if (const auto decision = mcp::string_member(said, "decision")) {
    const std::size_t place = place_of(*id);
    using Verdict = Scheduler::Verdict;
    const Verdict verdict = *decision == "retry"  ? Verdict::kRetry
                            : *decision == "skip" ? Verdict::kSkip
                            : *decision == "done" ? Verdict::kDone
                                                  : Verdict::kFail;
    scheduler_->settle(place, verdict);
    if (verdict == Verdict::kDone) {
      TaskEnd end;
      end.end = Scheduler::End::kCompleted;
      end.output = said.at("output");
      note_end(place, end);
      return {};
    }
    touch(place);
    if (verdict == Verdict::kRetry) return {};
    entries_[place].record.ended = shared_->options.now();
    release_outputs(place);
    return update_state({{"tasks", {{{"id", *id}, {"status", name_of(scheduler_->tasks()[place].status)}}}}}, false);
  }
  const bool approved = mcp::true_member(said, "approved");
  const auto approval = mcp::string_member(said, "approval");
  if (!approval && !id) {
    if (approved) {
      scheduler_->go_on();
    } else {
      abort_reason_ = mcp::string_member(said, "reason").value_or("denied by " + command.who);
      scheduler_->abort();
    }
    return {};
  }
  gateway::ApprovalAnswer answer;
  answer.approved = approved;
  answer.reason = mcp::string_member(said, "reason").value_or("");
  answer.scope = store::scope_of(mcp::string_member(said, "scope").value_or("once")).value_or(store::Scope::kOnce);
  // An "always" rule cannot be relayed by a model.
  if (is_agent(command) && answer.scope == store::Scope::kAlways) answer.scope = store::Scope::kSession;
  answer.who = command.who;
  answer.channel = command.channel;
  if (approval) {
    const bool ours = std::any_of(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.approvals.contains(*approval); });
    if (!ours) return Failure{ErrorCode::kNotFound, "no task of this workflow waits for approval " + *approval};
    answer.approval = *approval;
  }
  // With an approval, the task that is named need not exist.
  shared_->gateway.answer(answer, approval ? std::string() : entries_[place_of(*id)].record.run,
                          [weak = weak_from_this(), number = command.id](const Result<void>& answered) {
                            const auto self = weak.lock();
                            if (self && !answered) self->note_refused(number, answered.failure().message);
                          });
  return {};
}

// The store did not take the answer: the state says so after it said that the command was obeyed.
void LiveWorkflow::note_refused(std::int64_t command, const std::string& why) {
  shared_->notice(why);
  if (left_) return;
  noted_.push_back([weak = weak_from_this(), command, why] {
    const auto self = weak.lock();
    if (!self) return;
    json::object refused{{"id", "command-" + std::to_string(command) + "-answer"},
                         {"accepted", false},
                         {"error", base::beginning_of(why, kMostErrorBytes)}};
    (void)self->update_state({{"decisions", {std::move(refused)}}}, true).ok();
  });
  wake();
}

Result<void> LiveWorkflow::replace_tasks(CommandType type, const json::object& said) {
  const auto stay = tasks_that_stay(type);
  auto tasks = read_tasks(*said.if_contains("tasks"), stay, "/tasks");
  if (!tasks) return Failure{ErrorCode::kInvalidArgument, describe(tasks.failure())};
  json::array dropped;
  if (type == CommandType::kReplanDag) {
    for (const std::size_t place : scheduler_->drop_pending()) {
      dropped.emplace_back(entries_[place].task.id);
      step_.drop_tasks.push_back(entries_[place].task.id);
      definition_.after_tasks.erase(entries_[place].task.id);
      places_.erase(entries_[place].task.id);
      touched_.erase(place);
    }
  }
  const std::size_t first = entries_.size();
  add_entries(tasks.value());
  std::vector<ScheduledTask> joining;
  for (std::size_t place = first; place < entries_.size(); ++place) joining.push_back(scheduled(entries_[place], 0));
  scheduler_->add(std::move(joining));
  json::array added;
  for (std::size_t place = first; place < entries_.size(); ++place) {
    touch(place);
    added.push_back(json::object{{"id", entries_[place].task.id}, {"status", "pending"}});
  }
  // A task that replaces one of the same name is written, not dropped.
  std::erase_if(step_.drop_tasks, [&](const std::string& id) { return places_.contains(id); });
  definition_.tasks = stay;
  definition_.tasks.insert(definition_.tasks.end(), tasks->begin(), tasks->end());
  step_.definition = json::serialize(to_json(definition_));
  // Entries of dropped tasks stay in place, and use nothing: neither outputs nor memory for their code.
  for (Entry& entry : entries_) {
    const auto found = places_.find(entry.task.id);
    if (found != places_.end() && &entries_[found->second] == &entry) continue;
    const std::string id = std::move(entry.task.id);
    entry = Entry();
    entry.task.id = entry.record.id = id;
  }
  count_users();
  scheduler_->ask_again();
  return update_state({{"tasks", std::move(added)}}, true);
}

Result<void> LiveWorkflow::roll_back(StoredWorkflow back) {
  const auto layer = back.snapshot.position.layer;
  if (layer && !scheduler_->has_layer(*layer)) return no(std::string(kOtherPlan));
  Outputs known;
  for (const Entry& entry : entries_)
    if (entry.output) known[entry.task.id] = entry.output;
  auto entries = std::exchange(entries_, {});
  auto places = std::exchange(places_, {});
  load_tasks(back.tasks);
  if (const auto loaded = load_outputs(std::move(back.outputs), known); !loaded) {
    entries_ = std::move(entries);
    places_ = std::move(places);
    count_users();
    return loaded.failure();
  }
  timers_.clear();
  touched_.clear();
  outputs_.clear();
  ++generation_;
  for (std::size_t place = 0; place < entries_.size(); ++place)
    if (entries_[place].record.status == name_of(TaskStatus::kPending)) touch(place);
  state_ = std::move(back.snapshot.state);
  back.snapshot.position.paused = true;
  waiting_ = 0;
  make_scheduler(back.snapshot.position);
  scheduler_->ask_again_before_layer();
  updates_.clear();
  wants_snapshot_ = true;
  checkpoint_kind_ = "rollback";
  checkpoint_label_ = std::to_string(back.checkpoint);
  event("state_updated", {{"rolledBackTo", back.checkpoint}});
  return {};
}

}  // namespace glovebox::workflow
