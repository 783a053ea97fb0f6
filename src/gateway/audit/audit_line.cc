#include "gateway/audit/audit_line.h"

#include <dirent.h>
#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "base/digest.h"
#include "base/system_error.h"
#include "base/text/json_builder.h"

namespace glovebox::gateway {
namespace {

constexpr std::size_t kHashBytes = 64;
constexpr std::size_t kTailBytes = 9 + kHashBytes + 2;  // …,"hmac":"<64>"}, in former versions …,"hash":"<64>"}

bool take(std::string_view& text, std::string_view begin) {
  if (!text.starts_with(begin)) return false;
  text.remove_prefix(begin.size());
  return true;
}

bool take_number(std::string_view& text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

// Up to the next quote, which these values never contain.
std::string_view take_word(std::string_view& text) {
  const std::size_t quote = std::min(text.find('"'), text.size());
  const std::string_view word = text.substr(0, quote);
  text.remove_prefix(quote);
  return word;
}

}  // namespace

std::string AuditHead::text() const {
  return chain.empty() ? "" : chain + ":" + std::to_string(sequence) + ":" + hash;
}

std::optional<AuditHead> AuditHead::of(std::string_view text) {
  const std::size_t first = text.find(':');
  const std::size_t last = text.rfind(':');
  if (first == std::string_view::npos || first == last || first == 0) return std::nullopt;
  AuditHead head{std::string(text.substr(0, first)), 0, std::string(text.substr(last + 1))};
  std::string_view number = text.substr(first + 1, last - first - 1);
  if (!take_number(number, head.sequence) || !number.empty() || head.hash.size() != kHashBytes) return std::nullopt;
  return head;
}

// {"seq":N,"time":"…","prev":"<64>","event":"…",…,"hmac":"<64>"}: our own exact format, so no JSON parser is needed.
std::optional<AuditLine> read_audit_line(std::string_view line) {
  if (line.size() < kTailBytes || !line.ends_with("\"}")) return std::nullopt;
  AuditLine read;
  read.covered = line.substr(0, line.size() - kTailBytes);
  const std::string_view tail = line.substr(read.covered.size());
  read.keyed = tail.starts_with(",\"hmac\":\"");
  if (!read.keyed && !tail.starts_with(",\"hash\":\"")) return std::nullopt;
  read.hash = line.substr(line.size() - kHashBytes - 2, kHashBytes);
  std::string_view rest = read.covered;
  if (!take(rest, "{\"seq\":") || !take_number(rest, read.sequence) || !take(rest, ",\"time\":\"")) return std::nullopt;
  take_word(rest);
  if (!take(rest, "\",\"prev\":\"") || rest.size() < kHashBytes) return std::nullopt;
  read.previous = rest.substr(0, kHashBytes);
  rest.remove_prefix(kHashBytes);
  if (!take(rest, "\",\"event\":\"")) return std::nullopt;
  const std::string_view event = take_word(rest);
  if (event == "audit.began" && take(rest, "\",\"chain\":\"")) read.chain = take_word(rest);
  if (event == "audit.dropped" && take(rest, "\",\"through\":")) {
    AuditHead dropped;
    if (take_number(rest, dropped.sequence) && take(rest, ",\"head\":\"")) {
      dropped.hash = take_word(rest);
      read.dropped = std::move(dropped);
    }
  }
  return read;
}

std::string write_audit_line(const AuditHead& after, const std::string& time, std::string_view event,
                             const AuditKey& key, std::string& hash) {
  base::ObjectText record;
  record.number("seq", static_cast<std::int64_t>(after.sequence + 1)).text("time", time).text("prev", after.hash);
  const std::string covered = record.members(event).done();
  hash = key.mac(std::string_view(covered).substr(0, covered.size() - 1));
  return base::ObjectText().members(covered).text("hmac", hash).done() + "\n";
}

bool is_genuine(const AuditLine& line, const AuditKey& key) {
  return line.hash == (line.keyed ? key.mac(line.covered) : base::sha256_hex(line.covered));
}

Result<LastLine> last_audit_line(int file, std::int64_t size) {
  for (std::int64_t window = std::int64_t{64} << 10;; window *= 4) {
    const std::int64_t from = std::max<std::int64_t>(0, size - window);
    std::string text(static_cast<std::size_t>(size - from), '\0');
    std::size_t have = 0;
    while (have < text.size()) {
      const ssize_t got = ::pread(file, text.data() + have, text.size() - have, from + static_cast<off_t>(have));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return base::system_failure(errno, "the audit log cannot be read");
      if (got == 0) break;
      have += static_cast<std::size_t>(got);
    }
    text.resize(have);
    const std::size_t last = text.rfind('\n');
    if (last == std::string::npos && from == 0) return LastLine{};
    const std::size_t before = last == std::string::npos || last == 0 ? std::string::npos : text.rfind('\n', last - 1);
    if (last == std::string::npos || (before == std::string::npos && from > 0)) continue;
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    return LastLine{text.substr(begin, last - begin), from + static_cast<std::int64_t>(last) + 1};
  }
}

std::vector<OldAuditFile> old_audit_files(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string begin = path.substr(slash + 1) + ".";
  std::vector<OldAuditFile> files;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.substr(0, slash).c_str()), ::closedir);
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr) {
    std::string_view rest = entry->d_name;
    std::uint64_t number = 0;
    if (take(rest, begin) && take_number(rest, number) && rest.empty() && number > 0) {
      files.push_back({number, path + "." + std::to_string(number)});
    }
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  return files;
}

}  // namespace glovebox::gateway
