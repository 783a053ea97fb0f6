#include "frontend/gateway_cli/serve_command.h"

#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <charconv>
#include <cstdio>
#include <thread>

#include "base/try.h"
#include "config/variables.h"
#include "frontend/cli/command_line.h"
#include "frontend/cli/exit_codes.h"
#include "frontend/mcp_tools/product_tools.h"
#include "frontend/serve/approvals_http.h"
#include "frontend/serve/gateway_process.h"
#include "frontend/serve/state_key.h"
#include "mcp/http_server.h"
#include "mcp/stdio_server.h"

namespace glovebox::frontend {
namespace {

namespace asio = boost::asio;

constexpr const char* kFooter = R"(
An MCP client starts it, such as with {"mcpServers": {"glovebox": {"command": "glovebox", "args": ["serve",
"--workspace", "/path/of/the/project"]}}}. The agent then sees execute_code and a few more tools; the servers of the
workspace's glovebox.json are functions of its code, and the file's permissions say which calls happen.

Over HTTP a bearer token is wanted: http.token of the config, or a new one that is printed at the start. With it,
GET /approvals lists what a person must decide, and POST /approvals/ID decides.)";

// Time for upstream servers to end by themselves, and for answers that are ready to go out.
constexpr std::chrono::milliseconds kFarewell{500};

// What upstream servers may ask: it is passed on to the client, and refused where the client cannot.
constexpr const char* kPassedOn = R"({"elicitation":{"form":{},"url":{}},"sampling":{}})";

void say(const std::string& text) {
  std::fprintf(stderr, "glovebox: %s\n", text.c_str());
}

// Both standard streams belong to the protocol. Whatever else prints must not end up in it.
struct ProtocolStreams {
  base::UniqueFd in;
  base::UniqueFd out;
};
ProtocolStreams take_standard_streams() {
  ProtocolStreams streams{base::UniqueFd(::dup(STDIN_FILENO)), base::UniqueFd(::dup(STDOUT_FILENO))};
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  return streams;
}

struct Place {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;
};

Result<Place> parse_place(const std::string& text) {
  Place place;
  const std::size_t colon = text.rfind(':');
  if (colon != std::string::npos) place.address = text.substr(0, colon);
  if (place.address.starts_with('[') && place.address.ends_with(']')) {
    place.address = place.address.substr(1, place.address.size() - 2);
  }
  if (place.address == "localhost") place.address = "127.0.0.1";
  const std::string port = colon == std::string::npos ? text : text.substr(colon + 1);
  const auto [end, wrong] = std::from_chars(port.data(), port.data() + port.size(), place.port);
  if (wrong != std::errc() || end != port.data() + port.size() || place.address.empty()) {
    return Failure{ErrorCode::kInvalidArgument, "--http takes ADDRESS:PORT, such as 127.0.0.1:7777, not " + text};
  }
  return place;
}

Result<mcp::HttpServerOptions> http_options(const ServeOptions& options, const config::HttpSettings& settings,
                                            bool& token_is_new) {
  const Place place = GLOVEBOX_TRY(parse_place(options.http.empty() ? settings.listen : options.http));
  mcp::HttpServerOptions http;
  http.address = place.address;
  http.port = place.port;
  http.names.hosts = settings.allowed_hosts;
  http.names.origins = settings.allowed_origins;
  http.certificate_file = options.certificate.empty() ? settings.certificate : options.certificate;
  http.key_file = options.key.empty() ? settings.key : options.key;
  if (options.open || settings.open) {
    http.access = mcp::OpenOnLoopback{};
    return http;
  }
  std::string token;
  if (!settings.token.empty()) token = GLOVEBOX_TRY(config::expand_variables(settings.token, config::process_variable));
  token_is_new = token.empty();
  http.access = mcp::BearerToken{token_is_new ? mcp::random_token() : token};
  return http;
}

int fail(const Failure& failure) {
  say(failure.message);
  return failure.code == ErrorCode::kSandboxUnavailable ? kUnreachable : kUsage;
}

class Serving {
 public:
  explicit Serving(const ServeOptions& options) : options_(options), signals_(loop_), farewell_(loop_) {}

  int run() {
    ::signal(SIGPIPE, SIG_IGN);
    if (const auto started = start(); !started) return fail(started.failure());
    signals_.add(SIGINT);
    signals_.add(SIGTERM);
    signals_.async_wait([this](auto error, int) {
      if (!error) end();
    });
    process_->watch_config();
    warm_up();
    loop_.run();
    if (warming_.joinable()) warming_.join();
    return kOk;
  }

