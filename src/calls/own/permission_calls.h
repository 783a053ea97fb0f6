// `permissions.query`: code asks about its own grants.
#pragma once

#include <boost/asio/io_context.hpp>

#include "calls/call.h"
#include "calls/files/file_calls.h"
#include "calls/own/grant_set.h"

namespace glovebox::calls {

class PermissionCalls : public CallHandler {
 public:
  // `files` answers for paths.
  PermissionCalls(std::shared_ptr<boost::asio::io_context> io, const GrantSet& grants, FileCalls& files)
      : io_(std::move(io)), grants_(grants), files_(files) {}

  std::shared_ptr<BodySink> handle(const Call& call, std::shared_ptr<Answer> answer) override;
  Recalled recall(const Call& call, std::shared_ptr<Answer> answer, const replay::RecordedReply* reply) override;

 private:
  void ask_disk(policy::Access access, std::string path, std::shared_ptr<Answer> answer);
  bool is_granted(const std::string& name, const std::optional<std::string>& subject) const;

  std::shared_ptr<boost::asio::io_context> io_;
  const GrantSet& grants_;
  FileCalls& files_;
};

}  // namespace glovebox::calls
