#include "mcp/server/server_core.h"

#include <algorithm>

#include "base/characters/ascii.h"
#include "base/text/json_builder.h"
#include "base/text/json_text.h"
#include "base/try.h"
#include "mcp/json/base64.h"
#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

Failure refused_entry(std::string what) {
  return {ErrorCode::kInvalidArgument, std::move(what)};
}

bool is_tool_name(std::string_view name) {
  return name.size() <= 128 && base::is_word(name, "_.-");
}

// A cursor is the index at which the next page begins; a client passes it back as it is.
std::optional<std::size_t> page_start(const json::object& params) {
  const json::value* cursor = member(params, "cursor");
  if (!cursor) return 0;
  if (!cursor->is_string()) return std::nullopt;
  const auto text = from_base64_url({cursor->get_string().data(), cursor->get_string().size()});
  if (!text || text->size() < 2 || text->size() > 9 || text->front() != '@' ||
      !base::is_number(std::string_view(*text).substr(1)))
    return std::nullopt;
  return std::stoul(text->substr(1));
}

void reply_with_page(const std::shared_ptr<ServerCall>& call, const std::vector<std::string>& items,
                     std::string_view name) {
  const auto start = page_start(call->facts().params);
  if (!start || *start > items.size()) return call->fail({kInvalidParams, "the cursor was not issued here", {}});
  const std::size_t end = std::min(items.size(), *start + kPageSize);
  base::ListText page;
  for (std::size_t i = *start; i < end; ++i) page.json(items[i]);
  base::ObjectText result;
  result.json(name, page.done());
  if (end < items.size()) result.text("nextCursor", base64_url("@" + std::to_string(end)));
  call->reply(result.done());
}

std::string listed(const ToolDefinition& definition) {
  return base::ObjectText()
      .text_if("name", definition.name)
      .text_if("title", definition.title)
      .text_if("description", definition.description)
      .json_if("inputSchema", definition.listed_schema.empty() ? definition.input_schema : definition.listed_schema)
      .json_if("outputSchema", definition.output_schema)
      .json_if("annotations", definition.annotations)
      .json_if("icons", definition.icons)
      .json_if("_meta", definition.meta)
      .done();
}

}  // namespace

std::optional<std::map<std::string, std::string>> match_template(std::string_view uri_template, std::string_view uri) {
  std::map<std::string, std::string> variables;
  while (!uri_template.empty()) {
    const std::size_t open = uri_template.find('{');
    const std::string_view literal = uri_template.substr(0, open);
    if (uri.substr(0, literal.size()) != literal) return std::nullopt;
    uri.remove_prefix(literal.size());
    if (open == uri_template.npos) break;
    const std::size_t close = uri_template.find('}', open);
    if (close == uri_template.npos) return std::nullopt;
    const std::string name(uri_template.substr(open + 1, close - open - 1));
    uri_template.remove_prefix(close + 1);
    const std::string_view next = uri_template.substr(0, uri_template.find('{'));
    // Up to the first occurrence of the literal text that follows in the template.
    const std::size_t end = next.empty() ? uri.size() : uri.find(next);
    if (end == uri.npos || end == 0) return std::nullopt;
    const std::string_view value = uri.substr(0, end);
    if (value.find('/') != value.npos) return std::nullopt;
    variables[name] = std::string(value);
    uri.remove_prefix(end);
  }
  if (!uri.empty()) return std::nullopt;
  return variables;
}

ServerCore::ServerCore(ServerOptions options) : options_(std::move(options)), sealer_(options_.state_key) {}

ServerCore::~ServerCore() {
  tasks_.end_calls();
  const auto peers = std::move(peers_);
  for (const auto& weak : peers)
    if (const auto peer = weak.lock()) peer->close();
}

std::shared_ptr<ServerCore::Entry> ServerCore::find(const Entries& entries, std::string_view key) {
  for (const auto& entry : entries)
    if (entry->key == key) return entry;
  return nullptr;
}

Result<void> ServerCore::add(Entries& entries, std::shared_ptr<Entry> entry, bool& offered) {
  if (entry->key.empty() || entry->key.size() > kMaxNameBytes) return refused_entry("a name is empty or too long");
  if (find(entries, entry->key)) return refused_entry("\"" + entry->key + "\" already exists");
  GLOVEBOX_TRY_VOID(base::check_json(entry->json, {.max_depth = kMaxMessageDepth, .unique_keys = true}));
  entries.push_back(std::move(entry));
  offered = true;
  return {};
}

