#include "discovery/tool_finder.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/characters/ascii.h"
#include "base/text/utf8.h"
#include "base/wall_clock.h"
#include "catalog/pins/definition.h"
#include "discovery/embedder_choice.h"
#include "discovery/embedding_queue.h"
#include "discovery/query_vectors.h"
#include "discovery/server_words.h"
#include "discovery/stored_vectors.h"
#include "discovery/tool_ids.h"
#include "discovery/user_uses.h"
#include "search/calibration.h"
#include "search/text/language.h"
#include "search/tool_index.h"

namespace glovebox::discovery {
namespace {

using catalog::Tool;

// When servers start, the catalog changes several times in a row.
constexpr std::chrono::milliseconds kGather{50};

// So few waiting tools are embedded so soon that a search waits for them. With more it is answered at once, by words
// and by the vectors that are there.
constexpr std::size_t kSoonEmbedded = 100;

constexpr std::size_t kMostQueryVectors = 500;
constexpr std::size_t kMostWishBytes = 16 << 10;  // that are compared with all that was learned

class Finder final : public ToolFinder {
 public:
  Finder(boost::asio::any_io_executor executor, std::shared_ptr<catalog::Catalog> catalog, store::Store& store,
         FinderOptions options)
      : executor_(executor),
        catalog_(std::move(catalog)),
        options_(std::move(options)),
        vectors_(executor, store, options_.on_notice),
        uses_(executor, store, [this] { tell_ready(); }),
        gather_timer_(executor) {
    if (!options_.now) options_.now = base::now_ms;
    vectors_.prune(options_.now());
    set_embedders(std::move(options_.embedders));
    dirty_ = true;
  }

  void search(Wish wish, std::function<void(Findings)> done) override {
    refresh();
    wish.intent.resize(base::beginning_of(wish.intent, kMostWishBytes).size());
    if (base::is_blank(wish.intent)) {
      return boost::asio::post(executor_, [this, alive = alive_, wish = std::move(wish), done = std::move(done)] {
        if (*alive) done(list(wish));
      });
    }
    auto asked = std::make_shared<Asked>(Asked{std::move(wish), {}, std::move(done)});
    asked->query = search::split_query(asked->wish.intent);
    if (options_.learn) uses_.read(asked->wish.user);
    when_ready(asked);
  }

  void tools_changed() override {
    if (std::exchange(dirty_, true)) return;
    gather_timer_.expires_after(kGather);
    gather_timer_.async_wait([this, alive = alive_](const boost::system::error_code& error) {
      if (!error && *alive) refresh();
    });
  }

  void learn(const std::string& user, const std::string& intent, const std::vector<UsedTool>& tools) override;
  void set_learn(bool learn) override { options_.learn = learn; }

  void set_embedders(std::vector<std::unique_ptr<Embedder>> embedders) override {
    choice_ = std::make_unique<EmbedderChoice>(executor_, std::move(embedders), options_.retry_interval,
                                               EmbedderChoice::Events{[this] { start_over(); }, options_.on_notice});
    ++generation_;
    choice_->start();
    // Queries to the former embedder are repeated.
    for (const auto& asked : std::exchange(asking_, {})) when_ready(asked);
  }

  IndexState state() const override { return {index_.size(), waiting(), embedded_, kept_, choice_->model()}; }

  ~Finder() override { *alive_ = false; }

 private:
  // A tool that can be found.
  struct Entry {
    std::string server;
    std::string name;
    std::string hash;
    std::string text_hash;
    std::uint64_t version = 0;  // of what is indexed under this id
    bool used = false;
    bool seen = false;
  };
  struct Asked {
    Wish wish;
    search::Query query;
    std::function<void(Findings)> done;
  };

  std::size_t waiting() const { return queue_.size() + under_way_; }
  bool is_ready(const Wish& wish) const {
    return !dirty_ && choice_->is_settled() && !measuring_ && lookups_ == 0 && !uses_.is_reading(wish.user) &&
           (waiting() == 0 || (!wish.thorough && waiting() > kSoonEmbedded));
  }
  void when_ready(const std::shared_ptr<Asked>& asked);
  void tell_ready();

