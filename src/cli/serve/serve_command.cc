#include "cli/serve/serve_command.h"

#include <malloc.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <charconv>
#include <cstdio>
#include <optional>
#include <thread>

#include "agent_tools/passed_on/passed_on.h"
#include "agent_tools/product_tools.h"
#include "assembly/agent_filter.h"
#include "assembly/gateway_process.h"
#include "assembly/http/plain_doors.h"
#include "assembly/standing/standing.h"
#include "assembly/tokens/callers.h"
#include "assembly/tokens/issuer_keys.h"
#include "assembly/tokens/token_file.h"
#include "base/cores/slice.h"
#include "base/try.h"
#include "cli/serve/serve_via.h"
#include "cli/session/progress_line.h"
#include "config/http/token_length.h"
#include "config/variables.h"
#include "gateway/privacy/kept_key.h"
#include "mcp/http/http_server.h"
#include "mcp/server/stdio_server.h"
#include "observe/log.h"
#include "store/database/patience.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "terminal/outcome_view.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

constexpr int kLargePiece = 4 << 20;

namespace asio = boost::asio;

constexpr const char* kServeFooter = R"(
An MCP client starts it, for example with {"mcpServers": {"glovebox": {"command": "glovebox", "args": ["serve",
"--workspace", "/path/of/the/project"]}}}. The agent then sees execute_code and a few other tools; its code calls the
servers of the workspace's glovebox.json as functions, and the file's permissions decide which calls are made.

Over HTTP every path requires a bearer token. An agent uses http.token of the config, or one from `glovebox token
new`, which also creates the others; without http.token there is a new one at each start, printed on a terminal, or
else in a file that the log names. An approver's token opens the page at /ui/ and the API at /api/v1, where people
answer approval requests (docs/api.md). A viewer's opens GET /metrics for Prometheus, /healthz and /readyz. GET
/workflows/ID/events streams the events of a workflow. Workflows that were unfinished when the last gateway ended are
resumed.

With --role server, code that needs tools on the client's machine is returned to the gateway there, which runs it and
reports the outcome; see docs/capabilities.md.

It logs to standard error: text on a terminal, JSON lines otherwise.)";

// Time for upstream servers to end by themselves, and for answers that are ready to go out.
constexpr std::chrono::milliseconds kServeFarewell{500};

// Between two lines about clients that were turned away.
constexpr std::chrono::minutes kBetweenCrowds{1};

// Between two checks whether something is still under way.
constexpr std::chrono::milliseconds kRestPollInterval{20};

// What upstream servers may ask: it is passed on to the client, and refused where the client cannot.
constexpr const char* kPassedOn = R"({"elicitation":{"form":{},"url":{}},"sampling":{}})";

