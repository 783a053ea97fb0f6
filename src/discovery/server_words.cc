#include "discovery/server_words.h"

#include <boost/json.hpp>

#include "base/text/utf8.h"

namespace glovebox::discovery {
namespace {

constexpr std::size_t kMostServerBytes = 500;

std::string words_of_info(const std::string& info) {
  boost::system::error_code error;
  const boost::json::value parsed = boost::json::parse(info, error);
  const boost::json::object* about = error ? nullptr : parsed.if_object();
  std::string words;
  for (const char* key : {"title", "description"}) {
    const boost::json::value* text = about ? about->if_contains(key) : nullptr;
    if (text && text->is_string()) words.append(words.empty() ? "" : " ").append(text->get_string());
  }
  return std::string(base::beginning_of(words, kMostServerBytes));
}

}  // namespace

std::map<std::string, std::string> server_words(catalog::Catalog& catalog) {
  std::map<std::string, std::string> words;
  for (const catalog::ServerHealth& server : catalog.health())
    if (!server.info.empty()) words[server.name] = words_of_info(server.info);
  return words;
}

}  // namespace glovebox::discovery
