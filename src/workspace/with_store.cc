#include "workspace/with_store.h"

namespace glovebox::cli {

int fail_to_read(const Failure& failure, bool json) {
  return fail_with(kUnreachable, "STORE_UNAVAILABLE", failure.message, json);
}

int fail_to_change(const Failure& failure, bool json) {
  if (failure.code == ErrorCode::kNotFound) return fail_with(kUsage, "NOT_FOUND", failure.message, json);
  if (failure.code == ErrorCode::kConflict) return fail_with(kToolFailed, "CONFLICT", failure.message, json);
  if (failure.code == ErrorCode::kInvalidArgument) return fail_usage(failure.message, json);
  return fail_to_read(failure, json);
}

}  // namespace glovebox::cli
