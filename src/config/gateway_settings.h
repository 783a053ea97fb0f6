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

// Patterns as they are written; the policy knows what they mean.
struct Permissions {
  std::vector<std::string> allow;
  std::vector<std::string> ask;
  std::vector<std::string> deny;
  std::vector<std::string> idempotent;  // calls that may be made twice: they are repeated where it helps
  std::vector<std::string> cacheable;   // calls whose answer may serve again for a while
};

struct StoreSettings {
  std::string path;                       // of the database; empty: in the state folder
  std::string address;                    // postgres://…, instead; variables in it are expanded by whoever uses it
  std::optional<std::int64_t> keep_runs;  // ended ones
  std::optional<std::int64_t> keep_days;  // of ended ones
  std::optional<std::int64_t> lease_seconds;   // of a gateway that shares a database
  std::optional<std::int64_t> outage_seconds;  // for which a run waits for a store that cannot be written
  bool record_runs = true;                     // what they asked and were told, for `glovebox runs record`
};

// Results that serve again. What is not said is as cache/result_cache.h has it.
struct CacheSettings {
  bool enabled = true;
  std::optional<std::int64_t> entries;
  std::optional<std::int64_t> seconds;
  std::optional<std::int64_t> entry_bytes;
  std::optional<std::int64_t> all_bytes;
};

struct HttpSettings {
  std::string listen;  // ADDRESS:PORT
  std::string token;   // variables in it are expanded by whoever uses it
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
  std::optional<std::int64_t> memory_mb;  // that those may have together, by their limits
  std::optional<std::int64_t> memory_mb_per_client;
  std::optional<std::int64_t> calls_per_run;
  std::optional<std::int64_t> concurrent_calls;                // of one run
  std::map<std::string, std::int64_t> calls_per_minute;        // by pattern: "github", "github:search_*"
  std::map<std::string, std::int64_t> concurrent_per_pattern;  // likewise
};

// An endpoint that speaks OpenAI's /v1/embeddings, instead of the model within.
struct EmbeddingSettings {
  std::string url;  // empty: none
  std::string model;
  std::string api_key_env;      // the variable that holds the key; empty: no key is sent
  std::int64_t dimensions = 0;  // 0: whatever the model gives

  bool operator==(const EmbeddingSettings&) const = default;
};

struct SearchSettings {
  bool learn = true;        // whether tools that served an intent move up for similar ones
  bool base_model = false;  // the model within is all-MiniLM-L6-v2 as published, not as trained further for tools

  bool operator==(const SearchSettings&) const = default;
};

struct ApprovalSettings {
  bool agent = true;  // whether an agent may pass on its person's yes (continue_run), where its client cannot ask them
};

// What is told when a person is asked; see assembly/notify.
struct NotifySettings {
  std::vector<std::string> command;  // a program and its arguments; it reads the notice
  std::string webhook;               // an address; variables in it are expanded by whoever uses it
  std::string secret;                // what posts to it are signed with; likewise

  bool operator==(const NotifySettings&) const = default;
};

// What agents are offered, and how much of a result they get at once.
struct AnswerSettings {
  bool workflow_tools = false;            // listed for every client; else for those that have a workflow
  std::int64_t result_bytes = 40 * 1024;  // of a result, as JSON; beyond that they get its beginning, and read on
};

// The audit log. What is not said is as gateway/audit/audit_anchor.h has it.
struct AuditLogSettings {
  std::optional<std::int64_t> file_megabytes;
  std::optional<std::int64_t> keep_files;  // old ones; nothing: all
  bool sync_all = false;                   // every record is on the disk before what it tells of begins
};

// What is told of runs beside their results.
struct ObserveSettings {
  bool traces = true;                          // whether spans are kept
  std::string otlp;                            // of a collector: an http or https address; empty: none
  std::map<std::string, std::string> headers;  // for it; variables in them are expanded by whoever uses them
  bool arguments = false;                      // of tool calls, redacted, in spans
  bool results = false;                        // likewise
  std::string token;  // opens /metrics, /healthz and /readyz; variables in it are expanded by whoever uses it
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
  std::optional<CheckMode> check;                    // nothing: the file does not say
  std::chrono::milliseconds shutdown_grace{30'000};  // for what is under way when the gateway is to end
  std::string registry;  // of capabilities: an http or https address, or a folder; empty: none
  // By the name of a capability, the digest of its description; then no other capability is taken from a registry.
  std::optional<std::map<std::string, std::string>> registry_digests;
  std::string remote;  // a server of this file: the gateway that runs capabilities which do not run here; empty: none
  PrivacySettings privacy;
  std::vector<FlowRule> flows;
};

// Reads the member if it is one of these keys; false when it is not.
bool read_gateway_setting(const JsonMember& member, GatewaySettings& settings, std::vector<JsonProblem>& problems);

}  // namespace glovebox::config
