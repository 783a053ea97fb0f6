// What a caller may do with the API. Each role includes the one before it.
#pragma once

#include <string_view>

#include "mcp/http/caller.h"

namespace glovebox::http_api {

enum class ApiRole {
  kNone,      // agents: the API is for people and their programs
  kViewer,    // sees; private data is left out
  kApprover,  // sees all, and answers
  kOperator,  // cancels and directs
};

inline ApiRole role_of(const mcp::Caller& caller) {
  if (caller.is_operator) return ApiRole::kOperator;
  if (caller.speaks_mcp) return ApiRole::kNone;
  if (caller.answers) return ApiRole::kApprover;
  return caller.sees_runs ? ApiRole::kViewer : ApiRole::kNone;
}

inline std::string_view name_of(ApiRole role) {
  switch (role) {
    case ApiRole::kNone: return "none";
    case ApiRole::kViewer: return "viewer";
    case ApiRole::kApprover: return "approver";
    case ApiRole::kOperator: return "operator";
  }
  return "none";
}

}  // namespace glovebox::http_api