 private:
  Result<void> start() {
    GatewayProcessOptions options;
    options.workspace = GLOVEBOX_TRY(open_workspace(options_.workspace));
    options.capabilities = kPassedOn;
    options.on_notice = say;
    options.sandbox.on_notice = say;
    process_ = GLOVEBOX_TRY(GatewayProcess::open(loop_.get_executor(), std::move(options)));
    mcp::ServerOptions about;
    about.info = {"glovebox", GLOVEBOX_VERSION, "Glovebox"};
    about.instructions = product_instructions(*process_);
    about.state_key = GLOVEBOX_TRY(keep_state_key(process_->workspace().state_folder));
    core_ = std::make_unique<mcp::ServerCore>(std::move(about));
    GLOVEBOX_TRY_VOID(add_product_tools(*core_, *process_));
    const config::HttpSettings& settings = process_->config().gateway.http;
    return options_.http.empty() && settings.listen.empty() ? serve_stdio() : serve_http(settings);
  }

  Result<void> serve_stdio() {
    ProtocolStreams streams = take_standard_streams();
    stdio_ = GLOVEBOX_TRY(mcp::StdioServer::start(*core_, loop_.get_executor(), std::move(streams.in),
                                                  std::move(streams.out), [this](const Failure&) { end(); }));
    if (::isatty(STDIN_FILENO)) say("speaking MCP on standard input and output; a client starts it (see the README)");
    return {};
  }

  Result<void> serve_http(const config::HttpSettings& settings) {
    bool token_is_new = false;
    auto options = GLOVEBOX_TRY(http_options(options_, settings, token_is_new));
    const bool secure = !options.certificate_file.empty();
    const std::string address = options.address;
    std::string token;
    if (const auto* bearer = std::get_if<mcp::BearerToken>(&options.access)) token = bearer->token;
    http_ = GLOVEBOX_TRY(mcp::HttpServer::start(*core_, loop_.get_executor(), std::move(options)));
    http_->set_other_paths([this](const mcp::PlainRequest& request) { return serve_approvals(*process_, request); });
    const bool is_v6 = address.find(':') != std::string::npos;
    say("listening on " + std::string(secure ? "https://" : "http://") + (is_v6 ? "[" + address + "]" : address) + ":" +
        std::to_string(http_->port()) + "/mcp");
    if (token.empty()) say("anyone on this machine may connect (--open)");
    if (token_is_new) say("bearer token: " + token);
    return {};
  }

  // The first run should find a guest waiting. A machine that cannot run any should say so now.
  void warm_up() {
    warming_ = std::thread([this] {
      if (const auto warm = process_->sandbox().wait_until_warm(); !warm) say(warm.failure().message);
    });
  }

  void end() {
    if (ending_) return;
    ending_ = true;
    signals_.cancel();
    process_->close();
    stdio_.reset();
    http_.reset();
    farewell_.expires_after(kFarewell);
    farewell_.async_wait([this](auto) { loop_.stop(); });
  }

  ServeOptions options_;
  asio::io_context loop_{1};
  std::unique_ptr<GatewayProcess> process_;
  std::unique_ptr<mcp::ServerCore> core_;
  std::unique_ptr<mcp::StdioServer> stdio_;
  std::unique_ptr<mcp::HttpServer> http_;
  asio::signal_set signals_;
  asio::steady_timer farewell_;
  std::thread warming_;
  bool ending_ = false;
};

}  // namespace

void add_serve_command(CLI::App& app, Commands& commands) {
  const auto options = std::make_shared<ServeOptions>();
  CLI::App* command = app.add_subcommand("serve", "Stand between an agent and MCP servers");
  command->footer(kFooter);
  command
      ->add_option("--workspace", options->workspace.workspace,
                   "The folder with glovebox.json and .glovebox (the current one)")
      ->type_name("DIR");
  command->add_option("--config", options->workspace.config, "Another file than the workspace's glovebox.json")
      ->type_name("FILE");
  command->add_option("--http", options->http, "Serve HTTP at /mcp instead of standard input and output")
      ->type_name("ADDRESS:PORT");
  command->add_flag("--open", options->open, "HTTP without a token; on loopback only");
  command->add_option("--tls-cert", options->certificate, "PEM file of the certificate; with --tls-key")
      ->type_name("FILE");
  command->add_option("--tls-key", options->key, "PEM file of its key")->type_name("FILE");
  commands.add(command, [options] { return run_serve(*options); });
}

int run_serve(const ServeOptions& options) {
  return Serving(options).run();
}

}  // namespace glovebox::frontend
