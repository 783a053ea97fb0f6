#include "workflow/snapshot.h"

#include <boost/json.hpp>

#include "base/try.h"

namespace glovebox::workflow {
namespace {

namespace json = boost::json;

json::object written(const Snapshot& snapshot) {
  const Position& position = snapshot.position;
  json::object made;
  made["layer"] = position.layer ? json::value(*position.layer) : json::value(nullptr);
  made["told"] = position.reported;
  made["asked"] = position.asked;
  made["decided"] = position.decided;
  made["paused"] = position.paused;
  made["generation"] = snapshot.generation;
  return made;
}

Failure damaged() {
  return {ErrorCode::kProtocol, "the store is damaged: a checkpoint of a workflow cannot be read"};
}

bool truth(const json::object& object, const char* key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_bool() && value->get_bool();
}

Result<json::object> parse(const std::string& text) {
  json::error_code wrong;
  json::parse_options options;
  options.max_depth = 1000;
  auto tree = json::parse(text, wrong, {}, options);
  if (wrong || !tree.is_object()) return damaged();
  return std::move(tree.get_object());
}

Result<void> read_position(const json::object& object, Snapshot& snapshot) {
  const json::value* layer = object.if_contains("layer");
  if (!layer) return damaged();
  json::error_code wrong;
  snapshot.position.layer.reset();
  if (!layer->is_null()) snapshot.position.layer = layer->to_number<std::size_t>(wrong);
  const json::value* generation = object.if_contains("generation");
  if (wrong || !generation || !generation->is_int64()) return damaged();
  snapshot.generation = generation->get_int64();
  snapshot.position.reported = truth(object, "told");
  snapshot.position.asked = truth(object, "asked");
  snapshot.position.decided = truth(object, "decided");
  snapshot.position.paused = truth(object, "paused");
  return {};
}

}  // namespace

std::string snapshot_json(const Snapshot& snapshot) {
  json::object made = written(snapshot);
  made["state"] = snapshot.state.to_json();
  return json::serialize(made);
}

std::string delta_json(const Snapshot& now, const json::array& updates) {
  json::object made = written(now);
  if (!updates.empty()) made["updates"] = updates;
  return json::serialize(made);
}

Result<Snapshot> snapshot_of(const store::StateParts& parts) {
  Snapshot snapshot;
  const json::object whole = GLOVEBOX_TRY(parse(parts.snapshot));
  GLOVEBOX_TRY_VOID(read_position(whole, snapshot));
  const json::value* state = whole.if_contains("state");
  if (!state) return damaged();
  snapshot.state = GLOVEBOX_TRY(WorkflowState::of(*state));
  for (const std::string& text : parts.deltas) {
    const json::object delta = GLOVEBOX_TRY(parse(text));
    GLOVEBOX_TRY_VOID(read_position(delta, snapshot));
    const json::value* updates = delta.if_contains("updates");
    if (!updates) continue;
    if (!updates->is_array()) return damaged();
    for (const json::value& update : updates->get_array()) GLOVEBOX_TRY_VOID(reduce(snapshot.state, update));
  }
  return snapshot;
}

}  // namespace glovebox::workflow
