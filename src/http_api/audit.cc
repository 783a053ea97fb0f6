// The audit log: its newest records, and whether it is whole.
#include <algorithm>

#include "base/characters/ascii.h"
#include "base/try.h"
#include "gateway/audit/audit_anchor.h"
#include "gateway/audit_check/audit_check.h"
#include "http_api/audit_tail.h"
#include "http_api/problem.h"
#include "http_api/routes.h"

namespace glovebox::http_api {
namespace {

namespace json = mcp::json;

Result<json::object> verified(const ApiRequest& request) {
  const std::string path = gateway::audit_log_path(request.state_folder);
  const auto known = GLOVEBOX_TRY(gateway::known_records(&request.store, path));
  const auto key = gateway::AuditKey::read(gateway::audit_key_path());
  if (!key && key.failure().code != ErrorCode::kNotFound) return key.failure();
  const auto report = GLOVEBOX_TRY(gateway::check_audit(path, key ? &key.value() : nullptr, known));
  std::string text = std::to_string(report.records) + " records, one chain";
  if (const auto& wrong = report.problem) text = std::string(gateway::name_of(wrong->kind)) + ": " + wrong->reason;
  return json::object{{"ok", report.intact()}, {"records", report.records}, {"head", report.head.hash}, {"text", text}};
}

bool holds(const std::string& record, const std::string& text) {
  const auto same = [](char a, char b) { return base::to_lower(a) == base::to_lower(b); };
  return std::search(record.begin(), record.end(), text.begin(), text.end(), same) != record.end();
}

}  // namespace

mcp::PlainResponse list_audit(const ApiRequest& request) {
  const auto most = request.query.number("limit", 200, 1, 2000);
  if (!most) return problem_of(most.failure());
  json::array records;
  const std::string text = request.query.text("q");
  read_newest(gateway::audit_log_path(request.state_folder), [&](json::object record) {
    if (text.empty() || holds(json::serialize(record), text)) records.push_back(std::move(record));
    return records.size() < static_cast<std::size_t>(most.value());
  });
  return {200, json::serialize(json::object{{"records", std::move(records)}})};
}

mcp::PlainResponse verify_audit(const ApiRequest& request) {
  const auto out = verified(request);
  return out ? mcp::PlainResponse{200, json::serialize(out.value())} : problem_of(out.failure());
}

}  // namespace glovebox::http_api
