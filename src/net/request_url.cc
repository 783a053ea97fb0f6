#include "net/request_url.h"

#include <algorithm>
#include <optional>

#include "base/characters/ascii.h"
#include "base/try.h"
#include "net/limits.h"

namespace glovebox::net {
namespace {

FetchError invalid_url(std::string_view text, std::string_view why) {
  return {FetchError::Kind::kInvalid, "Invalid URL: '" + policy::printable(text) + "': " + std::string(why), ""};
}

// "https" of "HTTPS://x"; empty when the text has no scheme.
std::string scheme_of(std::string_view text) {
  std::string scheme;
  for (const char c : text) {
    if (c == ':') return scheme;
    const bool fits = scheme.empty() ? base::is_letter(c) : base::is_alnum(c) || c == '+' || c == '-' || c == '.';
    if (!fits) break;
    scheme += base::to_lower(c);
  }
  return "";
}

std::optional<std::string> part(CURLU* handle, CURLUPart which, unsigned flags = 0) {
  char* text = nullptr;
  if (::curl_url_get(handle, which, &text, flags) != CURLUE_OK) return std::nullopt;
  const std::unique_ptr<char, void (*)(void*)> owner(text, ::curl_free);
  return std::string(text);
}

// Refuses what parsers are known to read differently, before any of them reads it.
FetchResult<void> check_spelling(std::string_view text, std::size_t authority_at) {
  if (text.size() > kMaxUrlBytes) return invalid_url(text, "it is too long");
  for (const char c : text) {
    if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7f) {
      return invalid_url(text, "it contains a space or control character");
    }
    if (c == '\\') return invalid_url(text, "it contains a backslash");
  }
  const std::string_view rest = text.substr(authority_at);
  if (!rest.starts_with("//") || rest.starts_with("///")) return invalid_url(text, "the host is missing");
  const std::string_view authority = rest.substr(2, rest.find_first_of("/?#", 2) - 2);
  if (authority.find('@') != std::string_view::npos) {
    return invalid_url(text, "it contains a user name or password");
  }
  if (authority.find('%') != std::string_view::npos) return invalid_url(text, "its host is percent-encoded");
  return {};
}

}  // namespace

FetchResult<RequestUrl> RequestUrl::parse(std::string_view text) {
  const std::string scheme = scheme_of(text);
  if (scheme.empty()) return invalid_url(text, "it has no scheme");
  if (scheme != "http" && scheme != "https") {
    return FetchError{FetchError::Kind::kInvalid, "Url scheme '" + scheme + "' not supported", ""};
  }
  GLOVEBOX_TRY_VOID(check_spelling(text, scheme.size() + 1));

  RequestUrl url;
  url.is_https_ = scheme == "https";
  url.handle_.reset(::curl_url());
  GLOVEBOX_CHECK(url.handle_ != nullptr);
  CURLU* handle = url.handle_.get();
  const CURLUcode status =
      ::curl_url_set(handle, CURLUPART_URL, std::string(text).c_str(), CURLU_DISALLOW_USER | CURLU_URLENCODE);
  if (status != CURLUE_OK) return invalid_url(text, ::curl_url_strerror(status));
  ::curl_url_set(handle, CURLUPART_FRAGMENT, nullptr, 0);

  const auto host = part(handle, CURLUPART_HOST);
  auto canonical = policy::canonical_host(host.value_or(""));
  if (!canonical) return invalid_url(text, canonical.failure().message);
  url.host_ = std::move(*canonical);
  const auto port = policy::parse_port(part(handle, CURLUPART_PORT, CURLU_DEFAULT_PORT).value_or(""));
  if (!port) return invalid_url(text, "a port is a number from 1 to 65535");
  url.port_ = *port;

  // The canonical host is set in the handle, and the handle is read back: it must hold exactly what is checked.
  if (::curl_url_set(handle, CURLUPART_HOST, url.host_.text.c_str(), 0) != CURLUE_OK ||
      part(handle, CURLUPART_HOST) != url.host_.text || part(handle, CURLUPART_SCHEME) != scheme ||
      part(handle, CURLUPART_USER) || part(handle, CURLUPART_PASSWORD) || part(handle, CURLUPART_ZONEID)) {
    return invalid_url(text, "it is ambiguous");
  }
  const auto whole = part(handle, CURLUPART_URL, CURLU_NO_DEFAULT_PORT);
  if (!whole) return invalid_url(text, "it is ambiguous");
  url.text_ = *whole;
  return url;
}

FetchResult<RequestUrl> RequestUrl::resolve(std::string_view location) const {
  if (location.size() > kMaxUrlBytes) return invalid_url(location, "it is too long");
  std::string target;
  for (const char c : location) {
    // Servers forget to encode spaces, and all clients accept that.
    if (c == ' ') {
      target += "%20";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\') {
      return invalid_url(location, "it contains a backslash or control character");
    } else {
      target += c;
    }
  }
  if (!scheme_of(target).empty()) return parse(target);
  // Fragments are not sent, and curl takes a location that is only a fragment for an empty path.
  target.erase(std::min(target.find('#'), target.size()));
  if (target.empty()) return parse(text_);
  const std::unique_ptr<CURLU, Cleanup> joined(::curl_url_dup(handle_.get()));
  GLOVEBOX_CHECK(joined != nullptr);
  const CURLUcode status =
      ::curl_url_set(joined.get(), CURLUPART_URL, target.c_str(), CURLU_DISALLOW_USER | CURLU_URLENCODE);
  if (status != CURLUE_OK) return invalid_url(location, ::curl_url_strerror(status));
  const auto whole = part(joined.get(), CURLUPART_URL);
  if (!whole) return invalid_url(location, "it has no valid target");
  return parse(*whole);
}

bool RequestUrl::same_origin(const RequestUrl& other) const {
  return is_https_ == other.is_https_ && host_ == other.host_ && port_ == other.port_;
}

}  // namespace glovebox::net
