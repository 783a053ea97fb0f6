#include "store/database/database.h"

namespace glovebox::store {

Statement& Statement::bind(std::string_view text) {
  query_->bind_text(text);
  return *this;
}

Statement& Statement::bind(std::int64_t number) {
  query_->bind_number(number);
  return *this;
}

Statement& Statement::bind(std::optional<std::int64_t> number) {
  query_->bind_number(number);
  return *this;
}

Statement& Statement::bind_blob(std::string_view bytes) {
  query_->bind_blob(bytes);
  return *this;
}

}  // namespace glovebox::store
