// ToolFinder: which of the catalog's tools serve an intent. It follows the catalog, embeds each definition once and
// keeps the vector in the store, and never returns what cannot be used or is denied.
//
// On one thread, the executor's; embedding happens elsewhere. No callback runs before the function that takes it
// returns. The catalog and the store outlive it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "discovery/embedder.h"
#include "discovery/learned_uses.h"
#include "store/store.h"

namespace glovebox::discovery {

struct FinderOptions {
  std::vector<std::unique_ptr<Embedder>> embedders;  // the first that works is used; none: words alone
  std::function<bool(const std::string& server, const std::string& tool)> is_denied;
  bool learn = true;
  std::function<std::int64_t()> now;                        // milliseconds since 1970; empty: the system's clock
  std::chrono::milliseconds retry_interval{5 * 60 * 1000};  // interval for retrying an embedder that has failed
  std::function<void(const std::string&)> on_notice;        // what the owner should know
  std::function<void(std::size_t done, std::size_t of)> on_progress;  // of tools that are embedded for the first time
};

struct Wish {
  std::string intent;  // empty: all tools, by name
  std::size_t most = 5;
  std::string server;  // of this one only
  std::string user;    // whose earlier uses count; empty: none do
  std::function<bool(const std::string& server, const std::string& tool)> may;  // further conditions
  // How long it may wait for the model, and for a few tools that are not embedded yet; after that those are found by
  // their words. For many tools it waits only if it is to be thorough.
  std::chrono::milliseconds patience{3000};
  bool thorough = false;
};

struct FoundTool {
  catalog::Tool tool;
  double score = 0;   // 0 to 1, with the boost
  bool weak = false;  // probably not useful, although it is among the best
  double lexical = 0;
  double dense = 0;
  double boost = 0;                  // what earlier uses add
  std::string clause;                // the part of the intent that it serves; empty: all of it
  std::vector<std::string> because;  // earlier intents that it served
};

struct Findings {
  std::vector<FoundTool> tools;  // the best first, as many as were asked for; those that are weak come last
  std::string model;             // empty: by words alone
  std::string trouble;           // why another model than the one that was asked for is used
  std::size_t waiting = 0;       // tools that are not embedded yet
  std::string language;          // of the intent, where it is not English
};

struct IndexState {
  std::size_t tools = 0;
  std::size_t waiting = 0;     // not embedded yet
  std::uint64_t embedded = 0;  // texts of tools that this finder had embedded
  std::uint64_t kept = 0;      // vectors that the store had
  std::string model;
};

class ToolFinder {
 public:
  static std::unique_ptr<ToolFinder> create(boost::asio::any_io_executor executor,
                                            std::shared_ptr<catalog::Catalog> catalog, store::Store& store,
                                            FinderOptions options);
  virtual ~ToolFinder() = default;

  virtual void search(Wish wish, std::function<void(Findings)> done) = 0;
  // The catalog has changed.
  virtual void tools_changed() = 0;
  // A program that was for this intent has ended, and these calls of its succeeded.
  struct UsedTool {
    std::string server;
    std::string tool;  // a name or an alias
    bool operator==(const UsedTool&) const = default;
  };
  virtual void learn(const std::string& user, const std::string& intent, const std::vector<UsedTool>& tools) = 0;
  // The config has changed.
  virtual void set_learn(bool learn) = 0;
  virtual void set_embedders(std::vector<std::unique_ptr<Embedder>> embedders) = 0;

  virtual IndexState state() const = 0;
};

}  // namespace glovebox::discovery