  void refresh();
  void start_over(std::size_t dimensions = 0);
  void remove_unseen();
  std::uint32_t index_tool(const Tool& tool, const std::string& about_server);
  void find_vectors(const std::vector<std::uint32_t>& ids);
  void found_vectors(const std::vector<std::uint32_t>& ids, const StoredVectors::Records& found);
  void set_vector(std::uint32_t id, const std::vector<float>& vector);
  bool check_dimensions(std::size_t dimensions);
  void measure_scale();
  void use_scale(const search::CosineScale& scale);
  void embed_next();
  void embed_batch(std::vector<WaitingText> batch);
  void embedded(const std::vector<WaitingText>& batch, const Result<Vectors>& vectors);

  void embed_query(const std::shared_ptr<Asked>& asked);
  Findings find(const Asked& asked);
  Findings list(const Wish& wish);
  bool may(const Wish& wish, const std::string& server, const std::string& tool) const;

  boost::asio::any_io_executor executor_;
  std::shared_ptr<catalog::Catalog> catalog_;
  FinderOptions options_;
  StoredVectors vectors_;
  UserUses uses_;
  std::unique_ptr<EmbedderChoice> choice_;
  std::uint64_t generation_ = 0;  // counts changes of the model

  search::ToolIndex index_;
  std::vector<Entry> entries_;  // by id
  ToolIds ids_;
  std::uint64_t versions_ = 0;
  std::size_t dimensions_ = 0;  // of the model in use; 0: not known yet
  search::CosineScale scale_;   // likewise
  bool measuring_ = false;
  std::size_t lookups_ = 0;  // in the store, under way

  EmbeddingQueue queue_;
  std::size_t batches_ = 0;    // that are being embedded
  std::size_t under_way_ = 0;  // tools in them
  std::size_t progress_done_ = 0;
  std::uint64_t embedded_ = 0;
  std::uint64_t kept_ = 0;

