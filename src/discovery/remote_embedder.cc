#include "discovery/remote_embedder.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <charconv>

#include "base/try.h"
#include "catalog/pins/definition.h"
#include "discovery/embeddings_message.h"
#include "mcp/client/http_client_transport.h"
#include "mcp/client/http_fetch.h"
#include "mcp/oauth/oauth_metadata.h"
#include "net/http_client.h"

namespace glovebox::discovery {
namespace {

constexpr std::size_t kRemoteBatch = 64;
constexpr std::size_t kMostAnswerBytes = std::size_t{32} << 20;
constexpr std::chrono::seconds kLongestPause{30};

Failure unusable(std::string why) {
  return {ErrorCode::kSystem, std::move(why)};
}

// A status after which a retry a little later may succeed.
bool is_busy(int status) {
  return status == 429 || status == 502 || status == 503 || status == 504;
}

// Without the query part, which may hold a key.
std::string plain_url(const std::string& url) {
  return url.substr(0, url.find_first_of("?#"));
}

// The query part may choose the model, and so is part of its name, as a digest.
std::string query_digest(const std::string& url) {
  const std::string plain = plain_url(url);
  return plain.size() == url.size() ? "" : "?" + catalog::sha256_text(url.substr(plain.size())).substr(7, 12);
}

using Done = std::function<void(Result<Vectors>)>;

struct Remote : std::enable_shared_from_this<Remote> {
  Remote(boost::asio::any_io_executor on, RemoteOptions given)
      : executor(std::move(on)), options(std::move(given)), wanted_dimensions(options.dimensions) {}

  struct Asking {
    std::vector<std::string> texts;
    Embedder::Purpose purpose;
    Done done;
    int tries = 0;
  };

  void ask(const std::shared_ptr<Asking>& asking) {
    if (closed) return;
    net::HttpRequest request;
    request.method = "POST";
    request.url = options.url;
    request.headers = {{"Content-Type", "application/json"}, {"Accept", "application/json"}};
    if (!options.key.empty()) request.headers.push_back({"Authorization", "Bearer " + options.key});
    // A redirect would send the texts of all tools to a host that the owner has not named.
    request.redirect = net::RedirectMode::kError;
    request.body = embeddings_request(options.model, asking->texts, wanted_dimensions);
    request.deadline = std::chrono::steady_clock::now() +
                       (asking->purpose == Embedder::Purpose::kQuery ? options.query_time : options.tools_time);
    mcp::fetch_whole(executor, *session, std::move(request), kMostAnswerBytes,
                     [self = shared_from_this(), asking](net::FetchResult<mcp::WholeResponse> response) {
                       if (!self->closed) self->answered(asking, response);
                     });
  }

  void answered(const std::shared_ptr<Asking>& asking, const net::FetchResult<mcp::WholeResponse>& response) {
    if (!response) return asking->done(unusable(response.failure().message));
    const int status = response->head.status;
    if (is_busy(status) && asking->purpose == Embedder::Purpose::kTools && ++asking->tries < options.most_tries) {
      return ask_later(asking, mcp::field_of(response->head, "Retry-After"));
    }
    if (status != 200) {
      const std::string words = error_words(response->body, options.key);
      return asking->done(
          unusable("it answered with status " + std::to_string(status) + (words.empty() ? "" : ": " + words)));
    }
    auto vectors = read_embeddings(response->body, asking->texts.size(), options.dimensions);
    // The dimensions of its first response hold for all.
    if (vectors) options.dimensions = vectors->front().size();
    asking->done(std::move(vectors));
  }

  void ask_later(const std::shared_ptr<Asking>& asking, const std::string& wanted) {
    std::chrono::milliseconds pause = options.first_pause * (1 << (asking->tries - 1));
    int seconds = 0;
    const auto [end, wrong] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), seconds);
    if (wrong == std::errc() && seconds > 0)
      pause = std::max<std::chrono::milliseconds>(pause, std::chrono::seconds(seconds));
    auto timer = std::make_shared<boost::asio::steady_timer>(executor,
                                                             std::min<std::chrono::milliseconds>(pause, kLongestPause));
    timer->async_wait(
        [self = shared_from_this(), timer, asking](const boost::system::error_code&) { self->ask(asking); });
    pause_timer = timer;
  }

  boost::asio::any_io_executor executor;
  RemoteOptions options;
  std::size_t wanted_dimensions;  // as configured; options.dimensions is what the endpoint returns
  std::unique_ptr<net::HttpClient> client;
  std::unique_ptr<net::HttpSession> session;
  std::weak_ptr<boost::asio::steady_timer> pause_timer;
  bool closed = false;
};

class RemoteEmbedder final : public Embedder {
 public:
  RemoteEmbedder(boost::asio::any_io_executor executor, RemoteOptions options)
      : remote_(std::make_shared<Remote>(std::move(executor), std::move(options))) {
    remote_->options.url = endpoint_url(remote_->options.url);
  }
  ~RemoteEmbedder() override {
    remote_->closed = true;
    if (const auto timer = remote_->pause_timer.lock()) timer->cancel();
    remote_->session.reset();
    remote_->client.reset();
  }

  std::string name() const override { return "the embeddings endpoint " + plain_url(remote_->options.url); }
  std::size_t batch() const override { return kRemoteBatch; }
  bool is_calibrated() const override { return false; }

  void open(std::function<void(Result<std::string>)> done) override {
    boost::asio::post(remote_->executor, [remote = remote_, opened = connect(), done = std::move(done)] {
      if (!remote->closed) done(opened);
    });
  }

  void embed(std::vector<std::string> texts, Purpose purpose, Done done) override {
    auto asking = std::make_shared<Remote::Asking>(Remote::Asking{std::move(texts), purpose, std::move(done)});
    if (remote_->session) return remote_->ask(asking);
    boost::asio::post(remote_->executor, [remote = remote_, asking] {
      if (!remote->closed) asking->done(unusable("it is not open"));
    });
  }

 private:
  Result<std::string> connect() {
    const RemoteOptions& options = remote_->options;
    if (!options.problem.empty()) return unusable(options.problem);
    if (!options.key.empty() && !mcp::is_safe_endpoint(options.url)) {
      return unusable("its key is not sent over plain http");
    }
    if (!remote_->session) {
      const std::string grant = GLOVEBOX_TRY(mcp::grant_for(options.url));
      // The owner has named this very host, so it may be anywhere.
      auto grants = GLOVEBOX_TRY(policy::NetGrants::parse({grant}, true));
      remote_->client = net::make_http_client();
      remote_->session = remote_->client->open(std::move(grants));
    }
    return plain_url(options.url) + query_digest(options.url) + " " + options.model + " " +
           std::to_string(remote_->wanted_dimensions);
  }

  std::shared_ptr<Remote> remote_;
};

}  // namespace

std::unique_ptr<Embedder> make_remote_embedder(boost::asio::any_io_executor executor, RemoteOptions options) {
  return std::make_unique<RemoteEmbedder>(std::move(executor), std::move(options));
}

}  // namespace glovebox::discovery