Result<void> ServerCore::add_tool(ToolDefinition definition, CallHandler handler) {
  if (!is_tool_name(definition.name)) return refused_entry("\"" + definition.name + "\" is not a name for a tool");
  const json::object input = GLOVEBOX_TRY(parse_object(definition.input_schema));
  if (string_member(input, "type") != "object") return refused_entry("the input schema must have the type object");
  auto entry = std::make_shared<Entry>();
  entry->key = definition.name;
  entry->schema = GLOVEBOX_TRY(Schema::compile(json::value(input)));
  entry->mirrored = GLOVEBOX_TRY(mirrored_arguments(input));
  if (!definition.output_schema.empty())
    (void)GLOVEBOX_TRY(Schema::compile(GLOVEBOX_TRY(parse_tree(definition.output_schema))));
  entry->json = listed(definition);
  offers_tasks_ = offers_tasks_ || definition.can_be_task;
  entry->tool = std::move(definition);
  entry->handler = std::move(handler);
  return add(tools_, std::move(entry), offers_tools_);
}

Result<void> ServerCore::add_resource(ResourceDefinition definition, CallHandler handler) {
  auto entry = std::make_shared<Entry>();
  entry->key = definition.uri;
  entry->json = base::ObjectText()
                    .text_if("uri", definition.uri)
                    .text_if("name", definition.name)
                    .text_if("title", definition.title)
                    .text_if("description", definition.description)
                    .text_if("mimeType", definition.mime_type)
                    .json_if("annotations", definition.annotations)
                    .done();
  entry->handler = std::move(handler);
  return add(resources_, std::move(entry), offers_resources_);
}

Result<void> ServerCore::add_resource_template(ResourceTemplateDefinition definition, CallHandler handler) {
  auto entry = std::make_shared<Entry>();
  entry->key = definition.uri_template;
  entry->json = base::ObjectText()
                    .text_if("uriTemplate", definition.uri_template)
                    .text_if("name", definition.name)
                    .text_if("title", definition.title)
                    .text_if("description", definition.description)
                    .text_if("mimeType", definition.mime_type)
                    .done();
  entry->handler = std::move(handler);
  return add(templates_, std::move(entry), offers_resources_);
}

Result<void> ServerCore::add_prompt(PromptDefinition definition, CallHandler handler) {
  base::ListText arguments;
  for (const PromptArgument& argument : definition.arguments) {
    arguments.json(base::ObjectText()
                       .text_if("name", argument.name)
                       .text_if("description", argument.description)
                       .flag("required", argument.required)
                       .done());
  }
  auto entry = std::make_shared<Entry>();
  entry->key = definition.name;
  entry->json = base::ObjectText()
                    .text_if("name", definition.name)
                    .text_if("title", definition.title)
                    .text_if("description", definition.description)
                    .json_if("arguments", arguments.empty() ? "" : arguments.done())
                    .done();
  entry->handler = std::move(handler);
  entry->arguments = std::move(definition.arguments);
  return add(prompts_, std::move(entry), offers_prompts_);
}

void ServerCore::set_tool_words(std::string_view name, std::string description, std::string listed_schema) {
  const auto entry = find(tools_, name);
  if (!entry) return;
  entry->tool.description = std::move(description);
  entry->tool.listed_schema = std::move(listed_schema);
  entry->json = listed(entry->tool);
}

bool ServerCore::remove_tool(std::string_view name) {
  return std::erase_if(tools_, [&](const auto& entry) { return entry->key == name; }) > 0;
}

bool ServerCore::offers(std::string_view list) const {
  return list == "tools"     ? offers_tools_
         : list == "prompts" ? offers_prompts_
                             : list == "resources" && offers_resources_;
}

const std::vector<MirroredArgument>* ServerCore::mirrored(std::string_view tool) const {
  const auto entry = find(tools_, tool);
  return entry ? &entry->mirrored : nullptr;
}

std::shared_ptr<ServerPeer> ServerCore::connect(Caller caller, std::string conversation) {
  std::erase_if(peers_, [](const auto& weak) { return weak.expired(); });
  const bool own = conversation.empty();
  if (own) conversation = "peer-" + std::to_string(++conversations_);
  auto peer = std::make_shared<ServerPeer>(*this, std::move(caller), std::move(conversation), own);
  peers_.push_back(peer);
  return peer;
}

