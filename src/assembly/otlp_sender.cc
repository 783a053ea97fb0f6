#include "assembly/otlp_sender.h"

#include <boost/asio/steady_timer.hpp>

#include "base/try.h"
#include "config/variables.h"
#include "mcp/client/http_client_transport.h"
#include "mcp/client/http_fetch.h"
#include "mcp/oauth/oauth_metadata.h"
#include "net/http_client.h"

namespace glovebox::assembly {
namespace {

using Answer = observe::SpanExporter::Answer;

constexpr std::chrono::seconds kCollectorPatience{10};
constexpr std::size_t kMostAnswerBytes = std::size_t{64} << 10;

struct Collector {
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::unique_ptr<net::HttpClient> client;
  std::unique_ptr<net::HttpSession> session;
};

// Which answers OTLP says are to be retried.
Answer answer_of(const net::FetchResult<mcp::WholeResponse>& response) {
  if (!response) return Answer::kLater;
  const int status = response->head.status;
  if (status >= 200 && status < 300) return Answer::kTaken;
  return status == 429 || status == 502 || status == 503 || status == 504 ? Answer::kLater : Answer::kRefused;
}

}  // namespace

std::string traces_url(std::string address) {
  constexpr std::string_view kPath = "/v1/traces";
  while (address.ends_with('/')) address.pop_back();
  return address.ends_with(kPath) ? address : address + std::string(kPath);
}

Result<std::shared_ptr<observe::SpanExporter>> make_exporter(boost::asio::any_io_executor executor,
                                                             const config::ObserveSettings& settings,
                                                             observe::Resource resource,
                                                             std::shared_ptr<observe::Meters> meters) {
  if (settings.otlp.empty()) return std::shared_ptr<observe::SpanExporter>();
  auto collector = std::make_shared<Collector>();
  collector->url = traces_url(settings.otlp);
  if (!settings.headers.empty() && !mcp::is_safe_endpoint(collector->url)) {
    return Failure{ErrorCode::kInvalidArgument, "observe.headers are not sent over plain http"};
  }
  for (const auto& [name, value] : settings.headers) {
    collector->headers.emplace_back(name, GLOVEBOX_TRY(config::expand_variables(value, config::process_variable)));
  }
  // The owner has named this very host, wherever it is.
  auto grants = GLOVEBOX_TRY(policy::NetGrants::parse({GLOVEBOX_TRY(mcp::grant_for(collector->url))}, true));
  collector->client = net::make_http_client();
  collector->session = collector->client->open(std::move(grants));
  const auto send = [collector, executor](std::string body, std::function<void(Answer)> done) {
    net::HttpRequest request;
    request.method = "POST";
    request.url = collector->url;
    request.headers = {{"Content-Type", "application/json"}};
    for (const auto& [name, value] : collector->headers) request.headers.push_back({name, value});
    request.redirect = net::RedirectMode::kError;
    request.body = std::move(body);
    request.deadline = std::chrono::steady_clock::now() + kCollectorPatience;
    mcp::fetch_whole(
        executor, *collector->session, std::move(request), kMostAnswerBytes,
        [done = std::move(done)](const net::FetchResult<mcp::WholeResponse>& response) { done(answer_of(response)); });
  };
  const auto timer = std::make_shared<boost::asio::steady_timer>(executor);
  const auto later = [timer](std::chrono::milliseconds pause, std::function<void()> next) {
    timer->expires_after(pause);
    timer->async_wait([next = std::move(next)](const boost::system::error_code& error) {
      if (!error) next();
    });
  };
  return observe::SpanExporter::create(std::move(resource), std::move(meters), send, later);
}

}  // namespace glovebox::assembly
