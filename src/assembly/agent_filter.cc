#include "assembly/agent_filter.h"

#include <boost/asio/post.hpp>

#include "base/text/json_builder.h"

namespace glovebox::assembly {
namespace {

using base::ListText;
using base::ObjectText;

// An answer in the method's own form that says why the real one is withheld.
std::string blocked_text(const privacy::Filtered& filtered, const std::string& method) {
  const std::string message =
      "The answer contains private data and was withheld, because privacy.mode of this workspace is block: " +
      filtered.counts();
  const std::string text = "PermissionError (PRIVACY_BLOCKED): " + message;
  const auto answer = [](const char* list, const std::string& item) {
    return ObjectText().json(list, ListText().json(item).done());
  };
  if (method == "resources/read")
    return answer("contents", ObjectText().text("uri", "glovebox://blocked").text("text", text).done()).done();
  const std::string block = ObjectText().text("type", "text").text("text", text).done();
  if (method == "prompts/get")
    return answer("messages", ObjectText().text("role", "user").json("content", block).done()).done();
  ObjectText error;
  error.text("type", "PermissionError").text("code", "PRIVACY_BLOCKED").text("message", message);
  return answer("content", block)
      .json("structuredContent", ObjectText().json("error", error.done()).done())
      .flag("isError", true)
      .done();
}

// The result with one member more in its `_meta`, which stands first if it has one.
std::string with_meta(std::string json, const std::string& privacy) {
  if (!json.starts_with('{') || json.size() < 3) return json;
  std::string meta = ObjectText().json("glovebox/privacy", privacy).done();
  if (!json.starts_with(R"({"_meta":{)")) return ObjectText().json("_meta", meta).members(json).done();
  const std::size_t first = json.find(':') + 2;  // of its members, before which ours is put
  meta.back() = ',';
  if (json[first] == '}') meta.pop_back();
  json.insert(first, meta, 1);
  return json;
}

std::string unprotected(std::string json) {
  return with_meta(std::move(json), R"({"mode":"off","why":"--no-pii-protection"})");
}

}  // namespace

AgentFilter::AgentFilter(std::shared_ptr<gateway::PrivacyGuard> guard, const std::string& conversation,
                         std::string method, FilterThread& beside)
    : guard_(std::move(guard)),
      filter_(guard_->filter(conversation)),
      method_(std::move(method)),
      beside_(beside),
      logs_(filter_),
      progress_(filter_) {}

std::string AgentFilter::result(std::string json) {
  if (guard_->is_switched_off()) return unprotected(std::move(json));
  return reported(filter_->json(std::move(json)));
}

std::string AgentFilter::result_said_twice(std::string json, const base::TwiceSaid& places) {
  if (guard_->is_switched_off()) return unprotected(base::with_text(std::move(json), places));
  return reported(filter_->json_said_twice(std::move(json), places));
}

std::string AgentFilter::reported(privacy::Filtered filtered) const {
  if (!filtered.any()) return std::move(filtered.text);
  if (filter_->mode() == privacy::Mode::kBlock) return blocked_text(filtered, method_);
  return with_meta(std::move(filtered.text),
                   ObjectText().text("mode", name_of(filter_->mode())).json("found", filtered.counts()).done());
}

// The filter and the vault behind it may be used by any thread; nothing else of this is.
void AgentFilter::large_result(std::string json, std::function<void(std::string)> done) {
  if (guard_->is_switched_off()) return done(unprotected(std::move(json)));
  const auto work = [self = shared_from_this(), done = std::move(done)](std::string text) {
    std::string filtered = self->result(std::move(text));
    boost::asio::post(self->beside_.loop,
                      [self, done, filtered = std::move(filtered)]() mutable { done(std::move(filtered)); });
  };
  boost::asio::post(beside_.thread, [work, json = std::move(json)]() mutable { work(std::move(json)); });
}

std::string AgentFilter::said(std::string json) {
  return logs_.json(std::move(json));
}

std::string AgentFilter::text(std::string text) {
  return progress_.text(std::move(text));
}

}  // namespace glovebox::assembly
