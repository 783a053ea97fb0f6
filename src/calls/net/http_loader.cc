#include "calls/net/http_loader.h"

#include <dlfcn.h>

#include "net/http_library.h"

#ifdef __SANITIZE_ADDRESS__
// OpenSSL keeps a state per thread that used it, which the leak check does not find in a library loaded this late.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libcrypto.so\n";
}
extern "C" const char* __lsan_default_options();
extern "C" const char* __lsan_default_options() {
  return "print_suppressions=0";
}
#endif

namespace glovebox::calls {

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

}  // namespace glovebox::calls