void ServerCore::list_changed(std::string_view list) {
  const auto peers = peers_;
  for (const auto& weak : peers)
    if (const auto peer = weak.lock()) peer->list_changed(list);
}

void ServerCore::resource_updated(std::string_view uri) {
  const auto peers = peers_;
  for (const auto& weak : peers)
    if (const auto peer = weak.lock()) peer->resource_updated(uri);
}

bool ServerCore::is_at_work() const {
  return tasks_.is_at_work() || std::any_of(peers_.begin(), peers_.end(), [](const auto& weak) {
           const auto peer = weak.lock();
           return peer && peer->is_at_work();
         });
}

void ServerCore::end_calls() {
  ended_ = true;
  tasks_.end_calls();
  const auto peers = peers_;
  for (const auto& weak : peers)
    if (const auto peer = weak.lock()) peer->end_calls();
}

std::string ServerCore::info_json() const {
  return base::ObjectText()
      .text_if("name", options_.info.name)
      .text_if("title", options_.info.title)
      .text_if("version", options_.info.version)
      .done();
}

std::string ServerCore::capabilities(bool with_tasks) const {
  base::ObjectText members;
  members.json("logging", "{}");
  if (offers_tools_) members.json("tools", R"({"listChanged":true})");
  if (offers_resources_)
    members.json("resources",
                 offers_updates() ? R"({"subscribe":true,"listChanged":true})" : R"({"listChanged":true})");
  if (offers_prompts_) members.json("prompts", R"({"listChanged":true})");
  if (completer_) members.json("completions", "{}");
  if (with_tasks) members.json("tasks", R"({"list":{},"cancel":{},"requests":{"tools":{"call":{}}}})");
  return members.done();
}

std::string ServerCore::initialize_result(std::string_view revision) const {
  return base::ObjectText()
      .text_if("protocolVersion", revision)
      .json("capabilities", capabilities(offers_tasks_ && has_tasks(Era::kLegacy, revision)))
      .json("serverInfo", info_json())
      .text_if("instructions", options_.instructions)
      .done();
}

std::string ServerCore::discover_result() const {
  return base::ObjectText()
      .json("supportedVersions", base::ListText().text(kModernRevision).done())
      .json("capabilities", capabilities(false))
      .text_if("instructions", options_.instructions)
      .json("_meta", base::ObjectText().json(kMetaServerInfo, info_json()).done())
      .done();
}

void ServerCore::set_more(More more) {
  more_ = std::move(more);
  offers_prompts_ = offers_prompts_ || more_.get_prompt;
  offers_resources_ = offers_resources_ || more_.read_resource;
}

