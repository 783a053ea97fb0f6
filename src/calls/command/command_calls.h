// `run`: a granted program, started for the guest, and its output.
#pragma once

#include <boost/asio/io_context.hpp>

#include "calls/call.h"
#include "calls/command/command_runner.h"
#include "vfs/files.h"

namespace glovebox::calls {

class CommandCalls : public CallHandler {
 public:
  // Opens a folder that the run may read, and answers on the loop.
  using OpenFolder = std::function<void(std::string path, std::function<void(vfs::FileResult<base::UniqueFd>)>)>;
  CommandCalls(boost::asio::io_context& io, CommandRules rules, OpenFolder open_folder)
      : most_unread_bytes_(rules.max_held_bytes), runner_(io, std::move(rules)), open_folder_(std::move(open_folder)) {}

  std::shared_ptr<BodySink> handle(const Call& call, std::shared_ptr<Answer> answer) override;
  Recalled recall(const Call& call, std::shared_ptr<Answer> answer, const replay::RecordedReply* reply) override;
  void end(std::function<void()> ended) override;

 private:
  void run(CommandRequest request, std::shared_ptr<Answer> answer);
  void answer_with(Answer& answer, CommandResult<CommandOutput> result, bool out_kept, bool err_kept);
  void one_less();

  std::size_t most_unread_bytes_;
  std::shared_ptr<std::size_t> unread_bytes_ = std::make_shared<std::size_t>(0);  // of answers; they may outlive this
  CommandRunner runner_;
  OpenFolder open_folder_;
  std::size_t at_work_ = 0;
  std::function<void()> when_idle_;
};

}  // namespace glovebox::calls
