#include "config/gateway_settings.h"

#include <functional>

#include "base/characters/ascii.h"
#include "base/text/json_text.h"
#include "config/http/token_length.h"
#include "config/schema/setting_schemas.h"
#include "config/value_reader.h"
#include "config/variables.h"
#include "policy/tool_rules.h"

namespace glovebox::config {
namespace {

constexpr std::int64_t kMostCalls = 1'000'000'000;
constexpr std::int64_t kMostGrace = std::int64_t{24} * 3600 * 1000;

using ReadGatewayKey = std::function<void(GatewaySettings&, const JsonNode&, ValueReader&)>;
using Table = std::map<std::string, ReadGatewayKey, std::less<>>;

// Reads an object by a table of its keys.
void read_object(const std::string& key, const JsonNode& node, const char* example, const Table& table,
                 GatewaySettings& settings, std::vector<JsonProblem>& problems) {
  ValueReader whole(key, problems);
  const JsonObject* members = whole.object(node, example);
  if (!members) return;
  for (const JsonMember& member : *members) {
    const auto found = table.find(member.key);
    if (found == table.end()) {
      std::vector<std::string_view> known;
      for (const auto& [name, read] : table) known.push_back(name);
      problems.push_back(unknown_key(key, member, known));
      continue;
    }
    ValueReader reader(key + "." + member.key, problems);
    found->second(settings, member.value, reader);
  }
}

template <typename Part>
ReadGatewayKey text_into(Part GatewaySettings::*part, std::string Part::*field, const char* example) {
  return [=](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
    if (auto text = reader.text(node, example)) settings.*part.*field = std::move(*text);
  };
}

// A token that comes from a variable is checked when the gateway starts and knows its value.
template <typename Part>
ReadGatewayKey token_into(Part GatewaySettings::*part, std::string Part::*field, const char* example) {
  return [=](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
    auto text = reader.text(node, example);
    if (!text) return;
    if (text->find("${") == std::string::npos && text->size() < kShortestToken) {
      reader.refuse(node.offset, "must have at least " + std::to_string(kShortestToken) + " characters");
    }
    settings.*part.*field = std::move(*text);
  };
}

template <typename Part>
ReadGatewayKey list_into(Part GatewaySettings::*part, std::vector<std::string> Part::*field, const char* example) {
  return [=](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
    if (auto list = reader.list(node, example)) settings.*part.*field = std::move(*list);
  };
}

ReadGatewayKey number_into(std::optional<std::int64_t> CallLimits::*field, const char* example) {
  return [=](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
    if (const auto number = reader.number(node, kMostCalls, example)) settings.limits.*field = number;
  };
}

ReadGatewayKey numbers_into(std::map<std::string, std::int64_t> CallLimits::*field, const char* example) {
  return [=](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
    auto numbers = reader.numbers_by_name(node, kMostCalls, example);
    if (!numbers) return;
    for (const JsonMember& member : *node.as<JsonObject>()) {
      const auto pattern = policy::ToolPattern::parse(member.key, "/");
      if (!pattern) {
        reader.refuse(member.key_offset, "is not understood: " + pattern.failure().message);
      } else if (member.key.find('(') != std::string::npos) {
        reader.refuse(member.key_offset, "has conditions on arguments, which limits cannot have");
      }
    }
    settings.limits.*field = std::move(*numbers);
  };
}

ReadGatewayKey patterns_into(std::vector<std::string> Permissions::*field, const char* example) {
  return [=](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
    if (auto list = reader.tool_patterns(node, example)) settings.permissions.*field = std::move(*list);
  };
}

const Table kPermissions = {
    {"allow", patterns_into(&Permissions::allow, R"(["github:get_*"])")},
    {"ask", patterns_into(&Permissions::ask, R"(["github"])")},
    {"deny", patterns_into(&Permissions::deny, R"(["github:delete_*"])")},
    {"idempotent", patterns_into(&Permissions::idempotent, R"(["github:get_*"])")},
    {"cacheable", patterns_into(&Permissions::cacheable, R"(["github:get_*"])")},
};

constexpr std::int64_t kMostKept = 10'000'000;
constexpr std::int64_t kShortestLease = 3;
constexpr std::int64_t kLongestLease = 3600;
constexpr std::int64_t kLongestOutage = 7 * 24 * 3600;

// It may be mostly a variable, and messages do not repeat it: it may hold a password.
void read_address(GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
  auto address = reader.text(node, R"("postgres://glovebox:${DB_PASSWORD}@db.example/glovebox")");
  if (!address) return;
  const bool known = address->starts_with("postgres://") || address->starts_with("postgresql://");
  if (!known && !address->starts_with("${")) {
    reader.refuse(node.offset,
                  "must be an object such as {\"path\": \"./glovebox.db\"}, or an address such as "
                  "\"postgres://glovebox:${DB_PASSWORD}@db.example/glovebox\"");
    return;
  }
  settings.store.address = std::move(*address);
}

ReadGatewayKey number_of_store(std::optional<std::int64_t> StoreSettings::*field, std::int64_t most,
                               const char* example) {
  return [=](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
    if (const auto number = reader.number(node, most, example)) settings.store.*field = number;
  };
}

const Table kStore = {
    {"path", text_into(&GatewaySettings::store, &StoreSettings::path, "\"./glovebox.db\"")},
    {"address", read_address},
    {"keepRuns", number_of_store(&StoreSettings::keep_runs, kMostKept, "1000")},
    {"keepDays", number_of_store(&StoreSettings::keep_days, kMostKept, "30")},
    {"recordRuns",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       if (const auto truth = reader.truth(node)) settings.store.record_runs = *truth;
     }},
    {"outageSeconds", number_of_store(&StoreSettings::outage_seconds, kLongestOutage, "600")},
    {"leaseSeconds",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       const auto number = reader.number(node, kLongestLease, "15");
       if (number && *number < kShortestLease) {
         reader.refuse(node.offset, "must be 3 or more");
       } else if (number) {
         settings.store.lease_seconds = number;
       }
     }},
};

const Table kHttp = {
    {"listen", text_into(&GatewaySettings::http, &HttpSettings::listen, "\"127.0.0.1:7777\"")},
    {"token", token_into(&GatewaySettings::http, &HttpSettings::token, "\"${GLOVEBOX_TOKEN}\"")},
    {"certificate", text_into(&GatewaySettings::http, &HttpSettings::certificate, "\"./cert.pem\"")},
    {"key", text_into(&GatewaySettings::http, &HttpSettings::key, "\"./key.pem\"")},
    {"oauth", [](GatewaySettings& settings, const JsonNode& node,
                 ValueReader& reader) { settings.http.oauth = read_oauth(node, reader); }},
    {"allowedHosts", list_into(&GatewaySettings::http, &HttpSettings::allowed_hosts, R"(["gateway.example"])")},
    {"allowedOrigins", list_into(&GatewaySettings::http, &HttpSettings::allowed_origins, R"(["https://app.example"])")},
    {"open",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       if (const auto truth = reader.truth(node)) settings.http.open = *truth;
     }},
};

const Table kLimits = {
    {"runs", number_into(&CallLimits::runs, "128")},
    {"runsPerClient", number_into(&CallLimits::runs_per_client, "16")},
    {"waitingRunsPerClient",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       if (const auto most = reader.number(node, kMostCalls, "64")) settings.limits.waiting_runs_per_client = *most;
     }},
    {"memoryMB", number_into(&CallLimits::memory_mb, "8192")},
    {"memoryMBPerClient", number_into(&CallLimits::memory_mb_per_client, "2048")},
    {"callsPerRun", number_into(&CallLimits::calls_per_run, "1000")},
    {"concurrentCalls", number_into(&CallLimits::concurrent_calls, "16")},
    {"callsPerMinute", numbers_into(&CallLimits::calls_per_minute, R"({"github": 60})")},
    {"concurrentPerPattern", numbers_into(&CallLimits::concurrent_per_pattern, R"({"github": 4})")},
};

constexpr std::int64_t kMostDimensions = 4096;

const Table kEmbeddings = {
    {"url",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       auto url = reader.text(node, "\"https://api.openai.com/v1/embeddings\"");
       if (!url) return;
       if (!url->starts_with("https://") && !url->starts_with("http://")) {
         reader.refuse(node.offset,
                       "must be an http or https address, such as \"https://api.openai.com/v1/embeddings\"");
       }
       settings.embeddings.url = std::move(*url);
     }},
    {"model", text_into(&GatewaySettings::embeddings, &EmbeddingSettings::model, "\"text-embedding-3-small\"")},
    {"apiKeyEnv",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       auto name = reader.text(node, "\"OPENAI_API_KEY\"");
       if (!name) return;
       // A key written in place of its variable's name is mostly not a valid name, and must not be repeated in a
       // message.
       if (!base::is_identifier(*name)) {
         reader.refuse(node.offset,
                       "must be the name of an environment variable, such as \"OPENAI_API_KEY\", not the key itself");
       }
       settings.embeddings.api_key_env = std::move(*name);
     }},
    {"dimensions",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       if (const auto number = reader.number(node, kMostDimensions, "384")) settings.embeddings.dimensions = *number;
     }},
};

