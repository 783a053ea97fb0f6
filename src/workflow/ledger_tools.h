// Test tools whose state survives the processes that call them.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "catalog/tool_source.h"
#include "store/database/patience.h"

namespace glovebox::workflow {

// A turn of a loop that reaches the store through its queue, like every loop that serves others.
inline void turn(boost::asio::io_context& io) {
  const store::QueueOnly loop;
  io.run_one_for(std::chrono::milliseconds(20));
}

struct LedgerPace {
  std::chrono::milliseconds pause{0};  // before each answer
  std::string held{};                  // a tool that is answered only once
  std::string gate{};                  // this file exists; empty: like the others
};

// A server that keeps a list of what it was asked to do: tool, key, arguments.
class Ledger final : public catalog::ToolSource {
 public:
  Ledger(boost::asio::io_context& io, std::string path, LedgerPace pace = {})
      : io_(io), path_(std::move(path)), pace_(std::move(pace)) {}
  std::vector<ToolNamespace> namespaces() const override { return {{"ledger", {}}}; }
  void find(const std::string& server, const std::string& tool, Found done) override {
    catalog::Tool found;
    found.server = server;
    found.name = tool;
    found.hash = "sha256-1";
    boost::asio::post(io_, [found, done = std::move(done)] { done(found); });
  }
  std::function<void()> call(catalog::ApprovedCall call, catalog::CallOptions options, Called done) override {
    const catalog::Tool& tool = call.tool();
    const std::string& arguments = call.arguments();
    const int fd = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    const std::string line = tool.name + " " + options.idempotency_key + " " + arguments + "\n";
    EXPECT_EQ(::write(fd, line.data(), line.size()), static_cast<ssize_t>(line.size()));
    ::close(fd);
    answer(std::make_shared<boost::asio::steady_timer>(io_), arguments, tool.name == pace_.held ? pace_.gate : "",
           std::move(done));
    return [] {};
  }

 private:
  void answer(const std::shared_ptr<boost::asio::steady_timer>& timer, const std::string& arguments,
              const std::string& gate, Called done) {
    timer->expires_after(pace_.pause);
    timer->async_wait([this, timer, arguments, gate, done = std::move(done)](auto) mutable {
      if (!gate.empty() && !std::filesystem::exists(gate)) return answer(timer, arguments, gate, std::move(done));
      auto text = std::make_shared<std::string>(arguments);
      done(catalog::ToolResult{text, *text});
    });
  }

  boost::asio::io_context& io_;
  std::string path_;
  LedgerPace pace_;
};

}  // namespace glovebox::workflow
