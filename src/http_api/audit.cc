// The audit log: its newest records, and whether it is whole.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/try.h"
#include "base/unique_fd.h"
#include "gateway/record/audit_anchor.h"
#include "http_api/problem.h"
#include "http_api/routes.h"

namespace glovebox::http_api {
namespace {

namespace json = mcp::json;

// A record may hold a program; a page of them is not worth more than this.
constexpr off_t kMostBytes = 4 << 20;

// The end of a file, without the line that its beginning cuts.
std::string end_of(const std::string& path) {
  const base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  struct stat status {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0) return "";
  const off_t begin = std::max<off_t>(0, status.st_size - kMostBytes);
  std::string text(static_cast<std::size_t>(status.st_size - begin), '\0');
  const ssize_t got = ::pread(file.get(), text.data(), text.size(), begin);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  if (begin > 0) text.erase(0, std::min(text.size(), text.find('\n') + 1));
  return text;
}

json::array newest(const std::string& text, std::size_t most) {
  json::array records;
  std::size_t end = text.rfind('\n');  // what follows it is being written
  while (end != text.npos && end > 0 && records.size() < most) {
    const std::size_t before = text.rfind('\n', end - 1);
    const std::size_t begin = before == text.npos ? 0 : before + 1;
    if (auto record = mcp::parse_tree(std::string_view(text).substr(begin, end - begin)))
      records.push_back(std::move(record).value());
    end = before;
  }
  return records;
}

Result<json::object> verified(const ApiRequest& request) {
  const std::string path = gateway::audit_log_path(request.workspace.state_folder);
  const auto known = GLOVEBOX_TRY(gateway::known_records(&request.store, path));
  const auto key = gateway::AuditKey::read(gateway::audit_key_path());
  if (!key && key.failure().code != ErrorCode::kNotFound) return key.failure();
  const auto report = GLOVEBOX_TRY(gateway::check_audit(path, key ? &key.value() : nullptr, known));
  std::string text = std::to_string(report.records) + " records, one chain";
  if (const auto& wrong = report.problem) text = std::string(gateway::name_of(wrong->kind)) + ": " + wrong->reason;
  return json::object{{"ok", report.intact()}, {"records", report.records}, {"head", report.head.hash}, {"text", text}};
}

}  // namespace

mcp::PlainResponse list_audit(const ApiRequest& request) {
  const auto most = request.query.number("limit", 200, 1, 2000);
  if (!most) return problem_of(most.failure());
  const std::string text = end_of(gateway::audit_log_path(request.workspace.state_folder));
  return {200, json::serialize(json::object{{"records", newest(text, static_cast<std::size_t>(most.value()))}})};
}

mcp::PlainResponse verify_audit(const ApiRequest& request) {
  const auto out = verified(request);
  return out ? mcp::PlainResponse{200, json::serialize(out.value())} : problem_of(out.failure());
}

}  // namespace glovebox::http_api