  bool dirty_ = false;
  boost::asio::steady_timer gather_timer_;
  struct Waiting {
    std::shared_ptr<Asked> asked;
    std::shared_ptr<boost::asio::steady_timer> timer;  // of its patience
  };
  std::vector<Waiting> waiting_;
  QueryVectors query_vectors_{kMostQueryVectors};
  std::vector<std::shared_ptr<Asked>> asking_;  // queries that are being embedded
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

std::string key_of(const std::string& server, const std::string& tool) {
  return server + "." + tool;
}

// --- following the catalog

void Finder::refresh() {
  if (!std::exchange(dirty_, false)) return;
  gather_timer_.cancel();
  for (Entry& entry : entries_) entry.seen = false;
  const std::vector<Tool> tools = catalog_->known_tools();
  std::vector<const Tool*> fresh;
  for (const Tool& tool : tools) {
    if (tool.state != Tool::State::kUsable || catalog::is_built_in(tool.name)) continue;
    const std::uint32_t* known = ids_.find(key_of(tool.server, tool.name));
    if (known && entries_[*known].hash == tool.hash) {
      entries_[*known].seen = true;
    } else {
      fresh.push_back(&tool);
    }
  }
  remove_unseen();
  const auto servers = server_words(*catalog_);
  std::vector<std::uint32_t> ids;
  for (const Tool* tool : fresh) {
    const auto server = servers.find(tool->owner.empty() ? tool->server : tool->owner);
    ids.push_back(index_tool(*tool, server == servers.end() ? "" : server->second));
  }
  find_vectors(ids);
}

// Those that are gone or have changed.
void Finder::remove_unseen() {
  std::vector<std::uint32_t> gone;
  for (std::uint32_t id = 0; id < entries_.size(); ++id) {
    Entry& entry = entries_[id];
    if (!entry.used || entry.seen) continue;
    queue_.remove(id);
    ids_.remove(key_of(entry.server, entry.name));
    entry = {};
    gone.push_back(id);
  }
  index_.remove(gone);
}

std::uint32_t Finder::index_tool(const Tool& tool, const std::string& about_server) {
  const std::uint32_t id = ids_.put(key_of(tool.server, tool.name));
  if (entries_.size() <= id) entries_.resize(id + 1);
  const search::ToolText text =
      search::tool_text(tool.server, tool.name, tool.description, tool.input_schema, about_server);
  index_.put(id, text);
  std::string words = search::embedding_text(text);
  entries_[id] = {tool.server, tool.name, tool.hash, catalog::sha256_text(words), ++versions_, true, true};
  queue_.put({id, versions_, tool.server, std::move(words)});
  return id;
}

// Loads the stored vectors of those that wait to be embedded.
void Finder::find_vectors(const std::vector<std::uint32_t>& ids) {
  if (!choice_->model().empty() && !ids.empty()) {
    StoredVectors::Records wanted;
    for (const std::uint32_t id : ids) wanted.push_back({entries_[id].hash, entries_[id].text_hash, ""});
    ++lookups_;
    vectors_.find(choice_->model(), std::move(wanted), options_.now(),
                  [this, generation = generation_, ids](const StoredVectors::Records& found) {
                    if (generation == generation_) found_vectors(ids, found);
                  });
  }
  embed_next();
  tell_ready();
}

void Finder::found_vectors(const std::vector<std::uint32_t>& ids, const StoredVectors::Records& found) {
  --lookups_;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Entry& entry = entries_[ids[i]];
    if (entry.hash != found[i].definition || entry.text_hash != found[i].text) continue;  // it has changed meanwhile
    const std::vector<float> vector = vector_of(found[i].vector);
    if (vector.empty() || (dimensions_ != 0 && vector.size() != dimensions_)) continue;
    set_vector(ids[i], vector);
    queue_.remove(ids[i]);
    ++kept_;
  }
  embed_next();
  tell_ready();
}

void Finder::set_vector(std::uint32_t id, const std::vector<float>& vector) {
  dimensions_ = vector.size();
  index_.set_vector(id, vector);
}

// Vectors of two models cannot be compared. While there are none, what is indexed by its words stays.
void Finder::start_over(std::size_t dimensions) {
  ++generation_;
  query_vectors_.clear();
  std::vector<std::uint32_t> indexed;
  if (under_way_ == 0 && queue_.size() == ids_.size()) {
    for (std::uint32_t id = 0; id < entries_.size(); ++id)
      if (entries_[id].used) indexed.push_back(id);
  } else {
    index_ = search::ToolIndex();
    entries_.clear();
    ids_ = {};
    queue_ = {};
    dirty_ = true;
  }
  batches_ = 0;
  under_way_ = 0;
  lookups_ = 0;
  progress_done_ = 0;
  dimensions_ = dimensions;
  scale_ = {};
  measuring_ = false;
  if (!choice_->model().empty() && !choice_->is_calibrated()) measure_scale();
  // In this order: stored vectors must be known before any of these is embedded.
  find_vectors(indexed);
  refresh();
}

// Measures where the model puts related and unrelated texts: models differ, and scores must not depend on that.
void Finder::measure_scale() {
  measuring_ = true;
  vectors_.find_scale(choice_->model(), options_.now(), [this, generation = generation_](const auto& known) {
    if (generation != generation_) return;
    if (known) return use_scale(*known);
    choice_->embed(search::scale_texts(), Embedder::Purpose::kTools,
                   [this, alive = alive_, generation](const Result<Vectors>& vectors) {
                     if (!*alive || generation != generation_ || !vectors) return;
                     const auto scale = search::scale_of(*vectors);
                     if (!scale) {
                       measuring_ = false;
                       return choice_->refuse(scale.failure());
                     }
                     vectors_.keep_scale(choice_->model(), *scale, options_.now());
                     use_scale(*scale);
                   });
  });
}

void Finder::use_scale(const search::CosineScale& scale) {
  measuring_ = false;
  index_.set_scale(scale_ = scale);
  embed_next();
  tell_ready();
}

// A model whose vectors have other dimensions than those in the store is another one, whatever its name.
bool Finder::check_dimensions(std::size_t dimensions) {
  if (dimensions_ == 0 || dimensions_ == dimensions) return true;
  start_over(dimensions);
  return false;
}

// --- embedding tools

void Finder::embed_next() {
  if (measuring_ || lookups_ > 0 || !choice_->is_settled()) return;
  if (choice_->model().empty()) queue_ = {};
  while (!queue_.empty() && batches_ < choice_->lanes()) embed_batch(queue_.take(choice_->batch()));
}

void Finder::embed_batch(std::vector<WaitingText> batch) {
  ++batches_;
  under_way_ += batch.size();
  if (options_.on_progress) options_.on_progress(progress_done_, progress_done_ + under_way_ + queue_.size());
  std::vector<std::string> texts;
  for (WaitingText& one : batch) texts.push_back(std::move(one.text));
  choice_->embed(
      std::move(texts), Embedder::Purpose::kTools,
      [this, alive = alive_, generation = generation_, batch = std::move(batch)](const Result<Vectors>& made) {
        if (*alive && generation == generation_) embedded(batch, made);
      });
}

void Finder::embedded(const std::vector<WaitingText>& batch, const Result<Vectors>& vectors) {
  --batches_;
  under_way_ -= batch.size();
  // Another model is about to be used, and everything starts over with it.
  if (!vectors || vectors->size() != batch.size()) return;
  if (!check_dimensions(vectors->front().size())) return;
  std::vector<store::VectorRecord> records;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::vector<float>& vector = (*vectors)[i];
    const Entry& entry = entries_[batch[i].id];
    ++embedded_;
    if (entry.version != batch[i].version) continue;  // it has changed meanwhile
    set_vector(batch[i].id, vector);
    records.push_back({entry.hash, entry.text_hash, vector_bytes(vector)});
  }
  progress_done_ += batch.size();
  vectors_.keep(choice_->model(), std::move(records), options_.now());
  if (queue_.empty() && batches_ == 0) {
    if (options_.on_progress) options_.on_progress(progress_done_, progress_done_);
    progress_done_ = 0;
  }
  embed_next();
  tell_ready();
}

void Finder::when_ready(const std::shared_ptr<Asked>& asked) {
  auto timer = std::make_shared<boost::asio::steady_timer>(executor_, asked->wish.patience);
  timer->async_wait([this, alive = alive_, asked](const boost::system::error_code&) {
    if (!*alive || std::erase_if(waiting_, [&](const auto& one) { return one.asked == asked; }) == 0) return;
    embed_query(asked);
  });
  waiting_.push_back({asked, std::move(timer)});
  tell_ready();
}

void Finder::tell_ready() {
  for (const auto& [asked, timer] : waiting_)
    if (is_ready(asked->wish)) timer->cancel();
}

// --- searching

void Finder::embed_query(const std::shared_ptr<Asked>& asked) {
  refresh();
  if (choice_->model().empty()) return asked->done(find(*asked));
  const std::vector<std::string> missing = query_vectors_.begin(asked->query);
  if (missing.empty()) return asked->done(find(*asked));
  asking_.push_back(asked);
  choice_->embed(missing, Embedder::Purpose::kQuery,
                 [this, alive = alive_, generation = generation_, asked, missing](Result<Vectors> made) {
                   if (!*alive) return;
                   std::erase(asking_, asked);
                   if (generation == generation_ && made && made->size() == missing.size()) {
                     check_dimensions(made->front().size());
                     query_vectors_.complete(asked->query, missing, std::move(made).value());
                     return asked->done(find(*asked));
                   }
                   // It has failed or was replaced meanwhile. Each failure leads to the next embedder, and in the end
                   // to none.
                   when_ready(asked);
                 });
}

bool Finder::may(const Wish& wish, const std::string& server, const std::string& tool) const {
  if (!wish.server.empty() && server != wish.server) return false;
  if (options_.is_denied && options_.is_denied(server, tool)) return false;
  return !wish.may || wish.may(server, tool);
}

Findings Finder::find(const Asked& asked) {
  const Wish& wish = asked.wish;
  Findings findings{{}, choice_->model(), choice_->trouble(), waiting(), ""};
  findings.language = search::foreign_language(wish.intent);
  const auto allowed = [&](std::uint32_t id) { return may(wish, entries_[id].server, entries_[id].name); };
  std::map<std::string, UseEvidence> evidence;
  if (const LearnedUses* uses = options_.learn ? uses_.of(wish.user) : nullptr) {
    AskedIntent intent{wish.intent, "", {}, {}};
    if (!asked.query.vectors.empty()) {
      intent.model = findings.model;
      intent.vector = asked.query.vectors.front();
      intent.scale = scale_;
    }
    evidence = uses->about(intent);
  }
  // More than asked for, so that those that a boost may lift are included.
  for (const search::Hit& hit : index_.search(asked.query, wish.most * 2 + 10, allowed)) {
    const Entry& entry = entries_[hit.id];
    FoundTool found;
    found.score = hit.score;
    found.lexical = hit.lexical;
    found.dense = hit.dense;
    if (hit.clause > 0 && hit.clause <= asked.query.clauses.size()) found.clause = asked.query.clauses[hit.clause - 1];
    if (const auto learned = evidence.find(key_of(entry.server, entry.name)); learned != evidence.end()) {
      found.boost = boost_of(learned->second);
      found.score += found.boost;
      found.because = learned->second.intents;
    }
    found.weak = found.score < search::kDefaultThreshold;
    // A person at the command line may have changed pins since the catalog was last read.
    auto tool = catalog_->known(entry.server, entry.name);
    if (!tool || tool->state != Tool::State::kUsable || tool->hash != entry.hash) continue;
    found.tool = std::move(*tool);
    findings.tools.push_back(std::move(found));
  }
  std::stable_sort(findings.tools.begin(), findings.tools.end(),
                   [](const FoundTool& a, const FoundTool& b) { return a.score > b.score; });
  if (findings.tools.size() > wish.most) findings.tools.resize(wish.most);
  for (FoundTool& found : findings.tools) found.score = std::min(found.score, 1.0);
  return findings;
}

Findings Finder::list(const Wish& wish) {
  Findings findings;
  findings.model = choice_->model();
  for (Tool& tool : catalog_->known_tools()) {
    if (tool.state == Tool::State::kUsable && !catalog::is_built_in(tool.name) && may(wish, tool.server, tool.name))
      findings.tools.push_back({.tool = std::move(tool)});
  }
  std::stable_sort(findings.tools.begin(), findings.tools.end(), [](const FoundTool& a, const FoundTool& b) {
    return std::tie(a.tool.server, a.tool.name) < std::tie(b.tool.server, b.tool.name);
  });
  if (findings.tools.size() > wish.most) findings.tools.resize(wish.most);
  return findings;
}

// --- learning

void Finder::learn(const std::string& user, const std::string& intent, const std::vector<UsedTool>& tools) {
  if (!options_.learn || user.empty()) return;
  const UsedTools used = worth_learning(*catalog_, intent, tools);
  if (used.empty()) return;
  const auto keep = [this, user, intent, used](const std::string& model, const std::string& vector) {
    for (const auto& [server, tool] : used) uses_.add({user, server, tool, intent, model, vector, 1, options_.now()});
  };
  if (choice_->model().empty()) return keep("", "");
  choice_->embed({intent}, Embedder::Purpose::kQuery,
                 [keep, alive = alive_, model = choice_->model()](const Result<Vectors>& vectors) {
                   if (!*alive) return;
                   if (!vectors || vectors->empty()) return keep("", "");
                   keep(model, vector_bytes(vectors->front()));
                 });
}

}  // namespace

std::unique_ptr<ToolFinder> ToolFinder::create(boost::asio::any_io_executor executor,
                                               std::shared_ptr<catalog::Catalog> catalog, store::Store& store,
                                               FinderOptions options) {
  return std::make_unique<Finder>(std::move(executor), std::move(catalog), store, std::move(options));
}

}  // namespace glovebox::discovery
