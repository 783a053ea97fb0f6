// libglovebox-net.so: the part of net/ that is loaded on demand.
#include "net/http_library.h"

extern "C" __attribute__((visibility("default"))) glovebox::net::HttpClient* glovebox_make_http_client() {
  return glovebox::net::make_http_client().release();
}
