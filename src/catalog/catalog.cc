#include "catalog/catalog.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <map>

#include "base/try.h"
#include "catalog/call/reported_failure.h"
#include "catalog/entry/server_entry.h"
#include "catalog/names.h"
#include "catalog/pins/definition.h"
#include "catalog/pins/definition_diff.h"
#include "catalog/pins/lock_file.h"
#include "catalog/pins/pin_judge.h"
#include "catalog/plain_text.h"
#include "catalog/tool_classes.h"
#include "catalog/upstream/upstream.h"
#include "config/nearest_word.h"
#include "glovebox/error_word.h"
#include "mcp/json/json_tree.h"
#include "mcp/json/schema.h"

namespace glovebox::catalog {

namespace {

using Entry = ServerEntry;

class CatalogOfServers final : public Catalog, public std::enable_shared_from_this<CatalogOfServers> {
 public:
  CatalogOfServers(boost::asio::any_io_executor executor, CatalogOptions options)
      : executor_(std::move(executor)), lock_(options.lock_folder), on_change_(std::move(options.on_change)) {
    context_ = std::make_shared<UpstreamContext>();
    context_->executor = executor_;
    options.servers.clear();
    context_->options = std::move(options);
    context_->http = [this]() -> net::HttpClient& {
      if (!http_) http_ = net::make_http_client();
      return *http_;
    };
  }
  ~CatalogOfServers() override { close(); }

  void set_servers(std::vector<ServerSpec> servers) override;
  std::vector<std::string> servers() const override;
  std::string resolve_server(std::string_view written) const override;
  std::vector<ServerHealth> health() const override;
  std::vector<Tool> known_tools() const override;
  void list_tools(std::string server, std::function<void(Result<std::vector<Tool>, CallFailure>)> done) override;
  void find(const std::string& server, const std::string& tool, Found done) override;
  std::optional<Tool> known(std::string_view server, std::string_view tool) const override;
  std::optional<CallFailure> why_not(const Tool& tool, const std::string& arguments_json) override;
  using Catalog::call;
  std::function<void()> call(PermittedCall permitted, CallOptions options, Called done) override;
  std::string diff(const std::string& server, const std::string& tool) const override;
  Result<void> approve(const std::string& server, const std::string& tool, const std::string& hash) override;
  void list_offers(const std::string& server, Offer offer,
                   std::function<void(Result<std::vector<std::string>, CallFailure>)> done) override;
  void retry(const std::string& server) override;
  void close() override;

 private:
  void listed(const std::string& server, const Listing& listing);
  void offer_classes(const std::string& owner, bool pin_new);
  std::vector<Tool> tools_of(const std::string& server) const;
  // The server of this name, as resolve_server finds it. An unknown name may be a class of a server that has not been
  // listed yet: that server is started first.
  using Resolved = std::function<void(Result<std::string, CallFailure> name)>;
  void resolve_with_start(const std::string& written, Resolved then);
  void changed();
  Result<std::string, CallFailure> name_if_unchanged(const PermittedCall& permitted);
  // Valid until the server is listed again.
  Result<const Tool*, CallFailure> found(const std::string& server, const std::string& tool);
  Result<Tool, CallFailure> copy_of(const std::string& server, const std::string& tool);
  CallFailure no_server(const std::string& written) const;
  CallFailure no_tool(const Entry& entry, const std::string& server, const std::string& tool) const;

