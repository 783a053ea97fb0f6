// HttpReply: the content of one HTTP response, between the code that produces it and the connection that writes it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <memory>
#include <string>

#include "base/bounds/byte_shares.h"

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
  // From here on, events that wait for the client count as bytes of `holder`. If there is no room for one, the client
  // is too slow.
  void count_as(std::shared_ptr<base::ByteShares> shares, std::string holder);

  bool attached() const { return attached_; }
  // The client has not yet read what was added long ago.
  bool is_crowded() const;
  bool finished() const { return finished_; }
  Form form() const { return form_; }
  int status() const { return status_; }
  const std::string& content_type() const { return content_type_; }
  const std::string& head() const { return head_; }

  // For the connection: the next piece, or empty. An event counts until `held` is gone.
  std::string take(base::ByteShares::Held* held = nullptr);
  bool empty() const { return pieces_.empty(); }
  // Cancelled whenever there is something new.
  boost::asio::steady_timer& changed() { return changed_; }

 private:
  struct Piece {
    std::string text;
    base::ByteShares::Held held{};
  };
  // False: there is no room for it.
  bool count(Piece& piece);

  boost::asio::steady_timer changed_;
  Form form_ = Form::kUndecided;
  int status_ = 200;
  std::string content_type_;
  std::string head_;
  std::deque<Piece> pieces_;
  std::shared_ptr<base::ByteShares> shares_;
  std::string holder_;
  std::size_t queued_ = 0;
  bool attached_ = true;
  bool finished_ = false;
};

}  // namespace glovebox::mcp
