#include "catalog/upstream/server_transport.h"

#include "base/characters/ascii.h"
#include "base/try.h"
#include "base/whole_file.h"
#include "catalog/pins/definition.h"
#include "catalog/upstream/environment.h"
#include "mcp/client/http_client_transport.h"
#include "mcp/client/stdio_client_transport.h"
#include "mcp/oauth/oauth.h"
#include "net/request_headers.h"

namespace glovebox::catalog {
namespace {

constexpr std::size_t kMostTokenBytes = 256 * 1024;

std::shared_ptr<mcp::OAuthAuthorizer> make_authorizer(const UpstreamContext& context, const ServerSpec& spec) {
  for (const auto& [name, value] : spec.headers)
    if (base::equal_ignoring_case(name, "authorization")) return nullptr;
  mcp::OAuthOptions options;
  if (spec.oauth) {
    options.client_id = spec.oauth->client_id;
    if (!spec.oauth->issuer.empty()) options.client_secret = spec.oauth->client_secret;
    options.issuer = spec.oauth->issuer;
    options.for_itself = spec.oauth->for_itself;
  }
  if (const auto& visit = context.options.visit)
    options.visit = [visit, name = spec.name](std::string url, std::function<void(Result<std::string>)> done) {
      visit(name, std::move(url), std::move(done));
    };
  if (const std::string& folder = context.options.state_folder; !folder.empty()) {
    // Tokens are for one address. Another address under the same name must not get them.
    std::string id;
    for (const char c : sha256_text(spec.url).substr(7, 16)) id += c == '/' || c == '+' ? '_' : c;
    const std::string path = folder + "/tokens/" + spec.name + "-" + id + ".json";
    if (auto kept = base::read_whole_file(path, kMostTokenBytes)) options.kept = std::move(kept).value();
    options.keep = [folder, path](const std::string& text) {
      (void)base::make_folder(folder);
      (void)base::make_folder(folder + "/tokens");
      (void)base::replace_file(path, text, 0600);
    };
  }
  return std::make_shared<mcp::OAuthAuthorizer>(context.executor, context.http(), std::move(options));
}

}  // namespace

Result<std::unique_ptr<mcp::ClientTransport>> open_transport(const UpstreamContext& context, const ServerSpec& spec,
                                                             std::function<void(std::string_view)> on_log) {
  if (spec.is_http()) {
    mcp::HttpServerAddress address;
    address.url = spec.url;
    for (const auto& [name, value] : spec.headers) address.headers.push_back({name, value});
    address.max_message_bytes = context.options.limits.max_message_bytes;
    address.authorizer = make_authorizer(context, spec);
    return std::unique_ptr<mcp::ClientTransport>(
        GLOVEBOX_TRY(mcp::HttpClientTransport::open(context.executor, context.http(), std::move(address))));
  }
  mcp::StdioServerCommand command;
  command.words = {spec.command};
  command.words.insert(command.words.end(), spec.args.begin(), spec.args.end());
  command.environment = server_environment(spec.env);
  command.folder = spec.cwd.empty() ? context.options.workspace : spec.cwd;
  command.max_message_bytes = context.options.limits.max_message_bytes;
  command.on_log = std::move(on_log);
  return std::unique_ptr<mcp::ClientTransport>(
      GLOVEBOX_TRY(mcp::StdioClientTransport::spawn(context.executor, std::move(command))));
}

}  // namespace glovebox::catalog
