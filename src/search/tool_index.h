// The tools of a catalogue, found by intent. Incremental; nothing here knows where tools come from.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "search/calibration.h"
#include "search/query.h"
#include "search/tool_text.h"

namespace glovebox::search {

struct Hit {
  std::uint32_t id;
  double score;        // 0 to 1, comparable between catalogues: how sure search is that the tool serves
  double lexical;      // 0 to 1: how much of the query's words the tool has, see LexicalIndex
  double dense;        // cosine with the text or the clause; 0 without vectors
  std::size_t clause;  // which clause it serves best: an index into Query::vectors, 0 is the whole text
};

// Below it a tool is more likely unrelated than useful: it is shown as weak.
inline constexpr double kDefaultThreshold = 0.5;

// The best tool is as certain as the most certain of so many: those that follow it closely are of the same kind.
inline constexpr std::size_t kCompared = 3;

// One thread at a time may use an index.
class ToolIndex {
 public:
  ToolIndex();
  ~ToolIndex();
  ToolIndex(ToolIndex&&) noexcept;
  ToolIndex& operator=(ToolIndex&&) noexcept;

  // Replaces the tool of this id, and its vector. Ids are small: the caller's own numbering. To replace many, remove()
  // them together first.
  void put(std::uint32_t id, const ToolText& tool);
  // All vectors have the same length, the encoder's; another length drops the existing ones. Without a put() it is
  // ignored. A tool without a vector is found by its words.
  void set_vector(std::uint32_t id, std::span<const float> vector);
  void remove(std::span<const std::uint32_t> ids);
  // Of the model that makes the vectors; by default MiniLM's.
  void set_scale(const CosineScale& scale);

  // The best first, at most `most`, those that `may` allows; scores never increase down the list. The caller applies a
  // threshold. `may` is called only for tools that would be returned, or are among the first few.
  std::vector<Hit> search(const Query& query, std::size_t most, const std::function<bool(std::uint32_t)>& may) const;

  std::size_t size() const;
  std::size_t bytes() const;  // approximate memory use

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace glovebox::search
