#include "broker/http_loader.h"

#include <dlfcn.h>

#include "net/http_library.h"

namespace glovebox::broker {

Result<net::HttpClient*> HttpLoader::client() {
  if (client_) return client_.get();
  // Never closed: threads of the resolver may still be inside when the client is gone.
  void* library = ::dlopen(library_path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* make = library ? ::dlsym(library, net::kMakeHttpClient) : nullptr;
  if (!make) {
    return Failure{ErrorCode::kNotFound, std::string("the network cannot be used: ") + ::dlerror()};
  }
  client_.reset(reinterpret_cast<net::MakeHttpClient*>(make)());
  return client_.get();
}

}  // namespace glovebox::broker
