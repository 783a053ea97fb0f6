// Store's table of traces.
#include "store/store.h"

namespace glovebox::store {

Result<void> Store::write_trace(const std::string& run, const std::string& trace, const std::string& spans) {
  auto insert = GLOVEBOX_TRY(
      database_->prepare("INSERT INTO traces (run, trace, spans) VALUES (?, ?, ?) ON CONFLICT (run) DO UPDATE SET "
                         "trace = excluded.trace, spans = excluded.spans"));
  return insert.bind(run).bind(trace).bind(spans).run();
}

Result<void> Store::save_trace(const std::string& run, const std::string& trace, const std::string& spans) {
  return write({"save_trace", false, run}, [&]() -> Result<void> {
    GLOVEBOX_TRY_VOID(check_owner(run));
    return write_trace(run, trace, spans);
  });
}

Result<std::optional<std::string>> Store::find_trace(const std::string& run) {
  return read([&]() -> Result<std::optional<std::string>> {
    auto row = GLOVEBOX_TRY(database_->prepare("SELECT spans FROM traces WHERE run = ?"));
    if (!GLOVEBOX_TRY(row.bind(run).step())) return std::optional<std::string>();
    return std::optional<std::string>(row.text(0));
  });
}

Result<std::vector<TraceRecord>> Store::traces_of(const std::string& trace, std::size_t most) {
  return read([&]() -> Result<std::vector<TraceRecord>> {
    auto rows = GLOVEBOX_TRY(database_->prepare(
        "SELECT t.trace, t.spans FROM traces t JOIN runs r ON r.id = t.run WHERE t.trace = ? ORDER BY r.created, r.id "
        "LIMIT ?"));
    rows.bind(trace).bind(static_cast<std::int64_t>(most));
    std::vector<TraceRecord> traces;
    while (GLOVEBOX_TRY(rows.step())) traces.push_back({rows.text(0), rows.text(1)});
    return traces;
  });
}

}  // namespace glovebox::store