constexpr std::int64_t kMostCacheEntries = 100'000;
constexpr std::int64_t kMostCacheSeconds = std::int64_t{24} * 3600;
constexpr std::int64_t kMostCacheEntryBytes = std::int64_t{16} << 20;
constexpr std::int64_t kMostCacheBytes = std::int64_t{4} << 30;

ReadGatewayKey number_of_cache(std::optional<std::int64_t> CacheSettings::*field, std::int64_t most,
                               const char* example) {
  return [=](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
    if (const auto number = reader.number(node, most, example)) settings.cache.*field = number;
  };
}

const Table kCache = {
    {"enabled",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       if (const auto truth = reader.truth(node)) settings.cache.enabled = *truth;
     }},
    {"entries", number_of_cache(&CacheSettings::entries, kMostCacheEntries, "100")},
    {"seconds", number_of_cache(&CacheSettings::seconds, kMostCacheSeconds, "300")},
    {"entryBytes", number_of_cache(&CacheSettings::entry_bytes, kMostCacheEntryBytes, "1048576")},
    {"bytes", number_of_cache(&CacheSettings::all_bytes, kMostCacheBytes, "67108864")},
};

template <auto Field>
void read_truth(GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
  if (const auto truth = reader.truth(node)) settings.observe.*Field = *truth;
}

