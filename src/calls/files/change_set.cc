#include "glovebox/change_set.h"

#include "base/text/json_builder.h"
#include "calls/files/change_layer.h"

namespace glovebox {

std::string_view name_of(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::kCreated: return "created";
    case Change::Kind::kModified: return "modified";
    case Change::Kind::kDeleted: return "deleted";
  }
  return "modified";
}

ChangeSet::ChangeSet(std::shared_ptr<Layer> layer) : layer_(std::move(layer)) {}

const std::vector<Change>& ChangeSet::changes() const {
  static const std::vector<Change> none;
  return layer_ ? layer_->changes() : none;
}

bool ChangeSet::is_committed() const {
  return layer_ && layer_->is_committed();
}

Result<std::string> ChangeSet::content_of(const std::string& path, std::size_t most) const {
  if (!layer_) return Failure{ErrorCode::kNotFound, "there are no changes"};
  return layer_->content_of(path, most);
}

Result<void> ChangeSet::commit(const std::function<bool()>& may_go_on) {
  return layer_ ? layer_->commit(may_go_on) : Result<void>();
}

void ChangeSet::drop() {
  if (layer_) layer_->drop();
}

std::string to_json(const ChangeSet& set) {
  const auto number = [](const std::optional<std::uint64_t>& bytes) { return bytes ? std::to_string(*bytes) : "null"; };
  return base::json_list(set.changes(), [&](const Change& change) {
    return base::ObjectText()
        .text("path", change.path)
        .text("kind", name_of(change.kind))
        .json("bytesBefore", number(change.bytes_before))
        .json("bytesAfter", number(change.bytes_after))
        .done();
  });
}

}  // namespace glovebox
