// RowSeal: the keyed digest of rows that grant something: a run with its code and grants, an approval request, an
// answer, a rule. A program that can write the database but lacks the key, which is kept outside, cannot forge one.
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

  // The fields that do not change while the run exists.
  std::string of(const RunRecord& run) const;
  // The approval request; its calls have digests of their own.
  std::string of(const ApprovalRecord& approval) const;
  // The call as it was asked about, or as it was answered.
  std::string of(const std::string& approval, const ApprovalCall& call) const;
  std::string of(const AnswerRecord& answer) const;
  std::string of(const RememberedRule& rule) const;
  std::string of(const NodeRequest& request) const;

 private:
  // HMAC-SHA-256 in hexadecimal. Each part is prefixed with its length, so that no two lists of parts are the same
  // bytes.
  std::string digest(std::initializer_list<std::string_view> parts) const;

  RowKey key_;
};

}  // namespace glovebox::store
