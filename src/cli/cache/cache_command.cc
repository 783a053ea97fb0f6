#include "cli/cache/cache_command.h"

#include <memory>

#include "base/text/json_text.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "workspace/report.h"
#include "workspace/with_store.h"
#include "workspace/workspace.h"

namespace glovebox::cli {
namespace {

struct CacheOptions {
  WorkspaceFlags where;
  std::string key;
};

// Of a key, on a terminal; enough to name it again.
constexpr std::size_t kShownKey = 12;

// `with` gets the store and its unexpired entries; both are empty where the workspace has no store.
template <typename With>
int with_entries(const CacheOptions& options, With with) {
  return with_store(options.where, fail_to_read, [&](const Workspace&, store::Store* store) -> int {
    std::vector<store::CacheEntry> entries;
    if (store) {
      auto listed = store->list_cached(base::now_ms());
      if (!listed) return fail_to_read(listed.failure(), options.where.json);
      entries = std::move(listed).value();
    }
    return with(store, entries);
  });
}

std::string seconds_left(const store::CacheEntry& entry) {
  return std::to_string((entry.expires - base::now_ms() + 999) / 1000);
}

std::string entry_summary(const store::CacheEntry& entry) {
  ObjectText out;
  out.text("key", entry.key).text("kind", entry.kind).text("client", entry.principal).text("about", entry.about);
  out.number("bytes", entry.bytes).number("created", entry.created).number("expires", entry.expires);
  return out.number("used", entry.used).number("hits", entry.hits).done();
}

int list_entries(const CacheOptions& options) {
  return with_entries(options, [&](store::Store*, const std::vector<store::CacheEntry>& entries) -> int {
    if (options.where.json) {
      print_json(ObjectText().flag("ok", true).json("entries", json_list(entries, entry_summary)).done());
      return kOk;
    }
    for (const store::CacheEntry& entry : entries) {
      print_line(entry.key.substr(0, kShownKey) + "\t" + entry.kind + "\t" + std::to_string(entry.hits) + " hits\t" +
                 std::to_string(entry.bytes) + " bytes\t" + seconds_left(entry) + " s left\t" +
                 first_line(entry.about, 60));
    }
    if (entries.empty()) print_line("The cache is empty.");
    return kOk;
  });
}

// The entry whose key begins so; a failure when there is none, or more than one.
Result<const store::CacheEntry*> find(const std::vector<store::CacheEntry>& entries, const std::string& key) {
  const store::CacheEntry* found = nullptr;
  for (const store::CacheEntry& entry : entries) {
    if (key.empty() || !entry.key.starts_with(key)) continue;
    if (found) return Failure{ErrorCode::kInvalidArgument, "several keys begin with " + key};
    found = &entry;
  }
  if (!found) return Failure{ErrorCode::kNotFound, "there is no entry " + key};
  return found;
}

int show_entry(const CacheOptions& options) {
  const bool json = options.where.json;
  return with_entries(options, [&](store::Store* store, const std::vector<store::CacheEntry>& entries) -> int {
    const auto one = find(entries, options.key);
    if (!one) return fail_with(kUsage, "NOT_FOUND", one.failure().message, json);
    const auto whole = store->find_cached(one.value()->key);
    if (!whole) return fail_to_read(whole.failure(), json);
    if (!whole.value()) return fail_with(kUsage, "NOT_FOUND", "there is no entry " + options.key, json);
    const store::CacheEntry& entry = *whole.value();
    ObjectText whole_entry;
    whole_entry.flag("ok", true).members(entry_summary(entry)).json("dependsOn", entry.parts);
    const std::string out = whole_entry.json("value", entry.value).done();
    print_json(json ? out : base::pretty_json(out));
    return kOk;
  });
}

int purge(const CacheOptions& options) {
  const bool json = options.where.json;
  return with_entries(options, [&](store::Store* store, const std::vector<store::CacheEntry>& entries) -> int {
    std::size_t removed = 0;
    if (!options.key.empty()) {
      const auto one = find(entries, options.key);
      if (!one) return fail_with(kUsage, "NOT_FOUND", one.failure().message, json);
      if (const auto dropped = store->drop_cached(one.value()->key); !dropped)
        return fail_to_read(dropped.failure(), json);
      removed = 1;
    } else if (store) {
      const auto purged = store->purge_cache();
      if (!purged) return fail_to_read(purged.failure(), json);
      removed = purged.value();
    }
    if (json) {
      print_json(ObjectText().flag("ok", true).number("removed", removed).done());
    } else {
      print_line(std::to_string(removed) + " entries were removed.");
    }
    return kOk;
  });
}

int stats(const CacheOptions& options) {
  const bool json = options.where.json;
  return with_entries(options, [&](store::Store* store, const std::vector<store::CacheEntry>& entries) -> int {
    store::CacheCounts counts;
    if (store) {
      const auto counted = store->cache_counts();
      if (!counted) return fail_to_read(counted.failure(), json);
      counts = counted.value();
    }
    std::int64_t bytes = 0;
    for (const store::CacheEntry& entry : entries) bytes += entry.bytes;
    if (json) {
      ObjectText out;
      out.flag("ok", true).number("entries", entries.size()).number("bytes", bytes).number("hits", counts.hits);
      out.number("misses", counts.misses).number("kept", counts.kept).number("evicted", counts.evicted);
      print_json(out.done());
      return kOk;
    }
    print_line(std::to_string(entries.size()) + " entries, " + std::to_string(bytes) + " bytes");
    print_line(std::to_string(counts.hits) + " hits, " + std::to_string(counts.misses) + " misses, " +
               std::to_string(counts.kept) + " results cached, " + std::to_string(counts.evicted) + " evicted");
    return kOk;
  });
}

}  // namespace

void add_cache_command(Command& app) {
  const auto options = std::make_shared<CacheOptions>();
  Command* command = app.add_subcommand("cache", "List, inspect and purge cached results");
  command->require_subcommand();
  const auto add = [&](const char* name, const char* what, int (*run)(const CacheOptions&)) {
    Command* inner = command->add_subcommand(name, what);
    add_workspace_flags(*inner, options->where);
    inner->runs([options, run] { return run(*options); });
    return inner;
  };
  add("ls", "List entries, most recently used first", list_entries);
  add("show", "Show one entry with its value", show_entry)
      ->add_option("key", options->key, "The key, or a unique prefix")
      ->type_name("KEY")
      ->required();
  add("purge", "Remove one entry, or all", purge)
      ->add_option("key", options->key, "The key, or a unique prefix; by default all")
      ->type_name("KEY");
  add("stats", "Show how often results were reused", stats);
}

}  // namespace glovebox::cli
