// RequestUrl: a URL that was parsed once. The handle that is checked is the handle that curl connects with, so no
// second parser can see another host in it.
#pragma once

#include <curl/curl.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "net/fetch_error.h"
#include "policy/host_name.h"

namespace glovebox::net {

class RequestUrl {
 public:
  // http and https only, without user and password. Strict: what parsers disagree about is refused.
  static FetchResult<RequestUrl> parse(std::string_view text);
  // Where a redirect from here to `location` leads.
  FetchResult<RequestUrl> resolve(std::string_view location) const;

  bool is_https() const { return is_https_; }
  const policy::Host& host() const { return host_; }
  std::uint16_t port() const { return port_; }
  const std::string& text() const { return text_; }  // without a fragment
  bool same_origin(const RequestUrl& other) const;
  CURLU* handle() const { return handle_.get(); }

 private:
  struct Cleanup {
    void operator()(CURLU* handle) const { ::curl_url_cleanup(handle); }
  };
  std::unique_ptr<CURLU, Cleanup> handle_;
  bool is_https_ = false;
  policy::Host host_;
  std::uint16_t port_ = 0;
  std::string text_;
};

}  // namespace glovebox::net
