#include "assembly/tool_search.h"

#include <unistd.h>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/text/json_text.h"
#include "config/variables.h"
#include "discovery/local_embedder.h"
#include "discovery/remote_embedder.h"
#include "search/encoder/minilm.h"
#include "search/text/language.h"

namespace glovebox::assembly {
std::vector<std::unique_ptr<discovery::Embedder>> make_embedders(boost::asio::any_io_executor executor,
                                                                 const config::GatewaySettings& gateway) {
  const config::EmbeddingSettings& settings = gateway.embeddings;
  std::vector<std::unique_ptr<discovery::Embedder>> embedders;
  if (!settings.url.empty()) {
    discovery::RemoteOptions options;
    options.url = settings.url;
    options.model = settings.model;
    options.dimensions = static_cast<std::size_t>(settings.dimensions);
    if (!settings.api_key_env.empty()) {
      options.key = config::process_variable(settings.api_key_env).value_or("");
      if (options.key.empty()) options.problem = "the variable " + settings.api_key_env + " is not set";
    }
    embedders.push_back(discovery::make_remote_embedder(executor, std::move(options)));
  }
  const bool base = gateway.search.base_model;
  const auto open = [base] { return search::open_minilm(base ? search::base_minilm() : search::tools_minilm()); };
  // Scores are calibrated for our own weights.
  embedders.push_back(discovery::make_local_embedder(executor, open, !base));
  return embedders;
}

std::string search_user(std::string_view client) {
  std::string user = "uid:" + std::to_string(::getuid());
  const bool is_owner = client.empty() || client == "stdio" || client == "http" || client == "exec";
  return is_owner ? user : user + ":" + std::string(client);
}

std::vector<discovery::ToolFinder::UsedTool> tools_that_served(const Outcome& outcome) {
  std::vector<discovery::ToolFinder::UsedTool> tools;
  for (const TraceEntry& entry : outcome.trace) {
    // A server's name has no dot, a tool's may.
    const std::size_t dot = entry.target.find('.');
    if (entry.op != "tool" || entry.outcome != TraceEntry::Outcome::kOk || dot == std::string::npos) continue;
    tools.push_back({entry.target.substr(0, dot), entry.target.substr(dot + 1)});
  }
  return tools;
}

void with_known_tools(boost::asio::any_io_executor executor, catalog::Catalog& catalog, const std::string& only,
                      std::chrono::milliseconds patience, std::function<void()> next) {
  using State = catalog::ServerHealth::State;
  const auto waiting = std::make_shared<std::size_t>(1);
  const auto timer = std::make_shared<boost::asio::steady_timer>(executor, patience);
  const auto once = std::make_shared<std::function<void()>>(std::move(next));
  // Posted, because the catalog posts its notices of changes, too: those must run first.
  const auto go = [once, executor] {
    if (*once) boost::asio::post(executor, std::exchange(*once, nullptr));
  };
  const auto one_less = [waiting, timer, go] {
    if (--*waiting != 0) return;
    timer->cancel();
    go();
  };
  for (const catalog::ServerHealth& server : catalog.health()) {
    const bool knows = server.tools > 0 || server.state == State::kReady || server.state == State::kDisabled;
    if (knows || (!only.empty() && server.name != only)) continue;
    ++*waiting;
    catalog.list_tools(server.name, [one_less](const auto&) { one_less(); });
  }
  if (*waiting > 1)
    timer->async_wait([timer, go](const boost::system::error_code& error) {
      if (!error) go();
    });
  one_less();
}

std::string language_note(const discovery::Findings& findings) {
  if (findings.language.empty()) return "";
  if (!findings.tools.empty() && search::foreign_language(findings.tools[0].tool.description) == findings.language)
    return "";
  return "the intent is written in " + findings.language +
         "; the model knows only English, so this search used shared words only: rephrase it in English";
}

std::string score_text(double score) {
  std::string text;
  base::append_json_millis(text, score);
  return text;
}

}  // namespace glovebox::assembly