std::shared_ptr<observe::Log> make_log(const ServeOptions& options) {
  observe::Log::Format format = observe::Log::format_for(STDERR_FILENO);
  if (options.log_format == "text") format = observe::Log::Format::kText;
  if (options.log_format == "json") format = observe::Log::Format::kJson;
  return std::make_shared<observe::Log>(format,
                                        observe::level_named(options.log_level).value_or(observe::Level::kInfo));
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

struct ListenPlace {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;
};

Result<ListenPlace> parse_place(const std::string& text) {
  ListenPlace place;
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

// What the config's text stands for, or what is wrong with it, by the name of its key.
Result<std::string> token_of(const char* key, const std::string& text) {
  std::string token = GLOVEBOX_TRY(config::expand_variables(text, config::process_variable));
  if (token.size() >= config::kShortestToken) return token;
  return Failure{ErrorCode::kInvalidArgument, std::string(key) + " of the config must have at least " +
                                                  std::to_string(config::kShortestToken) + " characters"};
}

Result<mcp::HttpServerOptions> http_options(const ServeOptions& options, const config::HttpSettings& settings,
                                            bool& token_is_new) {
  const ListenPlace place = GLOVEBOX_TRY(parse_place(options.http.empty() ? settings.listen : options.http));
  mcp::HttpServerOptions http;
  http.address = place.address;
  http.port = place.port;
  http.client_field = assembly::kClientField;
  http.names.hosts = settings.allowed_hosts;
  http.names.origins = settings.allowed_origins;
  http.certificate_file = options.certificate.empty() ? settings.certificate : options.certificate;
  http.key_file = options.key.empty() ? settings.key : options.key;
  if (options.open || settings.open) {
    http.access = mcp::OpenOnLoopback{};
    return http;
  }
  std::string token;
  if (!settings.token.empty()) token = GLOVEBOX_TRY(token_of("http.token", settings.token));
  token_is_new = token.empty();
  http.access = mcp::BearerToken{token_is_new ? mcp::random_token() : token};
  return http;
}

// Each client over HTTP has one, and the usual 1024 are fewer than the clients that there is room for.
void raise_descriptor_limit() {
  constexpr rlim_t kEnough = 4096;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kEnough) return;
  limit.rlim_cur = std::min(kEnough, limit.rlim_max);
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
}

int serving_exit_code(const Failure& failure) {
  return failure.code == ErrorCode::kSandboxUnavailable ? kUnreachable : kUsage;
}

double milliseconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

class Serving {
 public:
  explicit Serving(const ServeOptions& options)
      : options_(options), log_(make_log(options)), signals_(loop_), farewell_(loop_) {}

  int run() {
    const auto began = std::chrono::steady_clock::now();
    ::signal(SIGPIPE, SIG_IGN);
    // What held a large result goes back to the system when it was sent. By itself the library would keep all that is
    // smaller than the largest piece that was ever freed.
    ::mallopt(M_MMAP_THRESHOLD, kLargePiece);
    // Before the gateway reports that it listens: a signal from then on gets an orderly shutdown.
    signals_.add(SIGINT);
    signals_.add(SIGTERM);
    if (const auto started = start(); !started) {
      log_->say(observe::Level::kError, started.failure().message);
      return serving_exit_code(started.failure());
    }
    await_signal();
    log_->say(observe::Level::kInfo, "gateway started",
              {{"version", GLOVEBOX_VERSION},
               {"transport", http_ ? "http" : "stdio"},
               {"servers", process_->catalog().servers().size()},
               {"startupMs", milliseconds_since(began)},
               {"gatewayMb", observe::resident_megabytes()}});
    process_->watch_config();
    process_->begin_to_read_tools();
    standing_ = std::make_unique<assembly::Standing>(*process_);
    process_->start_workflows();
    warm_up();
    const store::NoPatience hurried;  // the loop serves others, too
    base::answer_soon();
    loop_.run();
    if (warming_.joinable()) warming_.join();
    return code_;
  }

 private:
  void say(const std::string& text) { log_->say(observe::Level::kInfo, text); }

  Result<void> start() {
    const store::DirectCalls direct;
    assembly::GatewayProcessOptions options;
    options.workspace = GLOVEBOX_TRY(open_workspace_to_serve(options_.workspace));
    options.capabilities = kPassedOn;
    const auto notice = [log = log_](const std::string& text) { log->say(observe::Level::kWarn, text); };
    options.on_notice = notice;
    if (!options.workspace.untrusted.empty()) notice(options.workspace.untrusted);
    options.log = log_;
    options.on_outdated = [this](const std::string& why) {
      log_->say(observe::Level::kError, why + "; this gateway stops: start the new version");
      code_ = kUsage;
      if (!draining_) drain();
    };
    options.on_tools_changed = [this] {
      if (passed_on_) passed_on_->refresh();
    };
    options.on_offers_changed = [this](std::string_view list) {
      if (passed_on_) passed_on_->changed(list);
    };
    options.on_config_changed = [this] {
      if (!core_) return;
      agent_tools::describe_product_tools(*core_, *process_);
      core_->set_instructions(agent_tools::product_instructions(*process_));
    };
    options.on_embedding = [this](std::size_t done, std::size_t of) { progress_.show(done, of); };
    options.sandbox.on_notice = notice;
    options.sandbox.degraded = split_names(options_.degraded);
    options.sandbox.reuse = options.workspace.config.sandbox.reuse.value_or(Reuse::kFresh);
    options.sandbox.warm_python = options.workspace.config.sandbox.python_warm.value_or(false);
    options.resumes_all = true;
    options.privacy = privacy::Mode::kTokenize;
    options.no_pii_protection = options_.no_pii_protection;
    if (options_.no_pii_protection) say("private data and secrets reach the agent (--no-pii-protection)");
    options.without_cache = options_.no_cache;
    options.is_server_role = options_.role == "server";
    process_ = GLOVEBOX_TRY(assembly::GatewayProcess::open(loop_.get_executor(), std::move(options)));
    mcp::ServerOptions about;
    about.info = {"glovebox", GLOVEBOX_VERSION, "Glovebox"};
    about.instructions = agent_tools::product_instructions(*process_);
    about.state_key = GLOVEBOX_TRY(gateway::keep_key(process_->workspace().state_folder + "/state.key"));
    about.make_filter = [this](const mcp::CallFacts& facts) {
      return std::make_shared<assembly::AgentFilter>(process_->privacy(), facts.conversation, facts.method, beside_);
    };
    about.on_conversation_ended = [this](const std::string& conversation) {
      process_->privacy()->end(conversation);
      process_->gateway().end_conversation(conversation);
    };
    about.tells_of_updates = false;  // servers are not asked for theirs
    about.executor = loop_.get_executor();
    core_ = std::make_unique<mcp::ServerCore>(std::move(about));
    GLOVEBOX_TRY_VOID(agent_tools::add_product_tools(*core_, *process_));
    if (options_.role != "server") passed_on_ = std::make_unique<agent_tools::PassedOn>(*core_, *process_);
    const config::HttpSettings& settings = process_->config().gateway.http;
    if (!options_.http.empty() || !settings.listen.empty()) return serve_http(settings);
    if (!options_.certificate.empty() || !options_.key.empty() || options_.open) {
      return Failure{ErrorCode::kInvalidArgument, "--tls-cert, --tls-key and --open need --http ADDRESS:PORT"};
    }
    return serve_stdio();
  }

  Result<void> serve_stdio() {
    ProtocolStreams streams = take_standard_streams();
    stdio_ = GLOVEBOX_TRY(mcp::StdioServer::start(*core_, loop_.get_executor(), std::move(streams.in),
                                                  std::move(streams.out), [this](const Failure&) { drain(); }));
    if (::isatty(STDIN_FILENO)) say("speaking MCP on standard input and output; a client starts it (see the README)");
    return {};
  }

  Result<void> serve_http(const config::HttpSettings& settings) {
    bool token_is_new = false;
    auto options = GLOVEBOX_TRY(http_options(options_, settings, token_is_new));
    std::string watcher = process_->config().gateway.observe.token;
    if (!watcher.empty()) watcher = GLOVEBOX_TRY(token_of("observe.token", watcher));
    options.find_caller = assembly::find_callers(process_->workspace().state_folder, std::move(watcher));
    if (!settings.oauth.issuer.empty()) {
      const auto keys = GLOVEBOX_TRY(assembly::IssuerKeys::open(loop_.get_executor(), settings.oauth));
      options.find_caller = [ours = std::move(options.find_caller), keys](std::string_view shown) {
        auto caller = ours(shown);
        return caller ? std::move(caller) : keys->caller(shown);
      };
      options.prepare = [keys](std::string_view shown, auto then) { keys->prepare(shown, std::move(then)); };
      options.resource_metadata = keys->metadata();
      options.resource_metadata_url = keys->metadata_url();
    }
    const bool secure = !options.certificate_file.empty();
    const std::string address = options.address;
    std::string token;
    if (const auto* bearer = std::get_if<mcp::BearerToken>(&options.access)) token = bearer->token;
    options.is_public = assembly::PlainDoors::is_public;
    options.on_crowded = [this](mcp::HttpServerOptions::Crowded what) { note_crowd(what); };
    doors_ = std::make_unique<assembly::PlainDoors>(*process_);
    http_ = GLOVEBOX_TRY(mcp::HttpServer::start(*core_, loop_.get_executor(), std::move(options)));
    http_->set_other_paths([this](const mcp::PlainRequest& request) {
      if (ending_) return mcp::PlainResponse{503, R"({"error":"the gateway is shutting down"})"};
      return doors_->respond(request);
    });
    http_->set_streams([this](const mcp::PlainRequest& request, const auto& reply, std::function<void()>& on_hang_up) {
      return !ending_ && doors_->stream(request, reply, on_hang_up);
    });
    const bool is_v6 = address.find(':') != std::string::npos;
    say("listening on " + std::string(secure ? "https://" : "http://") + (is_v6 ? "[" + address + "]" : address) + ":" +
        std::to_string(http_->port()) + "/mcp");
    if (token.empty()) say("anyone on this machine may connect (--open)");
    return token_is_new ? show_token(token) : Result<void>();
  }

  // To the person who started it, or else to a file.
  Result<void> show_token(const std::string& token) {
    if (::isatty(STDERR_FILENO)) {
      say("bearer token: " + token);
      return {};
    }
    token_file_.emplace(
        GLOVEBOX_TRY(assembly::TokenFile::write(process_->workspace().state_folder, http_->port(), token)));
    say("the bearer token is in " + token_file_->path());
    return {};
  }

  // The first run should find a guest waiting. A machine that cannot run any should say so now.
  void warm_up() {
    warming_ = std::thread([this] {
      const auto began = std::chrono::steady_clock::now();
      const auto warm = process_->sandbox().wait_until_warm();
      if (!warm) return log_->say(observe::Level::kError, warm.failure().message);
      log_->say(observe::Level::kDebug, "sandbox ready", {{"startupMs", milliseconds_since(began)}});
    });
  }

  void await_signal() {
    signals_.async_wait([this](auto error, int) {
      if (error) return;
      drain();
      if (!ending_) await_signal();
    });
  }

  // Each is counted; the owner is notified once a minute at most.
  void note_crowd(mcp::HttpServerOptions::Crowded what) {
    using Crowded = mcp::HttpServerOptions::Crowded;
    observe::Meters& meters = process_->meters();
    const bool connections = what == Crowded::kConnections;
    if (what == Crowded::kSessionEvicted) {
      meters.sessions_evicted.add();
    } else {
      meters.http_refused.add({connections ? "connections" : "sessions"});
    }
    const auto now = std::chrono::steady_clock::now();
    if (now - crowd_reported_ < kBetweenCrowds) return;
    crowd_reported_ = now;
    log_->say(observe::Level::kWarn, what == Crowded::kSessionEvicted
                                         ? "too many HTTP sessions: the one idle longest was closed"
                                         : std::string("clients are rejected with 503: too many ") +
                                               (connections ? "connections" : "HTTP sessions, none of them idle"));
  }

  // After a signal or the end of input nothing new begins, and what is under way has some time. The next signal ends
  // that.
  void drain() {
    if (ending_) return;
    if (std::exchange(draining_, true)) return end();
    process_->drain();
    const auto grace = process_->config().gateway.shutdown_grace;
    if (!is_at_rest()) {
      log_->say(observe::Level::kInfo, "shutting down: finishing what is in progress",
                {{"runs", process_->gateway().live_runs()}, {"graceMs", grace.count()}});
    }
    end_when_at_rest(std::chrono::steady_clock::now() + grace);
  }

  bool is_at_rest() const {
    return process_->is_at_rest() && !core_->is_at_work() && !(stdio_ && stdio_->has_unread());
  }

  void end_when_at_rest(std::chrono::steady_clock::time_point latest) {
    if (ending_) return;
    if (is_at_rest() || std::chrono::steady_clock::now() >= latest) return end();
    farewell_.expires_after(kRestPollInterval);
    farewell_.async_wait([this, latest](auto error) {
      if (!error) end_when_at_rest(latest);
    });
  }

  void end() {
    ending_ = true;
    signals_.cancel();
    standing_.reset();
    process_->park();
    core_->end_calls();
    process_->close();
    stdio_.reset();
    farewell_.expires_after(kServeFarewell);
    farewell_.async_wait([this](auto) {
      http_.reset();
      loop_.stop();
    });
  }

  ServeOptions options_;
  std::shared_ptr<observe::Log> log_;
  asio::io_context loop_{1};
  ProgressLine progress_{"reading tools"};
  std::unique_ptr<assembly::GatewayProcess> process_;
  std::unique_ptr<assembly::Standing> standing_;
  assembly::FilterThread beside_{loop_.get_executor()};
  std::unique_ptr<mcp::ServerCore> core_;
  std::unique_ptr<agent_tools::PassedOn> passed_on_;
  std::unique_ptr<mcp::StdioServer> stdio_;
  std::unique_ptr<assembly::PlainDoors> doors_;
  std::unique_ptr<mcp::HttpServer> http_;
  std::optional<assembly::TokenFile> token_file_;
  asio::signal_set signals_;
  asio::steady_timer farewell_;
  std::thread warming_;
  std::chrono::steady_clock::time_point crowd_reported_ = std::chrono::steady_clock::now() - kBetweenCrowds;
  bool draining_ = false;
  bool ending_ = false;
  int code_ = kOk;
};

}  // namespace