const Table kObserve = {
    {"traces", read_truth<&ObserveSettings::traces>},
    {"otlp",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       auto url = reader.text(node, "\"http://127.0.0.1:4318\"");
       if (!url) return;
       if (!url->starts_with("https://") && !url->starts_with("http://")) {
         reader.refuse(node.offset, "must be an http or https address, such as \"http://127.0.0.1:4318\"");
       }
       settings.observe.otlp = std::move(*url);
     }},
    {"headers",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       if (auto texts = reader.texts_by_name(node, R"({"Authorization": "Bearer ${COLLECTOR_TOKEN}"})"))
         settings.observe.headers = std::move(*texts);
     }},
    {"arguments", read_truth<&ObserveSettings::arguments>},
    {"results", read_truth<&ObserveSettings::results>},
    {"token", token_into(&GatewaySettings::observe, &ObserveSettings::token, "\"${METRICS_TOKEN}\"")},
};

const Table kApprovals = {
    {"agent",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       if (const auto truth = reader.truth(node)) settings.approvals.agent = *truth;
     }},
};

const Table kNotify = {
    {"command", list_into(&GatewaySettings::notify, &NotifySettings::command, R"(["notify-send", "Glovebox asks"])")},
    {"webhook",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       auto url = reader.text(node, "\"https://hooks.example/glovebox\"");
       if (!url) return;
       const bool known = url->starts_with("https://") || url->starts_with("http://") || url->starts_with("${");
       if (!known) reader.refuse(node.offset, "must be an address, such as \"https://hooks.example/glovebox\"");
       settings.notify.webhook = std::move(*url);
     }},
    {"secret", token_into(&GatewaySettings::notify, &NotifySettings::secret, "\"${HOOK_SECRET}\"")},
};

constexpr std::int64_t kMostResultBytes = std::int64_t{1} << 30;

const Table kAnswers = {
    {"workflowTools",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       if (const auto truth = reader.truth(node)) settings.answers.workflow_tools = *truth;
     }},
    {"resultBytes",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       if (const auto number = reader.number(node, kMostResultBytes, "40960")) settings.answers.result_bytes = *number;
     }},
};

constexpr std::int64_t kMostLogMegabytes = 4096;
constexpr std::int64_t kFewestLogFiles = 2;

const Table kAudit = {
    {"fileMegabytes",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       if (const auto number = reader.number(node, kMostLogMegabytes, "64")) settings.audit.file_megabytes = number;
     }},
    {"keepFiles",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       const auto number = reader.number(node, kMostKept, "16");
       if (number && *number < kFewestLogFiles) {
         reader.refuse(node.offset, "must be 2 or more; without it all are kept");
       } else if (number) {
         settings.audit.keep_files = number;
       }
     }},
    {"sync",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       if (const auto word = reader.word(node, {"approved", "all"})) settings.audit.sync_all = *word == "all";
     }},
};

