#include "gateway/reuse/run_cache.h"

#include <array>
#include <boost/json.hpp>
#include <set>

#include "base/digest.h"
#include "base/text/canonical_json.h"
#include "base/text/json_builder.h"
#include "base/text/json_slice.h"
#include "cache/cache_key.h"
#include "calls/files/file_digest.h"
#include "glovebox/rehearsal.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;

// Of all files that a cached run has read: they are read again for every lookup.
constexpr std::size_t kMostFileBytes = std::size_t{8} << 20;
constexpr std::size_t kMostFiles = 64;

// How a guest reads the program from the code (program/agent_program.h). To be changed when the same text comes to mean
// something else, so that results of the earlier reading are not used.
constexpr const char* kReading = "last value";

// Calls whose results depend only on the key or the conditions. Others write, or depend on untracked state.
bool may_serve_again(const std::string& op) {
  static constexpr std::array kKnown = {"tool", "fs.read", "fs.cwd", "permissions.query"};
  return std::find(kKnown.begin(), kKnown.end(), op) != kKnown.end();
}

json::object texts_json(const std::map<std::string, std::string>& texts) {
  json::object object;
  for (const auto& [key, value] : texts) object[key] = value;
  return object;
}

bool read_texts(const json::object& from, const char* key, std::map<std::string, std::string>& into) {
  const json::value* members = from.if_contains(key);
  if (!members || !members->is_object()) return false;
  for (const auto& member : members->get_object()) {
    if (!member.value().is_string()) return false;
    into[std::string(std::string_view(member.key()))] = std::string_view(member.value().get_string());
  }
  return true;
}

std::optional<std::string> path_in(const std::string& arguments) {
  const auto members = base::JsonSlices::of(arguments);
  if (!members || !members->has("path")) return std::nullopt;
  auto path = base::unquote(members->raw("path"));
  return path ? std::optional(std::move(path).value()) : std::nullopt;
}

}  // namespace

std::optional<std::string> run_key(const store::RunRecord& record, const RunSettings& settings,
                                   const RunSurroundings& surroundings) {
  if (settings.careful || !settings.chain.empty() || !settings.variables.empty()) return std::nullopt;
  if (settings.config.file_mode != FileMode::kDirect) return std::nullopt;
  const auto context = base::canonical_json(record.context);
  if (!context) return std::nullopt;
  return cache::CacheKey("run")
      .add("principal", record.client)
      .add("language", record.language)
      .add("name", record.name)
      .add("reading", kReading)
      .add("code", record.code)
      .add("context", context.value())
      .add("grants", record.config)
      .add("workspace", surroundings.workspace)
      .add("policy", surroundings.policy)
      .add("check", surroundings.check)
      .hex();
}

std::string to_json(const ResultConditions& parts) {
  json::object object;
  object["definitions"] = texts_json(parts.definitions);
  object["files"] = texts_json(parts.files);
  return json::serialize(object);
}

std::optional<ResultConditions> run_parts_of(std::string_view text) {
  json::error_code error;
  const json::value tree = json::parse(json::string_view(text.data(), text.size()), error);
  ResultConditions parts;
  if (error || !tree.is_object() || !read_texts(tree.get_object(), "definitions", parts.definitions) ||
      !read_texts(tree.get_object(), "files", parts.files)) {
    return std::nullopt;
  }
  return parts;
}

bool files_are_the_same(const ResultConditions& parts, const SandboxConfig& config) {
  std::size_t most = kMostFileBytes;
  return std::all_of(parts.files.begin(), parts.files.end(),
                     [&](const auto& file) { return calls::digest_of_file(config, file.first, most) == file.second; });
}

std::optional<ResultConditions> cacheable_parts(const Outcome& outcome, const std::vector<JournalEntry>& journal,
                                                std::map<std::string, std::string> definitions) {
  const Metrics& metrics = outcome.metrics;
  if (!outcome.ok() || metrics.used_clock || metrics.used_random || metrics.logs_truncated) return std::nullopt;
  if (outcome.changes.exists() || !outcome.diagnostics.empty() || !outcome.nested.empty() ||
      !outcome.degraded.empty()) {
    return std::nullopt;
  }
  // Recordings omit some calls; here each must be known.
  for (const JournalEntry& entry : journal) {
    if (entry.kind == JournalEntry::Kind::kCall && !may_serve_again(entry.op)) return std::nullopt;
  }
  const auto calls = recorded_calls(journal);
  if (!calls) return std::nullopt;
  ResultConditions parts;
  parts.definitions = std::move(definitions);
  std::size_t bytes = 0;
  for (const RecordedCall& call : calls.value()) {
    if (!call.is_answered || !call.ok) return std::nullopt;
    if (call.op != "fs.read") continue;
    auto path = path_in(call.arguments);
    bytes += call.bytes.size();
    if (!path || bytes > kMostFileBytes) return std::nullopt;
    std::string digest = base::sha256_hex(call.bytes);
    const auto [known, is_new] = parts.files.emplace(std::move(*path), digest);
    if (!is_new && known->second != digest) return std::nullopt;  // it changed while the code ran
    if (parts.files.size() > kMostFiles) return std::nullopt;
  }
  return parts;
}

