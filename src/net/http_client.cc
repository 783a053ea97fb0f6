#include "net/http_client.h"

#include "net/http_loop.h"

namespace glovebox::net {

HttpClient::HttpClient(ClientOptions options) : loop_(std::make_shared<HttpLoop>(std::move(options))) {}

HttpClient::~HttpClient() {
  loop_->stop();
}

std::unique_ptr<HttpSession> HttpClient::open(policy::NetGrants grants, SessionLimits limits) {
  return std::unique_ptr<HttpSession>(new HttpSession(loop_, std::move(grants), limits));
}

HttpSession::HttpSession(std::shared_ptr<HttpLoop> loop, policy::NetGrants grants, SessionLimits limits)
    : loop_(std::move(loop)), id_(loop_->new_id()), grants_(std::move(grants)), limits_(limits) {}

HttpSession::~HttpSession() {
  close([] {});
}

void HttpSession::close(std::function<void()> closed) {
  bool unused = false;
  std::call_once(opened_, [&unused] { unused = true; });
  if (unused) return closed();
  loop_->close(id_, std::move(closed));
}

std::unique_ptr<Exchange> HttpSession::fetch(HttpRequest request, HeadCallback done) {
  std::call_once(opened_, [this] { loop_->open(id_, std::move(grants_), limits_); });
  const std::uint64_t id = loop_->new_id();
  auto exchange = std::unique_ptr<Exchange>(new Exchange(loop_, id));
  loop_->fetch(id, id_, std::move(request), std::move(done));
  return exchange;
}

Exchange::~Exchange() {
  loop_->drop(id_);
}

void Exchange::read(ReadCallback done) {
  loop_->read(id_, std::move(done));
}

void Exchange::write(std::string bytes, bool last, WriteCallback done) {
  loop_->write(id_, std::move(bytes), last, std::move(done));
}

void Exchange::cancel() {
  loop_->cancel(id_);
}

}  // namespace glovebox::net