void ServerCore::list(const std::shared_ptr<ServerCall>& call, const Entries& entries, std::string_view name,
                      const MoreItems& more) {
  std::vector<std::string> items;
  for (const auto& entry : entries) {
    const auto& is_listed = entry->tool.is_listed;
    if (is_listed && !is_listed(*call)) continue;
    items.push_back(entry->json);
    if (entry->tool.can_be_task && has_tasks(call->facts().era, call->facts().revision))
      items.back() = base::ObjectText().members(entry->json).json("execution", R"({"taskSupport":"optional"})").done();
  }
  if (!more) return reply_with_page(call, items, name);
  more(call, [call, items, name = std::string(name)](std::vector<std::string> others) mutable {
    items.insert(items.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
    reply_with_page(call, items, name);
  });
}

void ServerCore::dispatch(const std::shared_ptr<ServerCall>& call) {
  if (ended_) return call->fail({kServerBusy, std::string(kServerEnds), {}});
  const std::string& method = call->facts().method;
  if (offers_tools_ && method == "tools/list") return list(call, tools_, "tools");
  if (offers_tools_ && method == "tools/call") return call_tool(call);
  if (offers_resources_ && method == "resources/list") return list(call, resources_, "resources", more_.resources);
  if (offers_resources_ && method == "resources/templates/list")
    return list(call, templates_, "resourceTemplates", more_.templates);
  if (offers_resources_ && method == "resources/read") return read_resource(call);
  if (offers_prompts_ && method == "prompts/list") return list(call, prompts_, "prompts", more_.prompts);
  if (offers_prompts_ && method == "prompts/get") return get_prompt(call);
  if (offers_tasks_ && tasks_.serve(call)) return;
  if (offers_tasks_ && method == "tasks/list" && has_tasks(call->facts().era, call->facts().revision))
    return reply_with_page(call, tasks_.listed(call->facts().principal), "tasks");
  if (completer_ && method == "completion/complete") return completer_(call);
  if (method == "server/discover" && call->facts().era == Era::kModern) return call->reply(discover_result());
  call->fail({kMethodNotFound, "there is no method " + method, {}});
}

void ServerCore::call_tool(const std::shared_ptr<ServerCall>& call) {
  CallFacts& facts = call->facts_;
  const auto name = string_member(facts.params, "name");
  if (!name) return call->fail({kInvalidParams, "name is missing", {}});
  const auto tool = find(tools_, *name);
  if (!tool) return call->fail({kInvalidParams, "there is no tool " + name->substr(0, kMaxNameBytes), {}});
  facts.name = *name;
  if (const json::value* arguments = member(facts.params, "arguments")) {
    if (!arguments->is_object()) return call->fail({kInvalidParams, "arguments is not an object", {}});
    facts.arguments = arguments->get_object();
  }
  if (has_tasks(facts.era, facts.revision) && member(facts.params, "task")) return begin_task(call, *tool);
  run_tool(call, *tool);
}

void ServerCore::run_tool(const std::shared_ptr<ServerCall>& call, const Entry& tool) {
  if (options_.make_filter) call->filter_ = options_.make_filter(call->facts());
  if (const auto mismatch = tool.schema->check(json::value(call->arguments())))
    return call->reply_error("Invalid arguments for " + tool.key + ": " +
                             (mismatch->path.empty() ? "the arguments" : mismatch->path) + " " + mismatch->message);
  const CallHandler handler = tool.handler;  // the tool may be removed meanwhile
  handler(call);
  call->stay_alive();
}

// The request is answered at once; the work is a call of its own, which sends everything to the task.
void ServerCore::begin_task(const std::shared_ptr<ServerCall>& call, const Entry& tool) {
  if (!tool.tool.can_be_task) return call->fail({kMethodNotFound, tool.key + " cannot be called as a task", {}});
  const auto begun = tasks_.begin(call->facts(), call->peer_);
  if (!begun) return call->fail(begun.failure());
  const std::shared_ptr<ServerTask>& task = begun.value();
  CallFacts facts = call->facts();
  facts.id = base::json_string(task->id());
  const auto work = std::make_shared<ServerCall>(std::move(facts), task, call->peer_, &sealer_, options_.executor,
                                                 options_.heartbeat);
  task->set_call(work);
  call->reply_with_own_words(base::ObjectText().json("task", task->json()).done());
  run_tool(work, tool);
}

void ServerCore::get_prompt(const std::shared_ptr<ServerCall>& call) {
  CallFacts& facts = call->facts_;
  const auto name = string_member(facts.params, "name");
  const auto prompt = name ? find(prompts_, *name) : nullptr;
  if (!name || (!prompt && !more_.get_prompt)) return call->fail({kInvalidParams, "there is no such prompt", {}});
  facts.name = *name;
  if (options_.make_filter) call->filter_ = options_.make_filter(facts);
  if (const json::object* arguments = object_member(facts.params, "arguments")) facts.arguments = *arguments;
  if (!prompt) return more_.get_prompt(call);
  for (const PromptArgument& argument : prompt->arguments)
    if (argument.required && !string_member(facts.arguments, argument.name))
      return call->fail({kInvalidParams, "the argument " + argument.name + " is missing", {}});
  prompt->handler(call);
}

void ServerCore::read_resource(const std::shared_ptr<ServerCall>& call) {
  CallFacts& facts = call->facts_;
  const auto uri = string_member(facts.params, "uri");
  if (!uri) return call->fail({kInvalidParams, "uri is missing", {}});
  facts.name = *uri;
  if (options_.make_filter) call->filter_ = options_.make_filter(facts);
  if (const auto resource = find(resources_, *uri)) return resource->handler(call);
  for (const auto& entry : templates_) {
    const auto variables = match_template(entry->key, *uri);
    if (!variables) continue;
    for (const auto& [name, value] : *variables) facts.arguments[name] = value;
    const auto held = entry;
    return held->handler(call);
  }
  if (more_.read_resource) return more_.read_resource(call);
  call->fail_as_unknown_resource();
}

}  // namespace glovebox::mcp
