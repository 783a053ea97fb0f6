#include "calls/command/command_calls.h"

#include <errno.h>

#include <utility>

#include "base/text/json_builder.h"

namespace glovebox::calls {
namespace {

std::optional<CommandRequest> parse(const Call& call) {
  const CallArguments& arguments = call.arguments;
  auto program = arguments.text("command");
  auto list = arguments.texts("args");
  auto variables = arguments.text_pairs("env");
  if (call.op != "run" || !program || !list || !variables) return std::nullopt;
  CommandRequest request;
  request.program = std::move(*program);
  request.arguments = std::move(*list);
  request.environment = std::move(*variables);
  request.clear_environment = arguments.flag("clearEnv");
  request.folder = arguments.text("cwd").value_or("");
  request.keep_out = arguments.text("stdout") == "piped";
  request.keep_err = arguments.text("stderr") == "piped";
  return request;
}

// For people: the command line, cut if it is long.
std::string as_typed(const CommandRequest& request) {
  std::string text = request.program;
  for (const std::string& argument : request.arguments) {
    if (text.size() > 1024) break;
    text += ' ' + argument;
  }
  return text;
}

CallError command_call_error(const CommandError& error) {
  using Kind = CommandError::Kind;
  switch (error.kind) {
    case Kind::kNotFound: return {"NotFound", "ENOENT", error.message};
    case Kind::kInvalid: return {"TypeError", "", error.message};
    case Kind::kOutputLimit: return {"LimitError", "COMMAND_OUTPUT_LIMIT", error.message};
    case Kind::kTimedOut: return {"TimedOut", "ETIMEDOUT", error.message};
    case Kind::kCancelled: return {"Interrupted", "ECANCELED", error.message};
    case Kind::kSystem:
      return {error.error_number == EACCES ? "PermissionDenied" : "Error", error.error_number == EACCES ? "EACCES" : "",
              error.message};
    case Kind::kDenied: break;
  }
  return {"Error", "", error.message};
}

}  // namespace

void CommandCalls::answer_with(Answer& answer, CommandResult<CommandOutput> result, bool out_kept, bool err_kept) {
  if (!result) {
    if (result.failure().kind == CommandError::Kind::kDenied) return answer.deny(result.failure().message);
    return answer.fail(command_call_error(result.failure()));
  }
  CommandOutput& output = result.value();
  const auto length = [](bool kept, const std::string& text) { return kept ? std::to_string(text.size()) : "null"; };
  std::string json = base::ObjectText()
                         .number("code", output.code)
                         .text_or_null("signal", output.signal)
                         .json("stdout", length(out_kept, output.out))
                         .json("stderr", length(err_kept, output.err))
                         .done();
  output.out += output.err;
  // The runner counts a command's output until its end, and we until the guest has taken it.
  const std::size_t bytes = output.out.size();
  if (bytes > most_unread_bytes_ - *unread_bytes_) {
    return answer.fail({"LimitError", "COMMAND_OUTPUT_LIMIT", "the output of earlier commands has not been read yet"});
  }
  *unread_bytes_ += bytes;
  answer.value_with_bytes(std::move(json), output.out, [unread = unread_bytes_, bytes] { *unread -= bytes; });
}

CallHandler::Recalled CommandCalls::recall(const Call& call, std::shared_ptr<Answer> answer,
                                           const replay::RecordedReply*) {
  if (const auto request = parse(call)) answer->about(as_typed(*request));
  return {};
}

std::shared_ptr<BodySink> CommandCalls::handle(const Call& call, std::shared_ptr<Answer> answer) {
  auto request = parse(call);
  if (!request) {
    answer->violation("a malformed command");
    return nullptr;
  }
  answer->about(as_typed(*request));
  if (request->folder.empty()) {
    run(std::move(*request), std::move(answer));
    return nullptr;
  }
  std::string folder = request->folder;
  // The end of a run drops what waits for its disk without a word, so a folder is not waited for.
  open_folder_(std::move(folder), [this, request = std::move(*request),
                                   answer = std::move(answer)](vfs::FileResult<base::UniqueFd> opened) mutable {
    if (!answer->is_awaited()) return;  // and this handler may be gone
    if (!opened && opened.failure().kind == vfs::FileError::Kind::kSystem) {
      return answer->fail(
          {"NotFound", "ENOENT", "Failed to spawn '" + request.program + "': No such cwd '" + request.folder + "'"});
    }
    // Without the folder the runner denies it, after checking that the program is granted at all.
    if (opened) request.opened_folder = std::make_shared<base::UniqueFd>(std::move(opened).value());
    run(std::move(request), std::move(answer));
  });
  return nullptr;
}

void CommandCalls::run(CommandRequest request, std::shared_ptr<Answer> answer) {
  const bool out_kept = request.keep_out;
  const bool err_kept = request.keep_err;
  ++at_work_;
  runner_.run(std::move(request), [this, answer, out_kept, err_kept](CommandResult<CommandOutput> result) {
    answer_with(*answer, std::move(result), out_kept, err_kept);
    one_less();
  });
}

void CommandCalls::one_less() {
  if (--at_work_ == 0 && when_idle_) std::exchange(when_idle_, nullptr)();
}

void CommandCalls::end(std::function<void()> ended) {
  if (at_work_ == 0) return ended();
  when_idle_ = std::move(ended);
  runner_.cancel();
}

}  // namespace glovebox::calls
