// HttpReply: the content of one HTTP response, between the code that produces it and the connection that writes it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <memory>
#include <string>

namespace glovebox::mcp {

class HttpReply {
 public:
  enum class Form { kUndecided, kWhole, kStream };

  explicit HttpReply(const boost::asio::any_io_executor& executor);

  // The response is one body. `content_type` may be empty where the body is. `head`: more header lines, each with its
  // end.
  void whole(int status, std::string body, std::string content_type = "application/json", std::string head = {});
  // The response is a stream of events, to which `text` is added.
  void add(std::string text);
  void finish();
  // The client is gone or too slow: what follows is discarded.
  void detach();

  bool attached() const { return attached_; }
  // The client has not yet read what was added long ago.
  bool is_crowded() const;
  bool finished() const { return finished_; }
  Form form() const { return form_; }
  int status() const { return status_; }
  const std::string& content_type() const { return content_type_; }
  const std::string& head() const { return head_; }

  // For the connection: the next piece, or empty.
  std::string take();
  bool empty() const { return pieces_.empty(); }
  // Cancelled whenever there is something new.
  boost::asio::steady_timer& changed() { return changed_; }

 private:
  boost::asio::steady_timer changed_;
  Form form_ = Form::kUndecided;
  int status_ = 200;
  std::string content_type_;
  std::string head_;
  std::deque<std::string> pieces_;
  std::size_t queued_ = 0;
  bool attached_ = true;
  bool finished_ = false;
};

}  // namespace glovebox::mcp