std::string kept_outcome(const Outcome& outcome) {
  using base::ListText;
  ListText logs;
  for (const LogLine& line : outcome.logs)
    logs.json(ListText().json(std::to_string(static_cast<int>(line.level))).text(line.text).done());
  ListText trace;
  for (const TraceEntry& entry : outcome.trace) {
    ListText kept;
    kept.text(entry.op).text(entry.target).text(entry.arguments).json(std::to_string(entry.bytes));
    trace.json(kept.done());
  }
  return base::ObjectText()
      .json("result", outcome.result_json())
      .json("logs", logs.done())
      .json("trace", trace.done())
      .number("logBytes", outcome.metrics.log_bytes)
      .number("calls", outcome.metrics.calls)
      .number("toolCalls", outcome.metrics.tool_calls)
      .number("toolResultBytes", outcome.metrics.tool_result_bytes)
      .done();
}

std::optional<Outcome> outcome_of_kept(std::string_view text, const store::RunRecord& record) {
  constexpr base::SliceOptions kWhole{.max_depth = 1100};
  const auto members = base::JsonSlices::of(text, kWhole);
  if (!members || !members->has("result")) return std::nullopt;
  const auto tree_of = [&](const char* key) {
    json::error_code error;
    const std::string_view raw = members->raw(key);
    json::value tree = json::parse(json::string_view(raw.data(), raw.size()), error);
    return error ? json::value() : tree;
  };
  const auto number_of = [&](const char* key) {
    const json::value tree = tree_of(key);
    return tree.is_int64() ? static_cast<std::size_t>(tree.get_int64()) : std::size_t{0};
  };
  const auto texts_of = [](const json::array& items, std::size_t from, std::size_t count) -> std::vector<std::string> {
    std::vector<std::string> texts;
    for (std::size_t i = from; i < from + count && i < items.size(); ++i) {
      if (items[i].is_string()) texts.emplace_back(std::string_view(items[i].get_string()));
    }
    return texts;
  };
  Outcome outcome;
  outcome.ending = Finished{std::string(members->raw("result"))};
  const json::value logs = tree_of("logs");
  const json::value trace = tree_of("trace");
  if (!logs.is_array() || !trace.is_array()) return std::nullopt;
  for (const json::value& item : logs.get_array()) {
    if (!item.is_array() || item.get_array().size() != 2 || !item.get_array()[0].is_int64()) return std::nullopt;
    const auto said = texts_of(item.get_array(), 1, 1);
    const std::int64_t level = item.get_array()[0].get_int64();
    if (said.size() != 1 || level < 0 || level > static_cast<int>(LogLevel::kError)) return std::nullopt;
    outcome.logs.push_back({static_cast<LogLevel>(level), said[0]});
  }
  for (const json::value& item : trace.get_array()) {
    if (!item.is_array() || item.get_array().size() != 4 || !item.get_array()[3].is_int64()) return std::nullopt;
    const auto said = texts_of(item.get_array(), 0, 3);
    if (said.size() != 3) return std::nullopt;
    TraceEntry entry;
    entry.op = said[0];
    entry.target = said[1];
    entry.arguments = said[2];
    entry.bytes = static_cast<std::uint64_t>(item.get_array()[3].get_int64());
    entry.cached = true;
    outcome.trace.push_back(std::move(entry));
  }
  Metrics& metrics = outcome.metrics;
  metrics.cached = true;
  metrics.used_clock = metrics.used_random = false;
  metrics.result_bytes = outcome.result_json().size();
  metrics.log_bytes = number_of("logBytes");
  metrics.calls = number_of("calls");
  metrics.tool_calls = number_of("toolCalls");
  metrics.tool_result_bytes = number_of("toolResultBytes");
  metrics.seed = record.seed;
  metrics.now_ms = record.now;
  return outcome;
}

}  // namespace glovebox::gateway
