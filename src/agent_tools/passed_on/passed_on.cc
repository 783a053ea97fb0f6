#include "agent_tools/passed_on/passed_on.h"

#include <boost/asio/steady_timer.hpp>

#include "agent_tools/passed_on/offered_items.h"
#include "agent_tools/product_tools.h"
#include "agent_tools/run_conversation.h"
#include "catalog/offers/built_in_tools.h"
#include "gateway/direct/one_call.h"

namespace glovebox::agent_tools {
namespace {

using Call = std::shared_ptr<mcp::ServerCall>;
using catalog::Catalog;
using Items = std::vector<std::string>;
using Show = std::optional<std::string> (*)(const std::string& server, std::string_view item);

// A client's request for a list waits this long for servers that have to be started; what has come by then is the list.
constexpr std::chrono::seconds kOfferTime{10};
// Of one server. A longer list is no menu.
constexpr std::size_t kMostItems = 1000;

bool may_be_used(assembly::GatewayProcess& process, const std::string& server, std::string_view tool) {
  const auto known = process.catalog().known(server, tool);
  return known && known->name == tool && known->state == catalog::Tool::State::kUsable &&
         !process.gateway().is_denied(server, std::string(tool));
}

// One list of all servers that have such items.
class Gathering : public std::enable_shared_from_this<Gathering> {
 public:
  Gathering(assembly::GatewayProcess& process, std::function<void(Items)> done)
      : done_(std::move(done)), deadline_(process.executor()) {}

  void start(assembly::GatewayProcess& process, std::string_view tool, Catalog::Offer offer, Show show) {
    for (const std::string& server : process.catalog().servers()) {
      if (!may_be_used(process, server, tool)) continue;
      ++waiting_;
      process.catalog().list_offers(server, offer, [self = shared_from_this(), server, show](const auto& listed) {
        if (listed) self->add(server, *listed, show);
        if (--self->waiting_ == 0) self->finish();
      });
    }
    if (waiting_ == 0) return finish();
    deadline_.expires_after(kOfferTime);
    deadline_.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
      if (!error) self->finish();
    });
  }

 private:
  void add(const std::string& server, const Items& listed, Show show) {
    std::size_t count = 0;
    for (const std::string& item : listed) {
      if (++count > kMostItems) break;
      if (auto shown = show(server, item)) items_.push_back(std::move(*shown));
    }
  }

  void finish() {
    deadline_.cancel();
    if (const auto done = std::exchange(done_, nullptr)) done(std::move(items_));
  }

  std::function<void(Items)> done_;
  boost::asio::steady_timer deadline_;
  Items items_;
  std::size_t waiting_ = 0;
};

mcp::ServerCore::MoreItems gathered(assembly::GatewayProcess& process, std::string_view tool, Catalog::Offer offer,
                                    Show show) {
  return [&process, tool, offer, show](const Call&, std::function<void(Items)> done) {
    std::make_shared<Gathering>(process, std::move(done))->start(process, tool, offer, show);
  };
}

// `form` makes the method's result of what the call gave.
void call_built_in(assembly::GatewayProcess& process, const std::shared_ptr<OpenQuestions>& questions, const Call& call,
                   const OfferedName& of, std::string_view tool, mcp::json::object arguments,
                   RunConversation::OwnForm form) {
  const auto conversation = std::make_shared<RunConversation>(process, questions, call);
  conversation->is_one_call();
  conversation->answers_as(std::move(form));
  if (!call->note().empty()) return conversation->resume(call->note());
  const std::string code = gateway::one_call_program(of.server, tool, "context", tool == catalog::kReadTool);
  auto request = request_of(process, *call, {{"code", code}, {"context", std::move(arguments)}, {"check", "off"}});
  if (!request) return call->fail({mcp::kInvalidParams, request.failure().message, {}});
  conversation->execute(std::move(request).value());
}

void get_prompt(assembly::GatewayProcess& process, const std::shared_ptr<OpenQuestions>& questions, const Call& call) {
  auto of = prompt_named(call->facts().name);
  if (of) of->server = process.catalog().resolve_server(of->server);
  if (!of || of->server.empty() || !may_be_used(process, of->server, catalog::kPromptTool))
    return call->fail({mcp::kInvalidParams, "there is no such prompt", {}});
  mcp::json::object arguments{{"name", of->name}};
  if (!call->arguments().empty()) arguments["arguments"] = call->arguments();
  call_built_in(process, questions, call, *of, catalog::kPromptTool, std::move(arguments),
                [](std::string_view result) { return std::optional<std::string>(result); });
}

void read_resource(assembly::GatewayProcess& process, const std::shared_ptr<OpenQuestions>& questions,
                   const Call& call) {
  auto of = resource_at(call->facts().name);
  if (of) of->server = process.catalog().resolve_server(of->server);
  if (!of || of->server.empty() || !may_be_used(process, of->server, catalog::kReadTool))
    return call->fail_as_unknown_resource();
  call_built_in(process, questions, call, *of, catalog::kReadTool, {{"uri", of->name}},
                [server = of->server](std::string_view blocks) { return resource_contents(server, blocks); });
}

}  // namespace

PassedOn::PassedOn(mcp::ServerCore& core, assembly::GatewayProcess& process) : core_(core), process_(process) {
  const auto questions = std::make_shared<OpenQuestions>();
  using enum Catalog::Offer;
  core.set_more(
      {.prompts = gathered(process, catalog::kPromptTool, kPrompts, shown_prompt),
       .resources = gathered(process, catalog::kReadTool, kResources, shown_resource),
       .templates = gathered(process, catalog::kReadTool, kTemplates, shown_template),
       .get_prompt = [&process, questions](const Call& call) { get_prompt(process, questions, call); },
       .read_resource = [&process, questions](const Call& call) { read_resource(process, questions, call); }});
  with_prompts_ = servers_with(catalog::kPromptTool);
  with_resources_ = servers_with(catalog::kReadTool);
}

std::set<std::string> PassedOn::servers_with(std::string_view tool) const {
  std::set<std::string> found;
  for (const std::string& server : process_.catalog().servers())
    if (may_be_used(process_, server, tool)) found.insert(server);
  return found;
}

void PassedOn::refresh() {
  if (auto now = servers_with(catalog::kPromptTool); now != with_prompts_) {
    with_prompts_ = std::move(now);
    core_.list_changed("prompts");
  }
  if (auto now = servers_with(catalog::kReadTool); now != with_resources_) {
    with_resources_ = std::move(now);
    core_.list_changed("resources");
  }
}

void PassedOn::changed(std::string_view list) {
  core_.list_changed(list);
}

}  // namespace glovebox::agent_tools
