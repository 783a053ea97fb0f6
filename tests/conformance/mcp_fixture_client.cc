// A client that does what the official client scenarios expect. Not part of the product.
//
// mcp_fixture_client URL, with MCP_CONFORMANCE_SCENARIO and MCP_CONFORMANCE_CONTEXT as the suite sets them.
#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <cstdlib>

#include "base/text/json_text.h"
#include "mcp/client/client.h"
#include "mcp/client/http_client_transport.h"
#include "mcp/client/http_fetch.h"
#include "mcp/oauth/oauth.h"

namespace glovebox::mcp {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

// The defaults of the requested schema, like a person who accepts the form unchanged.
std::string accept_defaults(std::string_view params) {
  json::object content;
  const auto tree = parse_object(params);
  const json::object* schema = tree ? object_member(*tree, "requestedSchema") : nullptr;
  const json::object* properties = schema ? object_member(*schema, "properties") : nullptr;
  if (properties)
    for (const auto& [name, property] : *properties) {
      const json::object* object = property.if_object();
      if (const json::value* value = object ? member(*object, "default") : nullptr)
        content[name] = *value;
      else if (object && string_member(*object, "type") == "boolean")
        content[name] = true;
    }
  return R"({"action":"accept","content":)" + json::serialize(content) + "}";
}

class Fixture {
 public:
  Fixture(boost::asio::io_context& loop, std::string url)
      : loop_(loop), url_(std::move(url)), scenario_(variable("MCP_CONFORMANCE_SCENARIO")) {
    if (auto context = parse_object(variable("MCP_CONFORMANCE_CONTEXT"))) context_ = std::move(context).value();
  }

  int run() {
    auto transport = HttpClientTransport::open(loop_.get_executor(), http_, {.url = url_, .authorizer = authorizer()});
    if (!transport) return complain(transport.failure().message);
    const bool modern = variable("MCP_CONFORMANCE_PROTOCOL_VERSION") == kModernRevision;
    client_ = Client::create(
        loop_.get_executor(), std::move(transport).value(),
        {.info = {"glovebox-fixture", "1.0.0", {}},
         .capabilities = R"({"elicitation":{},"sampling":{},"roots":{}})",
         .era = modern ? EraChoice::kModern : EraChoice::kAuto,
         .on_question = [](std::string_view method, std::string_view params, AnswerCallback answer) {
           if (method == "elicitation/create") return answer(accept_defaults(params));
           if (method == "roots/list") return answer(std::string(R"({"roots":[]})"));
           answer(std::string(R"({"role":"assistant","content":{"type":"text","text":"hi"},"model":"none"})"));
         }});
    client_->connect([this](Result<ServerDescription, RequestFailure> server) {
      if (!server) return finish(complain("connect: " + server.failure().message));
      list();
    });
    loop_.run();
    return code_;
  }

 private:
  static int complain(const std::string& what) {
    std::fprintf(stderr, "%s\n", what.c_str());
    return 1;
  }

  void finish(int code) {
    code_ = code;
    client_->close();
    authorizer_.reset();
  }

  std::shared_ptr<OAuthAuthorizer> authorizer() {
    if (!contains(scenario_, "auth/")) return nullptr;
    OAuthOptions options;
    options.client_metadata_url = "https://conformance-test.local/client-metadata.json";
    options.redirect_uri = "http://localhost:3000/callback";
    options.client_id = string_member(context_, "client_id").value_or("");
    options.client_secret = string_member(context_, "client_secret").value_or("");
    options.issuer = string_member(context_, "issuer").value_or("");
    options.private_key = string_member(context_, "private_key_pem").value_or("");
    options.for_itself = contains(scenario_, "client-credentials");
    visiting_ = http_.open(policy::NetGrants::parse({"*"}, true).value());
    // The authorization server of the suite needs no person: it redirects at once.
    options.visit = [this](std::string url, std::function<void(Result<std::string>)> done) {
      net::HttpRequest request;
      request.url = std::move(url);
      request.redirect = net::RedirectMode::kManual;
      fetch_whole(loop_.get_executor(), *visiting_, std::move(request), 1 << 20,
                  [done](net::FetchResult<WholeResponse> response) {
                    if (!response) return done(Failure{ErrorCode::kSystem, response.failure().message});
                    done(field_of(response->head, "location"));
                  });
    };
    authorizer_ = std::make_shared<OAuthAuthorizer>(loop_.get_executor(), http_, std::move(options));
    return authorizer_;
  }

