// ConfigWatch: notices that a config file has changed, and reads it.
//
// It polls the file twice a second instead of asking the kernel for events: editors replace files, links lead
// elsewhere, and shared folders report nothing. One poll is one system call.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "config/config_file.h"

namespace glovebox::catalog {

class ConfigWatch {
 public:
  // The file as it is now, or what is wrong with it: then the previous config stays in force. Not called while the file
  // is missing: an editor may be about to put it back.
  using Changed = std::function<void(config::ConfigResult<config::ConfigFile>)>;
  // `known` is the file that was read before: it is not reported, and any other is, however early it appears.
  ConfigWatch(boost::asio::any_io_executor executor, std::string path, config::FileStamp known, Changed changed,
              std::chrono::milliseconds pause = std::chrono::milliseconds(500));
  ~ConfigWatch();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace glovebox::catalog
