#include "net/trust/system_certificates.h"

#include <unistd.h>

namespace glovebox::net {

std::string certificates_among(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (::access(file.c_str(), R_OK) == 0) return file == files.front() ? "" : file;
  }
  return "";
}

const std::string& system_certificates() {
  static const std::string found = certificates_among({
      "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch
      "/etc/pki/tls/certs/ca-bundle.crt",    // Fedora, RHEL, Amazon Linux
      "/etc/ssl/ca-bundle.pem",              // openSUSE
      "/etc/ssl/cert.pem",
  });
  return found;
}

}  // namespace glovebox::net