const Table kSearch = {
    {"learn",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       if (const auto truth = reader.truth(node)) settings.search.learn = *truth;
     }},
    {"model",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       if (const auto word = reader.word(node, {"tools", "base"})) settings.search.base_model = *word == "base";
     }},
};

// Keys at the top level of the file.
const Table kPlain = {
    {"check",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       const auto word = reader.word(node, {"off", "warn", "tools", "strict"});
       settings.check = word ? check_mode_named(*word) : std::nullopt;
     }},
    {"registry",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       auto text = reader.text(node, "\"https://registry.example\"");
       if (!text) return;
       if (text->find("://") != std::string::npos && !text->starts_with("https://") && !text->starts_with("http://"))
         reader.refuse(node.offset, "must be an http or https address, or a folder");
       settings.registry = std::move(*text);
     }},
    {"registryDigests",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       auto digests = reader.texts_by_name(node, R"({"acme.tools.files.sync": "sha256-…"})");
       if (!digests) return;
       for (const auto& [name, digest] : *digests)
         if (!digest.starts_with("sha256-")) reader.refuse(node.offset, "has no sha256-… for " + name);
       settings.registry_digests = std::move(digests);
     }},
    {"remote",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       if (auto text = reader.text(node, "\"office\", the name of a server")) settings.remote = std::move(*text);
     }},
    {"shutdownGraceMs",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       const auto number = reader.number(node, kMostGrace, "30000", 0);
       if (number) settings.shutdown_grace = std::chrono::milliseconds(*number);
     }},
};

struct Part {
  std::string_view key;
  const Table& table;
  const char* example;
};
const Part kParts[] = {
    {"permissions", kPermissions, R"({"allow": ["github:get_*"]})"},
    {"store", kStore, R"({"path": "./glovebox.db"})"},
    {"http", kHttp, R"({"listen": "127.0.0.1:7777"})"},
    {"limits", kLimits, R"({"callsPerRun": 1000})"},
    {"embeddings", kEmbeddings,
     R"({"url": "https://api.openai.com/v1/embeddings", "model": "text-embedding-3-small"})"},
    {"search", kSearch, R"({"learn": false})"},
    {"approvals", kApprovals, R"({"agent": false})"},
    {"notify", kNotify, R"({"command": ["notify-send", "Glovebox asks"]})"},
    {"answers", kAnswers, R"({"workflowTools": true})"},
    {"cache", kCache, R"({"entries": 100, "seconds": 300})"},
    {"audit", kAudit, R"({"fileMegabytes": 64})"},
    {"observe", kObserve, R"({"otlp": "http://127.0.0.1:4318"})"},
};

}  // namespace

bool read_gateway_setting(const JsonMember& member, GatewaySettings& settings, std::vector<JsonProblem>& problems) {
  ValueReader reader(member.key, problems);
  if (const auto plain = kPlain.find(member.key); plain != kPlain.end()) {
    plain->second(settings, member.value, reader);
    return true;
  }
  if (member.key == "store" && member.value.as<std::string>()) {
    read_address(settings, member.value, reader);
    return true;
  }
  if (member.key == "privacy" || member.key == "flows") {
    member.key == "flows" ? read_flows(member, settings.flows, problems)
                          : read_privacy(member, settings.privacy, problems);
    return true;
  }
  for (const Part& part : kParts) {
    if (member.key != part.key) continue;
    const std::size_t before = problems.size();
    read_object(member.key, member.value, part.example, part.table, settings, problems);
    const bool lacks = settings.embeddings.url.empty() || settings.embeddings.model.empty();
    if (part.key == "embeddings" && problems.size() == before && lacks) {
      problems.push_back({member.value.offset, "embeddings needs \"url\" and \"model\""});
    }
    // An unsigned notice could come from anyone.
    if (part.key == "notify" && settings.notify.webhook.empty() != settings.notify.secret.empty())
      problems.push_back({member.value.offset, "notify needs \"secret\" with \"webhook\", to sign what is sent"});
    return true;
  }
  return false;
}

void add_gateway_schema(SchemaObject& schema) {
  for (const auto& [key, read] : kPlain) schema.add(key, schema_of(kPlain, GatewaySettings()).of(key));
  for (const Part& part : kParts) schema.add(std::string(part.key), schema_of(part.table, GatewaySettings()).json());
  schema.add("store", any_of(schema.of("store"), schema_of(kStore, GatewaySettings()).of("address")));
  schema.add("privacy", privacy_schema().json());
  schema.add("flows", flows_schema());
}

}  // namespace glovebox::config
