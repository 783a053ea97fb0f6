#include "assembly/notify/notifier.h"

#include <stdlib.h>
#include <unistd.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <optional>
#include <vector>

#include "assembly/notify/notice.h"
#include "base/child.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "calls/command/program_search.h"
#include "config/http/token_length.h"
#include "config/variables.h"
#include "mcp/client/http_client_transport.h"
#include "mcp/client/http_fetch.h"
#include "mcp/oauth/oauth_metadata.h"
#include "net/http_client.h"

namespace glovebox::assembly {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kMostWaiting = 100;
constexpr std::chrono::seconds kPatience{10};
constexpr std::chrono::seconds kPauses[] = {std::chrono::seconds(1), std::chrono::seconds(10),
                                            std::chrono::seconds(60)};
constexpr std::size_t kMostAnswer = 4096;

struct Message {
  std::string id;
  std::string body;
  std::size_t attempts = 0;
};

// How an attempt ended: nothing, or what went wrong and whether another may help.
struct Trouble {
  std::string why;
  bool is_passing = false;
};
using Done = std::function<void(std::optional<Trouble>)>;
using Send = std::function<void(const Message&, Done)>;

// One destination: what waits, what is under way, and when it is tried again.
class Line : public std::enable_shared_from_this<Line> {
 public:
  Line(const asio::any_io_executor& executor, std::string name, Send send,
       std::function<void(const std::string&)> on_trouble)
      : timer_(executor), name_(std::move(name)), send_(std::move(send)), on_trouble_(std::move(on_trouble)) {}

  void add(Message message) {
    if (waiting_.size() >= kMostWaiting) {
      if (!std::exchange(reported_full_, true))
        on_trouble_(name_ + ": too many notifications are queued; newer ones are dropped");
      return;
    }
    reported_full_ = false;
    waiting_.push_back(std::move(message));
    next();
  }
  void stop() {
    waiting_.clear();
    timer_.cancel();
  }

 private:
  void next() {
    if (busy_ || waiting_.empty()) return;
    busy_ = true;
    ++waiting_.front().attempts;
    send_(waiting_.front(), [weak = weak_from_this()](std::optional<Trouble> trouble) {
      if (const auto self = weak.lock()) self->ended(std::move(trouble));
    });
  }

  void ended(std::optional<Trouble> trouble) {
    if (waiting_.empty()) {  // stopped meanwhile
      busy_ = false;
      return;
    }
    const std::size_t attempts = waiting_.front().attempts;
    if (trouble && trouble->is_passing && attempts <= std::size(kPauses)) {
      timer_.expires_after(kPauses[attempts - 1]);
      timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
        const auto self = weak.lock();
        if (!self || error) return;
        self->busy_ = false;
        self->next();
      });
      return;
    }
    if (trouble) on_trouble_(name_ + ": " + trouble->why + " (" + waiting_.front().id + ")");
    waiting_.pop_front();
    busy_ = false;
    next();
  }

  asio::steady_timer timer_;
  std::string name_;
  Send send_;
  std::function<void(const std::string&)> on_trouble_;
  std::deque<Message> waiting_;
  bool busy_ = false;
  bool reported_full_ = false;
};

// ---- a program

struct Running : std::enable_shared_from_this<Running> {
  Running(const asio::any_io_executor& executor, base::Child started)
      : child(std::move(started)), end_watch(executor, child.end_fd()), timer(executor) {}
  ~Running() { (void)end_watch.release(); }

  void wait(Done done) {
    timer.expires_after(kPatience);
    timer.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
      if (error) return;
      self->late = true;
      self->child.kill();
    });
    end_watch.async_wait(asio::posix::stream_descriptor::wait_read,
                         [self = shared_from_this(), done = std::move(done)](const boost::system::error_code& error) {
                           self->timer.cancel();
                           if (!error) done(self->trouble());
                         });
  }

  std::optional<Trouble> trouble() {
    const base::ChildEnd end = child.reap();
    if (late) return Trouble{"the program took longer than " + std::to_string(kPatience.count()) + " s"};
    if (end.start_error != 0) return Trouble{"the program cannot be executed"};
    if (end.signal != 0) return Trouble{"the program was killed by signal " + std::to_string(end.signal)};
    if (end.code != 0) return Trouble{"the program ended with exit code " + std::to_string(end.code)};
    return std::nullopt;
  }

  base::Child child;
  asio::posix::stream_descriptor end_watch;
  asio::steady_timer timer;
  bool late = false;
};

