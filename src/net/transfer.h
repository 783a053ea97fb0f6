// One exchange, hop by hop, on the client's thread. Curl's callbacks only change its state; the caller's callbacks are
// called from pump(), when curl is not on the stack.
#pragma once

#include <curl/curl.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "net/body_source.h"
#include "net/content_decoder.h"
#include "net/http_client.h"
#include "net/redirect.h"
#include "net/response_head_parser.h"

namespace glovebox::net {

// What all exchanges of one session share.
struct SessionState {
  std::uint64_t id = 0;
  policy::NetGrants grants;
  SessionLimits limits;
  std::string ca_file;
  std::unique_ptr<CURLSH, CURLSHcode (*)(CURLSH*)> connections{nullptr, ::curl_share_cleanup};
  std::size_t active = 0;         // exchanges that curl or the resolver works on
  std::size_t open = 0;           // exchanges that exist
  std::size_t decoder_bytes = 0;  // of their decompressors
};

class Transfer {
 public:
  using Clock = std::chrono::steady_clock;

  Transfer(std::shared_ptr<SessionState> session, HttpRequest request, HeadCallback on_head);
  ~Transfer() { session_->decoder_bytes -= decoder_bytes_; }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  SessionState& session() const { return *session_; }
  const Hop& hop() const { return *hop_; }
  Clock::time_point deadline() const { return request_.deadline; }
  bool failed() const { return error_.has_value(); }

  // Checks request and grants; afterwards there is a hop() unless it failed().
  void begin();
  // Makes the handle that connects to `addresses`, or to the address in the URL.
  CURL* prepare(const Addresses& addresses);
  // Curl is done with the handle, which is out of the multi handle already. True: there is a next hop().
  [[nodiscard]] bool finish_hop(CURLcode code);

  void read(ReadCallback done);
  void write(std::string bytes, bool last, WriteCallback done);
  // Ends it with this error, unless it has ended with another. Its handle is out of the multi handle already.
  void fail(FetchError error);
  void fail_lookup(const std::string& reason);

  // Runs the callbacks that are due.
  void pump();

 private:
  struct EasyCleanup {
    void operator()(CURL* handle) const { ::curl_easy_cleanup(handle); }
  };
  struct ListCleanup {
    void operator()(curl_slist* list) const { ::curl_slist_free_all(list); }
  };
  using List = std::unique_ptr<curl_slist, ListCleanup>;

  static std::size_t header_callback(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t write_callback(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t read_callback(char* buffer, std::size_t size, std::size_t count, void* self);
  static int seek_callback(void* self, curl_off_t offset, int origin);
  static curl_socket_t open_socket(void* self, curlsocktype purpose, curl_sockaddr* address);
  static int before_request(void* self, char* remote, char* local, int remote_port, int local_port);

  std::size_t take_header_line(std::string_view line);
  std::size_t take_body(std::string_view bytes);
  void head_is_there();
  bool may_connect(const policy::IpAddress& address, std::uint16_t port);
  void set_policy_options();
  void set_request_options();
  FetchError error_of(CURLcode code) const;
  bool next_chunk(Chunk& chunk);
  bool decoders_have_room();
  void resume();
  FetchError limit_error(std::string_view what) const;

  std::shared_ptr<SessionState> session_;
  HttpRequest request_;
  HeadCallback on_head_;
  std::optional<Hop> hop_;
  int redirects_ = 0;

  std::unique_ptr<CURL, EasyCleanup> easy_;
  List header_list_, resolve_list_;
  char reason_[CURL_ERROR_SIZE] = "";
  bool in_curl_ = false;  // a pause can be lifted

  BodySource body_;
  bool send_paused_ = false;
  WriteCallback on_written_;

  ResponseHeadParser head_;
  bool head_ready_ = false;
  bool redirecting_ = false;
  std::size_t redirect_body_bytes_ = 0;

  std::string waiting_;  // received and not yet read
  bool receive_paused_ = false;
  bool received_all_ = false;
  bool anybody_read_ = false;
  std::size_t received_bytes_ = 0;
  std::size_t decoded_bytes_ = 0;
  std::unique_ptr<ContentDecoder> decoder_;
  std::size_t decoder_bytes_ = 0;  // as counted in the session
  ReadCallback on_read_;

  std::optional<policy::NetDenial> denial_;
  std::optional<FetchError> error_;
};

}  // namespace glovebox::net
