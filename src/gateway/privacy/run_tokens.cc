#include "gateway/privacy/run_tokens.h"

#include <unistd.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "base/try.h"
#include "base/whole_file.h"
#include "gateway/privacy/kept_key.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostTokenBytes = std::size_t{16} << 20;
constexpr std::chrono::hours kKeptFor{24 * 30};  // as long as runs are
constexpr std::string_view kPurpose = "tokens of a run";

}  // namespace

Result<void> RunTokens::keep(const std::string& run, const TokenValues& values) const {
  if (values.empty()) return {};
  json::object object;
  for (const auto& [token, value] : values) object[token] = value;
  const mcp::StateSealer seal(GLOVEBOX_TRY(keep_key(key_path())));
  const std::string sealed =
      seal.seal(json::serialize(object), {run, kPurpose}, std::chrono::system_clock::now() + kKeptFor);
  return base::replace_file(path_of(run), sealed, 0600);
}

TokenValues RunTokens::load(const std::string& run) const {
  TokenValues values;
  const auto sealed = base::read_whole_file(path_of(run), kMostTokenBytes);
  if (!sealed) return values;
  const auto key = kept_key(key_path());
  if (!key) return values;
  const auto opened =
      mcp::StateSealer(key.value()).open(sealed.value(), {run, kPurpose}, std::chrono::system_clock::now());
  if (!opened) return values;
  json::error_code error;
  const json::value object = json::parse(opened.value(), error);
  if (error || !object.is_object()) return values;
  for (const auto& member : object.get_object())
    if (member.value().is_string()) values.emplace(std::string(member.key()), std::string(member.value().get_string()));
  return values;
}

void RunTokens::drop(const std::string& run) const {
  ::unlink(path_of(run).c_str());
}

}  // namespace glovebox::gateway
