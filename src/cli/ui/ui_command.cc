#include "cli/ui/ui_command.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <string>
#include <vector>

#include "assembly/http/plain_doors.h"
#include "base/try.h"
#include "cli/ui/browser.h"
#include "cli/ui/ui_sessions.h"
#include "cli/ui/workspace_tools.h"
#include "http_api/api.h"
#include "mcp/http/http_server.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "ui/page_files.h"
#include "workspace/open_store.h"
#include "workspace/report.h"
#include "workspace/watched_workspaces.h"

namespace glovebox::cli {
namespace {

namespace asio = boost::asio;

constexpr const char* kUiFooter = R"(
It shows pending approval requests, runs, workflows, rules and the audit log of one or more workspaces, and lets you
answer requests, whether or not a gateway is running; gateways that speak MCP on standard input and output are included.
The page is served to this machine only. The address that is printed on the terminal works once; Enter prints a new one.

Where a gateway serves HTTP, its page is at /ui/, for tokens of `glovebox token new --role viewer|approver|operator`.
The HTTP API that the page uses is described by GET /api/v1/openapi.json; see docs/api.md.)";

struct UiOptions {
  std::vector<std::string> workspaces;
  std::int64_t port = 0;
  bool no_open = false;
};

// The current folder where none is named.
std::vector<WorkspaceFlags> flags_of(const std::vector<std::string>& folders) {
  std::vector<WorkspaceFlags> all;
  for (const std::string& folder : folders) all.push_back({.workspace = folder});
  return all.empty() ? std::vector<WorkspaceFlags>(1) : all;
}

// Uses the controlling terminal, whatever the standard streams are: the code shown there gives the right to decide, so
// it goes to a person and not into a file or a program.
class Ui {
 public:
  Ui(const UiOptions& options, int terminal)
      : options_(options), terminal_(loop_, terminal), signals_(loop_, SIGINT, SIGTERM) {}

  int run() {
    ::signal(SIGPIPE, SIG_IGN);
    if (const auto started = start(); !started) return fail_usage(started.failure().message, false);
    show_address(!options_.no_open);
    read_line();
    signals_.async_wait([this](auto error, int) {
      if (!error) loop_.stop();
    });
    loop_.run();
    return kOk;
  }

 private:
  Result<void> start() {
    http_api::ApiOptions api;
    api.version = GLOVEBOX_VERSION;
    const auto flags = flags_of(options_.workspaces);
    api.workspaces = GLOVEBOX_TRY(watch_workspaces(flags));
    for (std::size_t i = 0; i < flags.size(); ++i) add_tools(loop_.get_executor(), flags[i], api.workspaces[i]);
    api.open_session = [this](std::string_view code) { return sessions_.open(code); };
    api.may_take_long = true;
    api_ = std::make_unique<http_api::Api>(loop_.get_executor(), std::move(api));
    mcp::HttpServerOptions http;
    http.port = static_cast<std::uint16_t>(options_.port);
    http.access = mcp::BearerToken{mcp::random_token()};  // known to no client: there is no MCP here
    http.is_public = assembly::PlainDoors::is_public;
    http.find_caller = [this, who = this_person()](std::string_view token) -> std::optional<mcp::Caller> {
      if (!sessions_.knows(token)) return std::nullopt;
      return mcp::Caller{.principal = who, .watches = true, .sees_runs = true, .answers = true, .is_operator = true};
    };
    http_ = GLOVEBOX_TRY(mcp::HttpServer::start(core_, loop_.get_executor(), std::move(http)));
    http_->set_other_paths([this](const mcp::PlainRequest& request) {
      return http_api::Api::has(request.target) ? api_->respond(request) : assembly::serve_page(request);
    });
    http_->set_streams([this](const mcp::PlainRequest& request, const auto& reply, std::function<void()>&) {
      return api_->stream(request, reply);
    });
    return {};
  }

  void show_address(bool opens_it) {
    const std::string address =
        "http://127.0.0.1:" + std::to_string(http_->port()) + "/ui/#code=" + sessions_.new_code();
    const bool opened = opens_it && open_in_browser(address);
    say(std::string(opened ? "The page is open in your browser; its address works once"
                           : "Open this address; it works once") +
        ":\n\n  " + address + "\n\nEnter prints a new one, Ctrl-C ends.\n");
  }

  void say(const std::string& text) {
    boost::system::error_code ignored;
    asio::write(terminal_, asio::buffer(text), ignored);
  }

  void read_line() {
    asio::async_read_until(terminal_, typed_, '\n', [this](auto error, std::size_t bytes) {
      if (error) return;
      typed_.consume(bytes);
      show_address(false);
      read_line();
    });
  }

  UiOptions options_;
  asio::io_context loop_{1};
  asio::posix::stream_descriptor terminal_;
  asio::streambuf typed_;
  asio::signal_set signals_;
  UiSessions sessions_;
  mcp::ServerCore core_{{.info = {"glovebox", GLOVEBOX_VERSION, "Glovebox"}}};
  std::unique_ptr<http_api::Api> api_;
  std::unique_ptr<mcp::HttpServer> http_;
};

int run_ui(const UiOptions& options) {
  const int terminal = ::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (terminal < 0) {
    return fail_usage(
        "the address of the page is only shown on a terminal: run this at a terminal, or use the page of `glovebox "
        "serve --http` with a token of `glovebox token new --role approver`",
        false);
  }
  return Ui(options, terminal).run();
}

}  // namespace

void add_ui_command(Command& app) {
  const auto options = std::make_shared<UiOptions>();
  Command* command = app.add_subcommand("ui", "Open a page that shows runs and answers approval requests");
  command->footer(kUiFooter);
  command
      ->add_option("--workspace", options->workspaces, "A folder with glovebox.json (the current one); may be repeated")
      ->type_name("DIR")
      ->one_at_a_time();
  command->add_option("--port", options->port, "The port on 127.0.0.1 (any free one)")
      ->within(0.0, 65535.0)
      ->type_name("PORT");
  command->add_flag("--no-open", options->no_open, "Show the address only");
  command->runs([options] { return run_ui(*options); });
}

}  // namespace glovebox::cli