// It is the owner's own, so it gets the environment that we have.
std::vector<std::string> own_environment() {
  std::vector<std::string> all;
  for (char** entry = environ; *entry; ++entry) all.emplace_back(*entry);
  return all;
}

Send start_program(asio::any_io_executor executor, std::vector<std::string> words) {
  return [executor = std::move(executor), words = std::move(words)](const Message& message, Done done) {
    const char* const path = ::getenv("PATH");
    const auto found = calls::find_program(words.front(), path ? path : "");
    if (!found) return done(Trouble{"there is no program " + words.front()});
    base::ChildSpec spec;
    spec.program = found->file;
    spec.arguments = words;
    spec.environment = own_environment();
    spec.input = message.body;
    spec.keep_out = spec.keep_err = false;
    auto child = base::Child::start(std::move(spec));
    if (!child) return done(Trouble{child.failure().message});
    std::make_shared<Running>(executor, std::move(child).value())->wait(std::move(done));
  };
}

// ---- an address

struct Webhook {
  std::string url;
  std::string secret;
  std::unique_ptr<net::HttpClient> client;
  std::unique_ptr<net::HttpSession> session;
};

std::optional<Trouble> trouble_in(const net::FetchResult<mcp::WholeResponse>& response) {
  if (!response) return Trouble{"the address cannot be reached", true};
  const int status = response->head.status;
  if (status >= 200 && status < 300) return std::nullopt;
  return Trouble{"the address answers with status " + std::to_string(status),
                 status >= 500 || status == 408 || status == 429};
}

Result<Send> post_to(asio::any_io_executor executor, const config::NotifySettings& settings) {
  auto hook = std::make_shared<Webhook>();
  hook->url = GLOVEBOX_TRY(config::expand_variables(settings.webhook, config::process_variable));
  hook->secret = GLOVEBOX_TRY(config::expand_variables(settings.secret, config::process_variable));
  if (!mcp::is_safe_endpoint(hook->url))
    return Failure{ErrorCode::kInvalidArgument, "notify.webhook is an https address, or http within this machine"};
  if (hook->secret.size() < config::kShortestToken) {
    return Failure{ErrorCode::kInvalidArgument,
                   "notify.secret has fewer than " + std::to_string(config::kShortestToken) + " characters"};
  }
  // The owner has named this very host, wherever it is.
  auto grants = GLOVEBOX_TRY(policy::NetGrants::parse({GLOVEBOX_TRY(mcp::grant_for(hook->url))}, true));
  hook->client = net::make_http_client();
  hook->session = hook->client->open(std::move(grants));
  return Send([hook, executor = std::move(executor)](const Message& message, Done done) {
    const std::int64_t seconds = base::now_ms() / 1000;
    net::HttpRequest request;
    request.method = "POST";
    request.url = hook->url;
    request.headers = {{"Content-Type", "application/json"},
                       {"webhook-id", message.id},
                       {"webhook-timestamp", std::to_string(seconds)},
                       {"webhook-signature", webhook_signature(hook->secret, message.id, seconds, message.body)}};
    request.redirect = net::RedirectMode::kError;
    request.body = message.body;
    request.deadline = std::chrono::steady_clock::now() + kPatience;
    mcp::fetch_whole(
        executor, *hook->session, std::move(request), kMostAnswer,
        [done = std::move(done)](const net::FetchResult<mcp::WholeResponse>& response) { done(trouble_in(response)); });
  });
}

struct Lines {
  ~Lines() {
    for (const auto& line : all) line->stop();
  }
  std::vector<std::shared_ptr<Line>> all;
};

}  // namespace

Result<Notify> make_notify(asio::any_io_executor executor, const config::NotifySettings& settings,
                           std::function<void(const std::string&)> on_trouble) {
  const auto lines = std::make_shared<Lines>();
  const auto add = [&](const char* name, Send send) {
    lines->all.push_back(std::make_shared<Line>(executor, name, std::move(send), on_trouble));
  };
  if (!settings.command.empty()) add("notify.command", start_program(executor, settings.command));
  if (!settings.webhook.empty()) add("notify.webhook", GLOVEBOX_TRY(post_to(executor, settings)));
  if (lines->all.empty()) return Notify();
  return Notify([lines](const std::string& id, const std::string& notice) {
    for (const auto& line : lines->all) line->add({id, notice});
  });
}

}  // namespace glovebox::assembly
