// A person's answer to an approval request, parsed from a typed line or from the form that their client sent back.
// Whatever is not clearly an approval is none.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "store/records.h"

namespace glovebox::gateway {

struct Reply {
  bool approved = false;
  store::Scope scope = store::Scope::kOnce;
};
// A line of a terminal; nothing if it has no meaning. `word` is what approves: "y", or digits.
std::optional<Reply> typed_reply(std::string_view line, std::string_view word, bool can_be_remembered);

struct FormReply {
  bool accepted = false;  // the form was not declined
  std::string decision;
  std::string reason;
  store::Scope scope = store::Scope::kOnce;  // beyond once only with an approval

  bool approved() const { return accepted && decision == "approve"; }
};
// The result of an elicitation. Nothing if the form was closed: that decides nothing.
std::optional<FormReply> form_reply(const boost::json::object& result);

}  // namespace glovebox::gateway