  boost::asio::any_io_executor executor_;
  std::unique_ptr<net::HttpClient> http_;  // outlives the servers
  std::shared_ptr<UpstreamContext> context_;
  LockFile lock_;
  std::function<void()> on_change_;
  bool change_reported_ = false;
  std::vector<std::string> order_;
  std::map<std::string, Entry, std::less<>> entries_;
};

void CatalogOfServers::set_servers(std::vector<ServerSpec> servers) {
  std::map<std::string, Entry, std::less<>> before = std::move(entries_);
  entries_.clear();
  order_.clear();
  std::vector<std::shared_ptr<Upstream>> gone;
  for (ServerSpec& spec : servers) {
    const std::string name = spec.name;
    if (entries_.contains(name)) continue;
    order_.push_back(name);
    if (const auto same = before.find(name); same != before.end() && same->second.upstream->spec() == spec) {
      entries_[name] = std::move(same->second);
      before.erase(same);
      continue;
    }
    Entry& entry = entries_[name];
    auto listing = read_listing(context_->options.state_folder, spec);
    if (listing && !spec.disabled && spec.classes) {
      entry.listing = std::move(listing->tools);
    } else if (listing && !spec.disabled) {
      entry.tools = read_tools(name, listing->tools, context_->options.limits.max_tools);
      judge_by_pins(lock_, entry.tools, {});
    }
    const std::weak_ptr<CatalogOfServers> weak = weak_from_this();
    entry.upstream =
        Upstream::create(context_, std::move(spec),
                         {.on_send = [weak](const PermittedCall& call) -> Result<std::string, CallFailure> {
                            if (const auto self = weak.lock()) return self->name_if_unchanged(call);
                            return CallFailure{"SERVER_UNAVAILABLE", "the gateway is closing", false};
                          },
                          .on_listed =
                              [weak, name](const Listing& listing) {
                                if (const auto self = weak.lock()) self->listed(name, listing);
                              },
                          .on_change =
                              [weak] {
                                if (const auto self = weak.lock()) self->changed();
                              },
                          .on_offers_changed = context_->options.on_offers_changed});
  }
  for (const std::string& name : order_) {
    if (entries_.find(name)->second.upstream->spec().classes) offer_classes(name, false);
  }
  for (const auto& [name, entry] : before) {
    if (!entry.owner.empty()) continue;
    entry.upstream->close(entries_.contains(name) ? "its config has changed" : "it is no longer in the config");
  }
  changed();
}

std::vector<std::string> CatalogOfServers::servers() const {
  std::vector<std::string> all = order_;
  for (const auto& [name, entry] : entries_)
    if (!entry.owner.empty()) all.push_back(name);
  return all;
}

std::string CatalogOfServers::resolve_server(std::string_view written) const {
  if (entries_.contains(written)) return std::string(written);
  std::string found;
  for (const auto& [name, entry] : entries_) {
    if (!is_same_name(name, written)) continue;
    if (!found.empty()) return "";  // ambiguous: neither
    found = name;
  }
  return found;
}

std::vector<ServerHealth> CatalogOfServers::health() const {
  std::vector<ServerHealth> all;
  for (const std::string& name : order_) {
    const Entry& entry = entries_.find(name)->second;
    all.push_back(entry.upstream->health());
    all.back().tools = entry.tools.size();
    if (!entry.upstream->spec().classes) continue;
    for (const auto& [inner, part] : entries_)
      if (part.owner == name) all.back().tools += part.tools.size();
  }
  return all;
}

std::vector<Tool> CatalogOfServers::tools_of(const std::string& server) const {
  const Entry& own = entries_.find(server)->second;
  std::vector<Tool> all = own.tools;
  if (!own.upstream->spec().classes || !own.owner.empty()) return all;
  for (const auto& [name, entry] : entries_)
    if (entry.owner == server) all.insert(all.end(), entry.tools.begin(), entry.tools.end());
  return all;
}

std::vector<Tool> CatalogOfServers::known_tools() const {
  std::vector<Tool> all;
  for (const std::string& name : order_) {
    std::vector<Tool> tools = tools_of(name);
    std::move(tools.begin(), tools.end(), std::back_inserter(all));
  }
  return all;
}

CallFailure CatalogOfServers::no_server(const std::string& written) const {
  return {"SERVER_NOT_FOUND",
          "there is no server " + plain_text(written, 100) + meant_among(written, servers(), "; there are "), false};
}

CallFailure CatalogOfServers::no_tool(const Entry& entry, const std::string& server, const std::string& tool) const {
  std::vector<std::string> known;
  for (const Tool& one : entry.tools)
    if (one.state != Tool::State::kRefused) known.push_back(written_name(one));
  // Not all names are listed: some of them may be denied, and only a search checks that.
  const std::string meant = meant_among(tool, known, "");
  return {
      "TOOL_NOT_FOUND",
      server + " has no tool " + plain_text(tool, 100) + (meant.empty() ? "; search_tools finds what it has" : meant),
      false};
}

void CatalogOfServers::changed() {
  if (!on_change_ || std::exchange(change_reported_, true)) return;
  boost::asio::post(executor_, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->change_reported_ = false;
    if (self->on_change_) self->on_change_();
  });
}

void CatalogOfServers::listed(const std::string& server, const Listing& listing) {
  const auto entry = entries_.find(server);
  if (entry == entries_.end()) return;
  if (entry->second.upstream->spec().classes) {
    entry->second.listing = listing.tools;
    offer_classes(server, true);
    return changed();
  }
  entry->second.tools = read_tools(server, listing.tools, context_->options.limits.max_tools);
  entry->second.schemas.clear();
  judge_by_pins(lock_, entry->second.tools, {.pins_new = true});
  changed();
}

// Makes an entry for each class in the listing of `owner`, replacing those that exist.
void CatalogOfServers::offer_classes(const std::string& owner, bool pin_new) {
  Entry& own = entries_.find(owner)->second;
  std::erase_if(entries_, [&](const auto& item) { return item.second.owner == owner; });
  const auto refuse = [&](std::vector<Tool> tools, const std::string& name, const std::string& why) {
    for (Tool& tool : tools) {
      tool.server = owner;
      tool.name.insert(0, name);
      tool.alias.clear();
      tool.state = Tool::State::kRefused;
      tool.reason = why;
      own.tools.push_back(std::move(tool));
    }
  };
  const std::size_t most = context_->options.limits.max_tools;
  const ToolClasses split = split_classes(own.listing);
  own.tools.clear();
  own.schemas.clear();
  refuse(read_tools(owner, split.others, most), "", "its name is not Class.method");
  std::vector<Tool> offered;
  for (const auto& [name, definitions] : split.classes) {
    std::vector<Tool> tools = read_tools(name, definitions, most);
    if (entries_.contains(name)) {
      refuse(std::move(tools), name + ".", "a server in the config is called " + name);
      continue;
    }
    std::move(tools.begin(), tools.end(), std::back_inserter(offered));
  }
  judge_by_pins(lock_, offered, {pin_new, pin_new ? own.upstream->spec().args.back() : ""});
  for (Tool& tool : offered) {
    tool.owner = owner;
    Entry& entry = entries_[tool.server];
    entry.upstream = own.upstream;
    entry.owner = owner;
    entry.tools.push_back(std::move(tool));
  }
}

void CatalogOfServers::list_tools(std::string server,
                                  std::function<void(Result<std::vector<Tool>, CallFailure>)> done) {
  resolve_with_start(server, [this, done](Result<std::string, CallFailure> resolved) {
    if (!resolved) return boost::asio::post(executor_, [done, failure = resolved.failure()] { done(failure); });
    entries_.find(*resolved)->second.upstream->want(
        [weak = weak_from_this(), name = *resolved, done](const std::optional<CallFailure>& failure) {
          if (failure) return done(*failure);
          const auto self = weak.lock();
          if (!self || !self->entries_.contains(name))
            return done(CallFailure{"SERVER_NOT_FOUND", "there is no server " + name, false});
          done(self->tools_of(name));
        });
  });
}

void CatalogOfServers::resolve_with_start(const std::string& written, Resolved then) {
  if (const std::string name = resolve_server(written); !name.empty()) return then(name);
  for (const std::string& owner : order_) {
    Upstream& upstream = *entries_.find(owner)->second.upstream;
    if (!upstream.spec().classes || upstream.spec().disabled || upstream.is_ready()) continue;
    return upstream.want([weak = weak_from_this(), written, then](const std::optional<CallFailure>& failure) {
      const auto self = weak.lock();
      if (!self) return;
      if (const std::string name = self->resolve_server(written); !name.empty()) return then(name);
      then(failure ? reported_failure(*failure) : self->no_server(written));
    });
  }
  then(no_server(written));
}

Result<const Tool*, CallFailure> CatalogOfServers::found(const std::string& server, const std::string& tool) {
  const auto entry = entries_.find(server);
  if (entry == entries_.end()) return no_server(server);
  const Tool* known = entry->second.find(tool);
  if (!known) return no_tool(entry->second, server, tool);
  // A person may have approved it from the command line.
  if (known->state == Tool::State::kQuarantined) judge_by_pins(lock_, entry->second.tools, {});
  return known;
}

Result<Tool, CallFailure> CatalogOfServers::copy_of(const std::string& server, const std::string& tool) {
  const auto known = found(server, tool);
  if (!known) return known.failure();
  return **known;
}

void CatalogOfServers::find(const std::string& server, const std::string& tool, Found done) {
  resolve_with_start(server, [this, tool, done](Result<std::string, CallFailure> resolved) {
    if (!resolved) return boost::asio::post(executor_, [done, failure = resolved.failure()] { done(failure); });
    const std::string name = *resolved;
    Entry& entry = entries_.find(name)->second;
    const bool is_skill = !entry.owner.empty();
    // A skill may have been edited since it was listed, and is judged by its current definition.
    const bool is_current = !is_skill || entry.upstream->is_ready();
    if (!entry.upstream->spec().disabled && is_current && entry.find(tool)) return done(copy_of(name, tool));
    entry.upstream->want([weak = weak_from_this(), name, tool, is_skill, done](const auto& failure) {
      if (failure) return done(is_skill ? reported_failure(*failure) : *failure);
      if (const auto self = weak.lock()) return done(self->copy_of(name, tool));
      done(CallFailure{"SERVER_UNAVAILABLE", "the gateway is closing", false});
    });
  });
}

std::optional<Tool> CatalogOfServers::known(std::string_view server, std::string_view tool) const {
  const auto entry = entries_.find(resolve_server(server));
  if (entry == entries_.end()) return std::nullopt;
  const Tool* found = const_cast<Entry&>(entry->second).find(tool);
  if (!found) return std::nullopt;
  return *found;
}

std::function<void()> CatalogOfServers::call(PermittedCall permitted, CallOptions options, Called done) {
  const Tool& judged = permitted.tool();
  const auto entry = entries_.find(judged.server);
  if (entry == entries_.end()) {
    boost::asio::post(executor_, [done = std::move(done), failure = no_server(judged.server)] { done(failure); });
    return [] {};
  }
  auto output = judged.output_schema.empty() ? nullptr : entry->second.schema(judged.output_schema);
  const std::shared_ptr<Upstream>& upstream = entry->second.upstream;
  const Upstream::CallId id =
      upstream->call(std::move(permitted), std::move(options), std::move(output), std::move(done));
  return [weak = std::weak_ptr(upstream), id] {
    if (const auto server = weak.lock()) server->cancel(id);
  };
}

std::optional<CallFailure> CatalogOfServers::why_not(const Tool& tool, const std::string& arguments) {
  const std::string full = tool.server + "." + tool.name;
  const auto entry = entries_.find(tool.server);
  if (entry == entries_.end()) return no_server(tool.server);
  const auto tree = mcp::parse_object(arguments.empty() ? "{}" : arguments);
  if (!tree) {
    return CallFailure{"INVALID_ARGUMENTS", "the arguments of " + full + " cannot be used: " + tree.failure().message,
                       false};
  }
  const auto schema = entry->second.schema(tool.input_schema);
  const auto wrong = schema ? schema->check(*tree) : std::nullopt;
  if (!wrong) return std::nullopt;
  return CallFailure{
      "INVALID_ARGUMENTS",
      full + " does not take these arguments: " + (wrong->path.empty() ? "" : wrong->path + " ") + wrong->message,
      false};
}

// The server's name for the tool. The server is ready: what it lists now is compared with what the caller has judged.
Result<std::string, CallFailure> CatalogOfServers::name_if_unchanged(const PermittedCall& permitted) {
  const Tool& judged = permitted.tool();
  const std::string full = judged.server + "." + judged.name;
  const auto known = found(judged.server, judged.name);
  if (!known) return known.failure();
  const Tool& now = **known;
  if (now.state == Tool::State::kRefused)
    return CallFailure{"TOOL_REFUSED", full + " cannot be used: " + now.reason, false};
  if (now.state == Tool::State::kQuarantined)
    return CallFailure{"TOOL_QUARANTINED", full + " is quarantined: " + now.reason, false};
  if (now.name != judged.name || now.owner != judged.owner || now.hash != judged.hash)
    return CallFailure{"TOOL_QUARANTINED", full + " has changed since the policy judged this call", false};
  if (auto wrong = why_not(now, permitted.arguments())) return std::move(*wrong);
  return now.owner.empty() ? now.name : now.server + "." + now.name;
}

std::string CatalogOfServers::diff(const std::string& server, const std::string& tool) const {
  const auto found = known(server, tool);
  const Pin* pin = found ? lock_.find(found->server, found->name) : nullptr;
  if (!pin || found->state == Tool::State::kRefused) return "";
  return definition_diff(pin->definition, pinned_definition(*found));
}

Result<void> CatalogOfServers::approve(const std::string& server, const std::string& tool, const std::string& hash) {
  const auto entry = entries_.find(resolve_server(server));
  const Tool* found = entry == entries_.end() ? nullptr : entry->second.find(tool);
  if (!found) return Failure{ErrorCode::kNotFound, "there is no tool " + server + "." + tool};
  if (found->state == Tool::State::kRefused)
    return Failure{ErrorCode::kInvalidArgument, "the tool cannot be used: " + found->reason};
  if (found->hash != hash)
    return Failure{ErrorCode::kConflict, "the definition has changed since it was shown; review it again"};
  GLOVEBOX_TRY_VOID(lock_.approve(*found));
  judge_by_pins(lock_, entry->second.tools, {});
  changed();
  return {};
}

void CatalogOfServers::list_offers(const std::string& server, Offer offer,
                                   std::function<void(Result<std::vector<std::string>, CallFailure>)> done) {
  const auto entry = entries_.find(server);
  if (entry == entries_.end())
    return boost::asio::post(executor_, [done, failure = no_server(server)] { done(failure); });
  const char* const items[] = {"prompts", "resources", "resourceTemplates"};
  const char* const methods[] = {"prompts/list", "resources/list", "resources/templates/list"};
  entry->second.upstream->list_offers(methods[static_cast<int>(offer)], items[static_cast<int>(offer)],
                                      std::move(done));
}

void CatalogOfServers::retry(const std::string& server) {
  const auto entry = entries_.find(server);
  if (entry != entries_.end()) entry->second.upstream->retry();
}

void CatalogOfServers::close() {
  on_change_ = nullptr;
  for (const auto& [name, entry] : entries_) entry.upstream->close("the gateway is closing");
}

}  // namespace

std::vector<ToolNamespace> Catalog::namespaces() const {
  std::vector<ToolNamespace> all;
  for (std::string& server : servers()) all.push_back({std::move(server), {}});
  return all;
}

std::shared_ptr<Catalog> Catalog::create(boost::asio::any_io_executor executor, CatalogOptions options) {
  std::vector<ServerSpec> servers = std::move(options.servers);
  auto catalog = std::make_shared<CatalogOfServers>(std::move(executor), std::move(options));
  catalog->set_servers(std::move(servers));
  return catalog;
}

}  // namespace glovebox::catalog