// Options that are given here are passed on to the gateway there.
int run_serve_via(const ServeOptions& options) {
  if (!options.http.empty() || options.open || !options.certificate.empty() || !options.key.empty())
    return fail_usage("--via passes standard streams through; --http, --open and --tls-… are for the gateway there",
                      false);
  std::vector<std::string> serve = {"glovebox", "serve"};
  const auto add = [&](const char* flag, const std::string& value) {
    if (!value.empty()) serve.insert(serve.end(), {flag, value});
  };
  add("--workspace", options.workspace.workspace);
  add("--config", options.workspace.config);
  add("--role", options.role);
  add("--degraded", options.degraded);
  add("--log-level", options.log_level);
  add("--log-format", options.log_format);
  if (options.no_pii_protection) serve.push_back("--no-pii-protection");
  if (options.no_cache) serve.push_back("--no-cache");
  const auto command = command_via(options.via, serve);
  return fail_usage(command ? become(*command).message : command.failure().message, false);
}

void add_serve_command(Command& app) {
  const auto options = std::make_shared<ServeOptions>();
  Command* command = app.add_subcommand("serve", "Run the MCP gateway between an agent and its servers");
  command->footer(kServeFooter);
  command->add_option("--workspace", options->workspace.workspace, "The folder with glovebox.json (the current one)")
      ->type_name("DIR");
  command->add_option("--config", options->workspace.config, "A config file other than the workspace's glovebox.json")
      ->type_name("FILE");
  command->add_option("--http", options->http, "Serve HTTP at /mcp instead of standard input and output")
      ->type_name("ADDRESS:PORT");
  command
      ->add_option("--role", options->role,
                   "server: code that needs tools on the client's machine is returned to the gateway there")
      ->one_of({"local", "server"})
      ->type_name("local|server");
  command
      ->add_option("--via", options->via,
                   "Use the gateway at ssh://[USER@]HOST, docker://CONTAINER or wsl; standard streams pass through")
      ->type_name("PLACE");
  command->add_flag("--open", options->open, "HTTP without a token; on loopback only");
  command->add_flag("--no-pii-protection", options->no_pii_protection,
                    "Let private data and secrets reach the agent; every result says so (see docs/privacy.md)");
  command->add_flag("--no-cache", options->no_cache, "Turn off the result cache, whatever the config says");
  command->add_option("--degraded", options->degraded, "Layers that may be missing here (see `glovebox doctor`)")
      ->type_name("NAMES");
  command->add_option("--tls-cert", options->certificate, "PEM file of the certificate; with --tls-key")
      ->type_name("FILE");
  command->add_option("--tls-key", options->key, "PEM file of its key")->type_name("FILE");
  command->add_option("--log-level", options->log_level, "Log from this level on (info)")
      ->one_of({"debug", "info", "warn", "error"})
      ->type_name("LEVEL");
  command->add_option("--log-format", options->log_format, "text or json; auto: text on a terminal")
      ->one_of({"auto", "text", "json"})
      ->type_name("FORMAT");
  command->runs([options] { return options->via.empty() ? run_serve(*options) : run_serve_via(*options); });
}

int run_serve(const ServeOptions& options) {
  raise_descriptor_limit();
  return Serving(options).run();
}

}  // namespace glovebox::cli
