// What leaves for an agent or a log, without what is private.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "privacy/detector.h"
#include "privacy/token_vault.h"

namespace glovebox::privacy {

enum class Mode {
  kOff,       // everything passes
  kDetect,    // everything but secrets passes, and what was seen is told
  kTokenize,  // tokens pass
  kBlock,     // what holds private data does not pass
};
std::optional<Mode> mode_named(std::string_view name);
std::string_view name_of(Mode mode);

struct Filtered {
  std::string text;
  std::array<std::uint32_t, kEntityCount> found{};

  bool any() const;
  // {"EMAIL_ADDRESS":2}
  std::string counts() const;
};

class Filter {
 public:
  // Without a vault there is no way back: <EMAIL>.
  Filter(std::shared_ptr<const Detector> detector, std::shared_ptr<TokenVault> vault, Mode mode);

  // A text as such. `context` is what stands before it, such as its key: it is read and not repeated.
  Filtered text(std::string text, std::string_view context = {}) const;
  // Well-formed JSON: it stays so, and strings stay strings. A number that is private becomes one.
  Filtered json(std::string json) const;

  Mode mode() const { return mode_; }

 private:
  bool replaces(const Finding& finding) const;
  std::string token(const Finding& finding, std::string_view surface) const;

  std::shared_ptr<const Detector> detector_;
  std::shared_ptr<TokenVault> vault_;
  Mode mode_;
};

// Lines of one log in their order: a private key is told line by line, and a value may lie across two.
class LineFilter {
 public:
  explicit LineFilter(std::shared_ptr<const Filter> filter) : filter_(std::move(filter)) {}
  // The line without what is private; of a key's lines behind the first, nothing. Of a value whose beginning has gone
  // out with the line before, the rest stays here.
  std::string text(std::string line);
  // The same for a line that is a JSON text.
  std::string json(std::string line);

 private:
  bool is_within_key(std::string_view line);
  std::shared_ptr<const Filter> filter_;
  bool within_key_ = false;
  std::string last_;  // the end of the line before, as it was
};

}  // namespace glovebox::privacy
