// Store's tables for search: tool_vectors and tool_uses.
#include "base/try.h"
#include "store/store.h"

namespace glovebox::store {
namespace {

// Precision of a vector's time of last use, in milliseconds: a write for each lookup would be a waste.
constexpr std::int64_t kDay = 24 * 3600 * 1000;

}  // namespace

Result<void> Store::find_vectors(const std::string& model, std::vector<VectorRecord>& wanted, std::int64_t now) {
  std::vector<const VectorRecord*> old;
  GLOVEBOX_TRY_VOID(read([&]() -> Result<void> {
    old.clear();
    for (VectorRecord& one : wanted) {
      auto row = GLOVEBOX_TRY(
          database_->prepare("SELECT vector, used FROM tool_vectors WHERE model = ? AND definition = ? AND text = ?"));
      if (!GLOVEBOX_TRY(row.bind(model).bind(one.definition).bind(one.text).step())) continue;
      one.vector = row.text(0);
      if (now - row.number(1) > kDay) old.push_back(&one);
    }
    return {};
  }));
  if (old.empty()) return {};
  return write({"find_vectors"}, [&]() -> Result<void> {
    for (const VectorRecord* one : old) {
      auto update = GLOVEBOX_TRY(
          database_->prepare("UPDATE tool_vectors SET used = ? WHERE model = ? AND definition = ? AND text = ?"));
      GLOVEBOX_TRY_VOID(update.bind(now).bind(model).bind(one->definition).bind(one->text).run());
    }
    return {};
  });
}

Result<void> Store::keep_vectors(const std::string& model, const std::vector<VectorRecord>& vectors, std::int64_t now) {
  return write({"keep_vectors"}, [&]() -> Result<void> {
    for (const VectorRecord& vector : vectors) {
      auto insert =
          GLOVEBOX_TRY(database_->prepare("INSERT INTO tool_vectors VALUES (?, ?, ?, ?, ?) ON CONFLICT (model, "
                                          "definition, text) DO UPDATE SET vector = "
                                          "excluded.vector, used = excluded.used"));
      insert.bind(model).bind(vector.definition).bind(vector.text).bind_blob(vector.vector);
      GLOVEBOX_TRY_VOID(insert.bind(now).run());
    }
    return {};
  });
}

Result<void> Store::prune_vectors(std::size_t most, std::int64_t before) {
  return write({"prune_vectors"}, [&]() -> Result<void> {
    {
      auto unused = GLOVEBOX_TRY(database_->prepare("DELETE FROM tool_vectors WHERE used < ?"));
      GLOVEBOX_TRY_VOID(unused.bind(before).run());
    }
    auto beyond = GLOVEBOX_TRY(database_->prepare(
        "DELETE FROM tool_vectors WHERE (model, definition, text) NOT IN (SELECT model, definition, text FROM "
        "tool_vectors ORDER BY used DESC, model, definition, text LIMIT ?)"));
    return beyond.bind(static_cast<std::int64_t>(most)).run();
  });
}

Result<void> Store::add_use(const UseRecord& use, std::size_t most) {
  return write({"add_use"}, [&]() -> Result<void> {
    {
      auto insert =
          GLOVEBOX_TRY(database_->prepare("INSERT INTO tool_uses (\"user\", server, tool, intent, model, vector, "
                                          "count, at) VALUES (?, ?, ?, ?, ?, ?, ?, "
                                          "?) "
                                          "ON CONFLICT (\"user\", intent, server, tool) DO UPDATE SET count = "
                                          "tool_uses.count + excluded.count, at = excluded.at, "
                                          "model = excluded.model, vector = excluded.vector"));
      insert.bind(use.user).bind(use.server).bind(use.tool).bind(use.intent).bind(use.model).bind_blob(use.vector);
      GLOVEBOX_TRY_VOID(insert.bind(use.count).bind(use.at).run());
    }
    auto trim =
        GLOVEBOX_TRY(database_->prepare("DELETE FROM tool_uses WHERE \"user\" = ?1 AND id NOT IN (SELECT id FROM "
                                        "tool_uses WHERE \"user\" = ?1 ORDER BY at DESC, id DESC LIMIT ?2)"));
    return trim.bind(use.user).bind(static_cast<std::int64_t>(most)).run();
  });
}

Result<std::vector<UseRecord>> Store::tool_uses(const std::string& user) {
  return read([&]() -> Result<std::vector<UseRecord>> {
    auto rows = GLOVEBOX_TRY(database_->prepare(
        "SELECT \"user\", server, tool, intent, model, vector, count, at FROM tool_uses WHERE \"user\" = ? "
        "ORDER BY at DESC, id DESC"));
    rows.bind(user);
    std::vector<UseRecord> uses;
    while (GLOVEBOX_TRY(rows.step())) {
      uses.push_back({rows.text(0), rows.text(1), rows.text(2), rows.text(3), rows.text(4), rows.text(5),
                      rows.number(6), rows.number(7)});
    }
    return uses;
  });
}

}  // namespace glovebox::store
