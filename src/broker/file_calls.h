// `fs.…`: a run's file operations, one after another on a thread of its own, so that a disk that hangs holds up nobody
// else. Bytes pass through in pieces, in both directions.
#pragma once

#include <boost/asio.hpp>
#include <functional>
#include <memory>

#include "base/lane.h"
#include "broker/call.h"
#include "vfs/file_view.h"

namespace glovebox::broker {

class FileCalls : public CallHandler {
 public:
  using OpenView = std::function<Result<std::shared_ptr<vfs::FileView>>()>;
  // `open_view` is called on that thread, before the first operation.
  FileCalls(std::shared_ptr<boost::asio::io_context> io, OpenView open_view);
  ~FileCalls() override;

  std::shared_ptr<BodySink> handle(const Call& call, std::shared_ptr<Answer> answer) override;
  void end(std::function<void()> ended) override;

 private:
  class Desk;
  class Writing;
  std::shared_ptr<boost::asio::io_context> io_;
  std::shared_ptr<Desk> desk_;
  base::Lane lane_;
  bool used_ = false;
};

}  // namespace glovebox::broker
