#include "net/http_client.h"

#include <mutex>

#include "net/http_loop.h"

namespace glovebox::net {
namespace {

class LoopExchange : public Exchange {
 public:
  LoopExchange(std::shared_ptr<HttpLoop> loop, std::uint64_t id) : loop_(std::move(loop)), id_(id) {}
  ~LoopExchange() override { loop_->drop(id_); }

  void read(ReadCallback done) override { loop_->read(id_, std::move(done)); }
  void write(std::string bytes, bool last, WriteCallback done) override {
    loop_->write(id_, std::move(bytes), last, std::move(done));
  }
  void cancel() override { loop_->cancel(id_); }

 private:
  std::shared_ptr<HttpLoop> loop_;
  std::uint64_t id_;
};

class LoopSession : public HttpSession {
 public:
  LoopSession(std::shared_ptr<HttpLoop> loop, policy::NetGrants grants, SessionLimits limits)
      : loop_(std::move(loop)), id_(loop_->new_id()), grants_(std::move(grants)), limits_(limits) {}
  ~LoopSession() override {
    close_session([] {});
  }

  std::unique_ptr<Exchange> fetch(HttpRequest request, HeadCallback done) override {
    std::call_once(opened_, [this] { loop_->open(id_, std::move(grants_), limits_); });
    const std::uint64_t id = loop_->new_id();
    auto exchange = std::make_unique<LoopExchange>(loop_, id);
    loop_->fetch(id, id_, std::move(request), std::move(done));
    return exchange;
  }
  void close(std::function<void()> closed) override { close_session(std::move(closed)); }

 private:
  void close_session(std::function<void()> closed) {
    bool unused = false;
    std::call_once(opened_, [&unused] { unused = true; });
    if (unused) return closed();
    loop_->close(id_, std::move(closed));
  }

  std::shared_ptr<HttpLoop> loop_;
  std::uint64_t id_;
  policy::NetGrants grants_;
  SessionLimits limits_;
  std::once_flag opened_;  // a run that fetches nothing costs nothing
};

class LoopClient : public HttpClient {
 public:
  explicit LoopClient(ClientOptions options) : loop_(std::make_shared<HttpLoop>(std::move(options))) {}
  ~LoopClient() override { loop_->stop(); }

  std::unique_ptr<HttpSession> open(policy::NetGrants grants, SessionLimits limits) override {
    return std::make_unique<LoopSession>(loop_, std::move(grants), limits);
  }

 private:
  std::shared_ptr<HttpLoop> loop_;
};

}  // namespace

std::unique_ptr<HttpClient> make_http_client(ClientOptions options) {
  if (!options.look_up) options.look_up = look_up_with_system;
  return std::make_unique<LoopClient>(std::move(options));
}

}  // namespace glovebox::net
