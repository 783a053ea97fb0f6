// Logs of current runs, in a file for each, which other processes show to people. A run that ends soon writes none: its
// outcome has all of it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "glovebox/sandbox.h"

namespace glovebox::assembly {

class LiveLogs {
 public:
  // `folder` is made with the first file.
  LiveLogs(const boost::asio::any_io_executor& executor, std::string folder);
  ~LiveLogs();  // the files go
  LiveLogs(const LiveLogs&) = delete;
  LiveLogs& operator=(const LiveLogs&) = delete;

  void add(const std::string& run, const LogLine& line);
  void ended(const std::string& run);

 private:
  struct Log {
    std::string unwritten;
    std::size_t written = 0;
    bool is_cut = false;
  };
  void write_soon();
  void write(const std::string& run, Log& log);
  std::string path_of(const std::string& run) const;

  std::string folder_;
  boost::asio::steady_timer timer_;
  std::map<std::string, Log> logs_;
  bool waits_ = false;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace glovebox::assembly