  void list() {
    client_->list_tools(10 << 20, [this](Result<Client::Tools, RequestFailure> tools) {
      if (!tools) return finish(complain("tools/list: " + tools.failure().message));
      for (const std::string& text : tools->usable) steps_.push_back(tool_step(text));
      if (const json::array* calls = array_member(context_, "toolCalls")) {
        steps_.clear();
        for (const json::value& call : *calls)
          steps_.push_back({"tools/call", string_member(call.get_object(), "name").value_or(""),
                            json::serialize(call.at("arguments"))});
      }
      if (scenario_ == "http-standard-headers") {
        steps_.push_back({"resources/list", "", "{}"});
        steps_.push_back({"resources/read", "", R"({"uri":"file:///path/to/file%20name.txt"})"});
        steps_.push_back({"prompts/list", "", "{}"});
        steps_.push_back({"prompts/get", "", R"({"name":"test_prompt"})"});
      }
      next();
    });
  }

  struct Step {
    std::string method;
    std::string tool;
    std::string params;
  };

  // Arguments that every tool of the suite takes.
  Step tool_step(const std::string& text) {
    const json::object tool = parse_object(text).value();
    const std::string name = string_member(tool, "name").value_or("");
    json::object arguments;
    const json::object* schema = object_member(tool, "inputSchema");
    if (name == "json_schema_2020_12_tool") focal_schema_ = json::serialize(*schema);
    if (name == "json_schema_echo") return {"tools/call", name, R"({"schema":)" + focal_schema_ + "}"};
    if (const json::object* properties = object_member(*schema, "properties"))
      for (const auto& [property, value] : *properties) {
        const json::object* object = value.if_object();
        const auto type = object ? string_member(*object, "type").value_or("") : "";
        if (type == "number" || type == "integer") arguments[property] = arguments.empty() ? 5 : 3;
        if (type == "string") arguments[property] = "test";
        if (type == "boolean") arguments[property] = true;
      }
    return {"tools/call", name, json::serialize(arguments)};
  }

  void next() {
    if (at_ >= steps_.size()) return finish(0);
    const Step step = steps_[at_++];
    const auto done = [this, step](Result<CallReply, RequestFailure> reply) {
      if (!reply) return finish(complain(step.method + " " + step.tool + ": " + reply.failure().message));
      next();
    };
    if (step.method == "tools/call") {
      client_->call_tool(step.tool, step.params, {.timeout = std::chrono::seconds(20)}, done);
    } else {
      client_->call(step.method, step.params, {}, done);
    }
  }

  boost::asio::io_context& loop_;
  std::unique_ptr<net::HttpClient> client_side_ = net::make_http_client();
  net::HttpClient& http_ = *client_side_;
  std::string url_;
  std::string scenario_;
  json::object context_;
  std::unique_ptr<net::HttpSession> visiting_;
  std::shared_ptr<OAuthAuthorizer> authorizer_;
  std::shared_ptr<Client> client_;
  std::vector<Step> steps_;
  std::size_t at_ = 0;
  std::string focal_schema_ = "{}";
  int code_ = 1;
};

}  // namespace
}  // namespace glovebox::mcp

int main(int count, char** words) {
  if (count != 2) {
    std::fprintf(stderr, "usage: mcp_fixture_client URL\n");
    return 2;
  }
  boost::asio::io_context loop;
  return glovebox::mcp::Fixture(loop, words[1]).run();
}
