// Removes private data from what is sent to an agent or a log.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/twice_said.h"
#include "privacy/detector.h"
#include "privacy/token_vault.h"
#include "privacy/twin_text.h"

namespace glovebox::privacy {

enum class Mode {
  kOff,       // everything passes
  kDetect,    // everything except secrets passes, and findings are counted
  kTokenize,  // tokens pass in place of values
  kBlock,     // texts with private data do not pass
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
  // Without a vault tokens cannot be resolved: <EMAIL>.
  Filter(std::shared_ptr<const Detector> detector, std::shared_ptr<TokenVault> vault, Mode mode);

  // A plain text. `context` is the text before it, such as its key: it is examined and not repeated.
  Filtered text(std::string text, std::string_view context = {}) const;
  // Well-formed JSON: it stays so, and strings stay strings. A private number becomes a string.
  Filtered json(std::string json) const;
  // The same where a text is still to be made from part of it: that is made from what is left.
  Filtered json_said_twice(std::string json, const base::TwiceSaid& places) const;

  Mode mode() const { return mode_; }

 private:
  bool replaces(const Finding& finding) const;
  std::string token(const Finding& finding, std::string_view surface, TokenVault::Time now) const;
  TokenVault::Time now() const { return vault_ ? vault_->now() : TokenVault::Time(); }
  // Nothing if a finding reaches from one part into another.
  std::optional<Filtered> said_twice(const std::string& json, const std::vector<Finding>& findings,
                                     const base::TwiceSaid& places) const;
  // `places`, in ascending order and outside of findings, become those of the filtered text.
  Filtered replaced(const std::string& json, const std::vector<Finding>& findings,
                    std::array<std::size_t, 3>* places) const;

  std::shared_ptr<const Detector> detector_;
  std::shared_ptr<TokenVault> vault_;
  Mode mode_;
};

// Lines of one log in their order: a private key is logged line by line, and a value may span two.
class LineFilter {
 public:
  explicit LineFilter(std::shared_ptr<const Filter> filter) : filter_(std::move(filter)) {}
  // The line without private data; each line of a private key after the first becomes a placeholder. Of a value whose
  // beginning was already sent with the previous line, the rest is replaced here.
  std::string text(std::string line);
  // The same for a line that is a JSON text.
  std::string json(std::string line);

 private:
  bool is_within_key(std::string_view line);
  std::shared_ptr<const Filter> filter_;
  bool within_key_ = false;
  std::string last_;  // the end of the previous line, unfiltered
};

}  // namespace glovebox::privacy
