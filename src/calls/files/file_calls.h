// `fs.…`: a run's file operations, one after another on a thread of its own, so that a hung disk blocks no other run.
// Bytes are moved in pieces, in both directions. Large answers are sent one at a time; other operations may overtake
// them.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>

#include "base/lane.h"
#include "calls/call.h"
#include "calls/files/file_request.h"
#include "calls/files/run_disk.h"

namespace glovebox::calls {

class FileCalls : public CallHandler {
 public:
  FileCalls(std::shared_ptr<boost::asio::io_context> io, std::shared_ptr<RunDisk> disk);
  ~FileCalls() override;

  std::shared_ptr<BodySink> handle(const Call& call, std::shared_ptr<Answer> answer) override;
  Recalled recall(const Call& call, std::shared_ptr<Answer> answer, const replay::RecordedReply* reply) override;
  void end(std::function<void()> ended) override;

  // Calls `work` on the thread that owns the disk.
  void with_disk(std::function<void(RunDisk&)> work);

 private:
  class Desk;
  class Reading;
  class Writing;
  // `was_ok`: the outcome of the same request in an earlier attempt; the guest has its answer then.
  std::shared_ptr<BodySink> begin(FileRequest request, std::uint64_t body_bytes, std::shared_ptr<Answer> answer,
                                  std::optional<bool> was_ok = {});
  void read_again(FileRequest request, const replay::RecordedReply& reply);
  // `sent` is called when the answer was sent.
  void perform(FileRequest request, std::shared_ptr<Answer> answer, std::function<void()> sent,
               std::optional<bool> was_ok = {});
  void post(std::function<void()> job);

  std::shared_ptr<boost::asio::io_context> io_;
  std::shared_ptr<Desk> desk_;
  base::Lane lane_;
  std::shared_ptr<std::atomic<int>> jobs_ = std::make_shared<std::atomic<int>>(0);  // posted and not done
  bool used_ = false;
  bool makes_again_ = false;
};

}  // namespace glovebox::calls
