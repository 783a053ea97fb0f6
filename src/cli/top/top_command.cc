#include "cli/top/top_command.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>

#include "base/text/log_text.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "cli/top/top_view.h"
#include "config/variables.h"
#include "gateway/adoption/liveness.h"
#include "mcp/client/http_client_transport.h"
#include "mcp/client/http_fetch.h"
#include "net/http_client.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "workspace/open_store.h"
#include "workspace/report.h"
#include "workspace/workspace.h"

namespace glovebox::cli {
namespace {

constexpr const char* kTopFooter = R"(
Runs, approvals and gateways come from the store of the workspace; guests, servers and rates from GET /metrics of a
gateway that serves HTTP: at http.listen of the config with its observe.token, or at --url with --token (a viewer's; see
`glovebox token`). On a terminal it updates until Ctrl-C; otherwise, and with --json, it prints once.)";

constexpr std::size_t kMostListedRuns = 200;
constexpr std::size_t kMostMetricBytes = std::size_t{4} << 20;
constexpr std::chrono::seconds kMetricsPatience{5};

struct TopOptions {
  WorkspaceFlags where;
  std::string url;
  std::string token;
  bool once = false;
  double every = 2;
};

volatile std::sig_atomic_t g_interrupted = 0;

// Asks one address, again and again.
class MetricsSource {
 public:
  static Result<MetricsSource> open(const TopOptions& options, const config::HttpSettings& settings,
                                    const std::string& watchers_token) {
    MetricsSource source;
    source.url_ = options.url;
    source.token_ = options.token;
    if (source.url_.empty() && !settings.listen.empty()) {
      const bool bare = settings.listen.find(':') == std::string::npos;
      source.url_ = (settings.certificate.empty() ? "http://" : "https://") + (bare ? "127.0.0.1:" : std::string()) +
                    settings.listen;
    }
    if (source.url_.empty()) {
      return Failure{ErrorCode::kNotFound,
                     "the gateway's address is unknown: set http.listen in the config, or use --url"};
    }
    if (source.token_.empty() && !watchers_token.empty())
      source.token_ = GLOVEBOX_TRY(config::expand_variables(watchers_token, config::process_variable));
    while (source.url_.ends_with('/')) source.url_.pop_back();
    if (source.url_.ends_with("/mcp")) source.url_.resize(source.url_.size() - 4);
    if (!source.url_.ends_with("/metrics")) source.url_ += "/metrics";
    auto grants = GLOVEBOX_TRY(policy::NetGrants::parse({GLOVEBOX_TRY(mcp::grant_for(source.url_))}, true));
    source.client_ = net::make_http_client();
    source.session_ = source.client_->open(std::move(grants));
    return source;
  }

  Result<Samples> read() {
    net::HttpRequest request;
    request.method = "GET";
    request.url = url_;
    if (!token_.empty()) request.headers.push_back({"Authorization", "Bearer " + token_});
    request.redirect = net::RedirectMode::kError;
    request.deadline = std::chrono::steady_clock::now() + kMetricsPatience;
    boost::asio::io_context loop;
    auto work = std::make_optional(boost::asio::make_work_guard(loop));
    Result<Samples> read = Failure{ErrorCode::kSystem, "no answer"};
    const auto fetch = mcp::fetch_whole(
        loop.get_executor(), *session_, std::move(request), kMostMetricBytes,
        [&](const net::FetchResult<mcp::WholeResponse>& response) {
          if (!response) {
            read = Failure{ErrorCode::kSystem, response.failure().message};
          } else if (response->head.status != 200) {
            read = Failure{ErrorCode::kSystem, url_ + " answered with status " + std::to_string(response->head.status)};
          } else {
            read = read_samples(response->body);
          }
          work.reset();
        });
    loop.run();
    return read;
  }

 private:
  std::string url_;
  std::string token_;
  std::unique_ptr<net::HttpClient> client_;
  std::unique_ptr<net::HttpSession> session_;
};

Result<TopState> read_state(const Workspace& workspace, Result<MetricsSource>& source) {
  TopState state;
  state.now = base::now_ms();
  const auto store = GLOVEBOX_TRY(open_store(workspace));
  if (store) {
    for (store::NodeRecord& node : GLOVEBOX_TRY(store->nodes())) {
      if (gateway::owner_lives(*store, workspace.state_folder, node.id)) state.nodes.push_back(std::move(node));
    }
    state.runs = GLOVEBOX_TRY(store->list_runs(std::nullopt, kMostListedRuns));
    state.approvals = static_cast<std::size_t>(GLOVEBOX_TRY(store->pending_approvals()));
  }
  if (!source) {
    state.no_samples = source.failure().message;
    return state;
  }
  auto samples = source->read();
  if (samples) {
    state.samples = std::move(samples).value();
  } else {
    state.no_samples = samples.failure().message;
  }
  return state;
}

void draw(const TopState& state) {
  winsize size{};
  const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  const std::string text = top_text(state, known ? size.ws_col : 100, known && size.ws_row > 1 ? size.ws_row - 1 : 40);
  std::string screen = ::isatty(STDOUT_FILENO) ? "\x1b[H\x1b[2J" : "";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    screen += base::neutralise(text.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  std::fwrite(screen.data(), 1, screen.size(), stdout);
  std::fflush(stdout);
}

int run_top(const TopOptions& options) {
  const bool json = options.where.json;
  const auto workspace = open_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, json);
  auto source = MetricsSource::open(options, workspace->config.gateway.http, workspace->config.gateway.observe.token);
  if (!source && source.failure().code != ErrorCode::kNotFound) return fail_usage(source.failure().message, json);
  std::optional<Samples> before;
  auto last_read = std::chrono::steady_clock::now();
  const bool goes_on = !options.once && !json && ::isatty(STDOUT_FILENO);
  struct sigaction action {};
  action.sa_handler = [](int) { g_interrupted = 1; };
  if (goes_on) ::sigaction(SIGINT, &action, nullptr);
  for (;;) {
    auto state = read_state(workspace.value(), source);
    if (!state) return fail_with(kUnreachable, "STORE_UNAVAILABLE", state.failure().message, json);
    const auto now = std::chrono::steady_clock::now();
    state->before = before;
    state->seconds = std::chrono::duration<double>(now - last_read).count();
    last_read = now;
    if (json) {
      print_json(top_json(state.value()));
    } else {
      draw(state.value());
    }
    if (!goes_on) return kOk;
    before = state->samples;
    ::poll(nullptr, 0, static_cast<int>(options.every * 1000));
    if (g_interrupted) return kOk;
  }
}

}  // namespace

void add_top_command(Command& app) {
  const auto options = std::make_shared<TopOptions>();
  Command* command = app.add_subcommand("top", "Watch runs, guests, servers and rates");
  command->footer(kTopFooter);
  add_workspace_flags(*command, options->where);
  command->add_option("--url", options->url, "Where a gateway serves HTTP, such as http://127.0.0.1:7777")
      ->type_name("URL");
  command->add_option("--token", options->token, "Its bearer token")
      ->type_name("TOKEN")
      ->from_variable("GLOVEBOX_TOKEN");
  command->add_flag("--once", options->once, "Print once and exit");
  command->add_option("--every", options->every, "Seconds between updates (2)")
      ->within(0.2, 3600.0)
      ->type_name("SECONDS");
  command->runs([options] { return run_top(*options); });
}

}  // namespace glovebox::cli
