// RowSeal: the keyed digest of rows that grant something: a run with its code and grants, a question to a person, an
// answer, a rule. A program that can write the database but lacks the key, which lies outside, cannot make one.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "store/nodes.h"
#include "store/records.h"

namespace glovebox::store {

using RowKey = std::array<std::uint8_t, 32>;

class RowSeal {
 public:
  explicit RowSeal(const RowKey& key) : key_(key) {}

  // What does not change in the life of a run.
  std::string of(const RunRecord& run) const;
  // The card; its calls have digests of their own.
  std::string of(const ApprovalRecord& approval) const;
  // As it was asked, or as it was answered.
  std::string of(const std::string& approval, const ApprovalCall& call) const;
  std::string of(const AnswerRecord& answer) const;
  std::string of(const RememberedRule& rule) const;
  std::string of(const NodeRequest& request) const;

 private:
  // HMAC-SHA-256 in hexadecimal. Each part goes with its length, so that no two lists of parts are the same bytes.
  std::string digest(std::initializer_list<std::string_view> parts) const;

  RowKey key_;
};

}  // namespace glovebox::store
