#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>

#include "catalog/catalog.h"
#include "net/http_client.h"

namespace glovebox::catalog {

// What all servers of a catalog share.
struct UpstreamContext {
  boost::asio::any_io_executor executor;
  CatalogOptions options;                  // without the servers
  std::function<net::HttpClient&()> http;  // made with the first use
};

}  // namespace glovebox::catalog
