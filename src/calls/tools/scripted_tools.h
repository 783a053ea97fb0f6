// A ToolHost for tests: the server `demo`, whose tools do what their names say, a skill, and a ledger of what was
// called.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "glovebox/tools.h"

namespace glovebox::testing {

// Makes GoogleTest's names visible where this namespace hides them.
using namespace ::testing;  // NOLINT(google-build-using-namespace)

class ScriptedTools : public ToolHost {
 public:
  enum class Ledger { kKept, kNone };
  explicit ScriptedTools(Ledger ledger = Ledger::kKept)
      : has_ledger_(ledger == Ledger::kKept), work_(io_.get_executor()), thread_([this] { io_.run(); }) {}
  ~ScriptedTools() override {
    io_.stop();
    thread_.join();
  }

  std::vector<ToolNamespace> tools() const override {
    return {{"demo", {"echo", "fail", "slow", "big", "text", "deny", "refuse", "ask", "drop", "never", "then"}},
            {"odd-name", {"tool.name", "__proto__", "toString"}},
            {"console", {"log"}},
            {"empty", {}}};
  }

  void call(ToolCall call, ToolAnswer answer) override {
    if (has_ledger_) {
      const std::lock_guard lock(mutex_);
      calls_.push_back(call);
    }
    boost::asio::post(io_, [this, call = std::move(call), answer = std::move(answer)] { perform(call, answer); });
  }

  void end() override {
    const std::lock_guard lock(mutex_);
    ++ends_;
  }

  std::vector<ToolCall> calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
  }
  int ends() const {
    const std::lock_guard lock(mutex_);
    return ends_;
  }

  static void say(const ToolAnswer& answer, std::string json) {
    auto owner = std::make_shared<const std::string>(std::move(json));
    answer.value(owner, *owner);
  }

 protected:
  // On this host's own thread.
  virtual void perform(const ToolCall& call, const ToolAnswer& answer) {
    using Kind = ToolFailure::Kind;
    const boost::json::object arguments = boost::json::parse(call.arguments_json).as_object();
    const auto number = [&](const char* name) { return arguments.at(name).to_number<std::int64_t>(); };
    if (call.server == "demo") {
      if (call.raw) return say(answer, R"([{"type":"text","text":"raw )" + call.tool + "\"}]");
      if (call.tool == "echo") return say(answer, call.arguments_json);
      if (call.tool == "text") return say(answer, R"("plain text")");
      if (call.tool == "fail") return answer.fail({Kind::kToolError, "TOOL_ERROR", "it did not work"});
      if (call.tool == "deny")  // with a word of its own
        return answer.fail({Kind::kDenied, FailureCode::read("POLICY_DENIED").value(), "demo.deny is forbidden"});
      if (call.tool == "refuse") return answer.fail({Kind::kApprovalDenied, {}, "a person said no"});
      if (call.tool == "big") {
        return say(answer, "\"" + std::string(static_cast<std::size_t>(number("bytes")) - 2, 'x') + "\"");
      }
      if (call.tool == "slow") {
        return later(number("ms"), [answer, json = call.arguments_json] { say(answer, json); });
      }
      if (call.tool == "ask") {
        answer.waits_for_person(true);
        return later(number("ms"), [answer] {
          answer.waits_for_person(false);
          say(answer, "\"approved\"");
        });
      }
      // Once `high` of these calls wait, all are answered, the last one first.
      if (call.tool == "pile") {
        pile_.emplace_back(answer, call.arguments_json);
        if (pile_.size() < static_cast<std::size_t>(number("high"))) return;
        for (; !pile_.empty(); pile_.pop_back()) say(pile_.back().first, pile_.back().second);
        return;
      }
      if (call.tool == "drop") return;
      if (call.tool == "never") {
        const std::lock_guard lock(mutex_);
        std::erase_if(kept_, [](const ToolAnswer& old) { return !old.is_awaited(); });
        return kept_.push_back(answer);
      }
    }
    if (call.server == "skills" || call.server == "TimeSkill") return be_a_skill(call, arguments, answer);
    if (call.server == "odd-name") return say(answer, "[\"" + call.tool + "\"]");
    answer.fail({Kind::kToolError, "TOOL_NOT_FOUND",
                 "There is no tool \"" + call.tool + "\" on the server \"" + call.server + "\""});
  }

  // Skills as the gateway presents them: TimeSkill has one method that may be called and one that may not.
  static void be_a_skill(const ToolCall& call, const boost::json::object& arguments, const ToolAnswer& answer) {
    using Kind = ToolFailure::Kind;
    const auto text = [&](const char* name, const char* otherwise) {
      return arguments.contains(name) ? std::string(arguments.at(name).as_string()) : std::string(otherwise);
    };
    const std::string signature = R"("signature":"get_current_time(timezone: str = 'UTC') -> str")";
    const std::string path = R"({"path":"TimeSkill.get_current_time",)" + signature;
    if (call.tool == "search_skills") return say(answer, "[" + path + R"(,"summary":"The time now."}])");
    if (call.tool == "describe_function") {
      const std::string wanted = text("path", "");
      if (wanted == "TimeSkill.get_current_time") return say(answer, path + R"(,"docstring":"The time now."})");
      if (wanted == "SecretSkill")
        return answer.fail({Kind::kToolError, "SKILL_NOT_ALLOWED", "Skill not allowed: " + wanted});
      const std::string there = wanted.starts_with("TimeSkill.") ? "TimeSkill.get_current_time" : "TimeSkill";
      return answer.fail({Kind::kToolError, "TOOL_NOT_FOUND", "Skill not found: " + wanted + ". Available: " + there});
    }
    if (call.tool == "get_current_time") return say(answer, "\"12:00 " + text("timezone", "UTC") + "\"");
    if (call.tool == "erase") {
      return answer.fail({Kind::kDenied, "PERMISSION_DENIED", "Requires tool access to \"TimeSkill:erase\""});
    }
    answer.fail({Kind::kToolError, "TOOL_NOT_FOUND", "there is no such tool"});
  }

  void later(std::int64_t ms, std::function<void()> work) {
    auto timer = std::make_shared<boost::asio::steady_timer>(io_, std::chrono::milliseconds(ms));
    timer->async_wait([timer, work = std::move(work)](auto) { work(); });
  }

  mutable std::mutex mutex_;

 private:
  const bool has_ledger_;
  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::vector<ToolCall> calls_;
  std::vector<ToolAnswer> kept_;
  std::vector<std::pair<ToolAnswer, std::string>> pile_;  // used only on the thread
  int ends_ = 0;
  std::thread thread_;
};

}  // namespace glovebox::testing
