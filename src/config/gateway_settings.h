// The keys of a config file that `glovebox serve` reads beside servers and sandbox.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/http/oauth_settings.h"
#include "config/jsonc.h"
#include "config/privacy_settings.h"
#include "glovebox/diagnostic.h"

namespace glovebox::config {

// Patterns as written; the policy interprets them.
struct Permissions {
  std::vector<std::string> allow;
  std::vector<std::string> ask;
  std::vector<std::string> deny;
  std::vector<std::string> idempotent;  // calls that may be made twice: they are repeated where it helps
  std::vector<std::string> cacheable;   // calls whose results may be cached for a while
};

struct StoreSettings {
  std::string path;                            // of the database; empty: in the state folder
  std::string address;                         // postgres://…, instead; variables in it are expanded where it is used
  std::optional<std::int64_t> keep_runs;       // ended ones
  std::optional<std::int64_t> keep_days;       // of ended ones
  std::optional<std::int64_t> lease_seconds;   // of a gateway that shares a database
  std::optional<std::int64_t> outage_seconds;  // how long a run waits for a store that cannot be written
  bool record_runs = true;                     // their calls and the answers, for `glovebox runs record`
};

// Cached results. Defaults are in cache/result_cache.h.
struct CacheSettings {
  bool enabled = true;
  std::optional<std::int64_t> entries;
  std::optional<std::int64_t> seconds;
  std::optional<std::int64_t> entry_bytes;
  std::optional<std::int64_t> all_bytes;
};

struct HttpSettings {
  std::string listen;  // ADDRESS:PORT
  std::string token;   // variables in it are expanded where it is used
  std::string certificate;
  std::string key;
  std::vector<std::string> allowed_hosts;
  std::vector<std::string> allowed_origins;
  bool open = false;  // no token; on loopback only
  OauthSettings oauth;
};

struct CallLimits {
  std::optional<std::int64_t> runs;  // at one time
  std::optional<std::int64_t> runs_per_client;
  std::int64_t waiting_runs_per_client = 64;  // for a person; likewise workflows that have not ended
  std::optional<std::int64_t> memory_mb;      // total of their memory limits
  std::optional<std::int64_t> memory_mb_per_client;
  std::optional<std::int64_t> calls_per_run;
  std::optional<std::int64_t> concurrent_calls;                // of one run
  std::map<std::string, std::int64_t> calls_per_minute;        // by pattern: "github", "github:search_*"
  std::map<std::string, std::int64_t> concurrent_per_pattern;  // likewise
};

// An endpoint that implements OpenAI's /v1/embeddings, instead of the built-in model.
struct EmbeddingSettings {
  std::string url;  // empty: none
  std::string model;
  std::string api_key_env;      // the variable that holds the key; empty: no key is sent
  std::int64_t dimensions = 0;  // 0: the model's own

  bool operator==(const EmbeddingSettings&) const = default;
};

struct SearchSettings {
  bool learn = true;        // whether tools that served an intent rank higher for similar ones
  bool base_model = false;  // the built-in model is all-MiniLM-L6-v2 as published, not as fine-tuned for tools

  bool operator==(const SearchSettings&) const = default;
};

struct ApprovalSettings {
  bool agent = true;  // whether an agent may relay its user's approval (continue_run), where its client cannot ask them
};

// Where approval requests are announced; see assembly/notify.
struct NotifySettings {
  std::vector<std::string> command;  // a program and its arguments; it reads the notice
  std::string webhook;               // an address; variables in it are expanded where it is used
  std::string secret;                // the key that signs posts to it; likewise

  bool operator==(const NotifySettings&) const = default;
};

// What agents are offered, and how much of a result they get at once.
struct AnswerSettings {
  bool workflow_tools = false;            // listed for every client; else for those that have a workflow
  std::int64_t result_bytes = 40 * 1024;  // of a result, as JSON; beyond that they get its beginning, and read on
};

// The audit log. Defaults are in gateway/audit/audit_anchor.h.
struct AuditLogSettings {
  std::optional<std::int64_t> file_megabytes;
  std::optional<std::int64_t> keep_files;  // old ones; nothing: all
  bool sync_all = false;                   // every record is on the disk before the recorded action begins
};

// What is reported of runs beside their results.
struct ObserveSettings {
  bool traces = true;                          // whether spans are kept
  std::string otlp;                            // of a collector: an http or https address; empty: none
  std::map<std::string, std::string> headers;  // for it; variables in them are expanded where they are used
  bool arguments = false;                      // of tool calls, redacted, in spans
  bool results = false;                        // likewise
  std::string token;  // opens /metrics, /healthz and /readyz; variables in it are expanded where it is used
};

struct GatewaySettings {
  Permissions permissions;
  StoreSettings store;
  HttpSettings http;
  CallLimits limits;
  EmbeddingSettings embeddings;
  SearchSettings search;
  CacheSettings cache;
  ObserveSettings observe;
  ApprovalSettings approvals;
  NotifySettings notify;
  AnswerSettings answers;
  AuditLogSettings audit;
  std::optional<CheckMode> check;                    // nothing: not in the file
  std::chrono::milliseconds shutdown_grace{30'000};  // for what is in progress when the gateway shuts down
  std::string registry;  // of capabilities: an http or https address, or a folder; empty: none
  // By the name of a capability, the digest of its description; if set, no other capability is accepted from a
  // registry.
  std::optional<std::map<std::string, std::string>> registry_digests;
  std::string remote;  // a server of this file: the gateway that runs capabilities which do not run here; empty: none
  PrivacySettings privacy;
  std::vector<FlowRule> flows;
};

// Reads the member if it is one of these keys; false when it is not.
bool read_gateway_setting(const JsonMember& member, GatewaySettings& settings, std::vector<JsonProblem>& problems);

}  // namespace glovebox::config
