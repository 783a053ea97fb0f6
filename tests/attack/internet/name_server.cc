#include "name_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace glovebox::attack {
namespace {

enum Type : std::uint16_t { kA = 1, kCname = 5, kAaaa = 28 };

struct Records {
  std::vector<std::string> a, aaaa;
  std::string cname;  // if set, the addresses belong to this name
};

const std::map<std::string, Records>& table() {
  static const std::map<std::string, Records> names = {
      {"good.test", {{kGoodAddress}, {}, {}}},
      {"sub.good.test", {{kGoodAddress}, {}, {}}},
      {"other.test", {{kOtherAddress}, {}, {}}},
      {"local.test", {{"127.0.0.1"}, {}, {}}},
      {"local2.test", {{"127.0.0.2"}, {}, {}}},
      {"zero.test", {{"0.0.0.0"}, {}, {}}},
      {"ten.test", {{"10.0.0.1"}, {}, {}}},
      {"metadata.test", {{"169.254.169.254"}, {}, {}}},
      {"home.test", {{"192.168.1.1"}, {}, {}}},
      {"office.test", {{"172.16.0.1"}, {}, {}}},
      {"carrier.test", {{"100.64.0.1"}, {}, {}}},
      {"bench.test", {{"198.18.0.1"}, {}, {}}},
      {"broadcast.test", {{"255.255.255.255"}, {}, {}}},
      {"multicast.test", {{"224.0.0.1"}, {}, {}}},
      {"six.test", {{}, {"::1"}, {}}},
      {"unique.test", {{}, {"fd00::1"}, {}}},
      {"link.test", {{}, {"fe80::1"}, {}}},
      {"mapped.test", {{}, {"::ffff:127.0.0.1"}, {}}},
      {"compatible.test", {{}, {"::127.0.0.1"}, {}}},
      {"nat64.test", {{}, {"64:ff9b::7f00:1"}, {}}},
      {"sixtofour.test", {{}, {"2002:7f00:1::"}, {}}},
      {"teredo.test", {{}, {"2001:0:7f00:1::80ff:fefe"}, {}}},
      {"unspecified.test", {{}, {"::"}, {}}},
      {"many.test", {{kGoodAddress, "127.0.0.1", "169.254.169.254"}, {"::1"}, {}}},
      {"manylast.test", {{"127.0.0.1", "10.0.0.1", kGoodAddress}, {}, {}}},
      {"alias.test", {{"127.0.0.1"}, {}, "local.test"}},
      {"trap.good.test", {{"127.0.0.1"}, {}, {}}},
      {"127-0-0-1.nip.test", {{"127.0.0.1"}, {}, {}}},
  };
  return names;
}

void put16(std::string& out, unsigned value) {
  out += static_cast<char>(value >> 8 & 0xff);
  out += static_cast<char>(value & 0xff);
}

std::string encoded(const std::string& name) {
  std::string out;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t dot = std::min(name.find('.', at), name.size());
    out += static_cast<char>(dot - at);
    out.append(name, at, dot - at);
    at = dot + 1;
  }
  return out + '\0';
}

void put_record(std::string& out, const std::string& owner, Type type, const std::string& data) {
  out += owner;
  put16(out, type);
  put16(out, 1);
  put16(out, 0);  // TTL 0
  put16(out, 0);
  put16(out, static_cast<unsigned>(data.size()));
  out += data;
}

std::string address_bytes(int family, const std::string& text) {
  std::string bytes(family == AF_INET ? 4 : 16, '\0');
  if (::inet_pton(family, text.c_str(), bytes.data()) != 1) throw std::runtime_error(text);
  return bytes;
}

// rebind.test is public in the first answer, and not in the next.
Records records_of(const std::string& name, unsigned type) {
  static int asked = 0;
  if (name == "rebind.test") return {{type == kA && asked++ % 2 == 0 ? kGoodAddress : "127.0.0.1"}, {}, {}};
  const auto found = table().find(name);
  return found == table().end() ? Records{} : found->second;
}

std::string answer_to(const std::string& query) {
  std::string name;
  std::size_t at = 12;
  while (at < query.size() && query[at] != '\0') {
    const auto length = static_cast<unsigned char>(query[at]);
    if (!name.empty()) name += '.';
    for (const char c : query.substr(at + 1, length)) name += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    at += 1u + length;
  }
  at += 5;  // the end of the name, type and class
  if (at > query.size()) return "";
  const unsigned type = static_cast<unsigned char>(query[at - 3]);
  const Records records = records_of(name, type);
  std::string body;
  int count = 0;
  std::string owner("\xc0\x0c", 2);
  if (!records.cname.empty()) {
    put_record(body, owner, kCname, encoded(records.cname));
    owner = encoded(records.cname);
    ++count;
  }
  for (const std::string& text : type == kA ? records.a : std::vector<std::string>()) {
    put_record(body, owner, kA, address_bytes(AF_INET, text));
    ++count;
  }
  for (const std::string& text : type == kAaaa ? records.aaaa : std::vector<std::string>()) {
    put_record(body, owner, kAaaa, address_bytes(AF_INET6, text));
    ++count;
  }
  std::string reply = query.substr(0, 2);
  const bool is_known = !records.a.empty() || !records.aaaa.empty();
  put16(reply, is_known ? 0x8180 : 0x8183);
  put16(reply, 1);
  put16(reply, static_cast<unsigned>(count));
  put16(reply, 0);
  put16(reply, 0);
  return reply + query.substr(12, at - 12) + body;
}

}  // namespace

base::UniqueFd open_name_server() {
  base::UniqueFd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(53);
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0) {
    throw std::runtime_error("no port for the name server");
  }
  return socket;
}

void answer_names(int socket, std::atomic<int>& count) {
  std::string query(65536, '\0');
  while (true) {
    sockaddr_in from{};
    socklen_t size = sizeof from;
    const ssize_t got = ::recvfrom(socket, query.data(), query.size(), 0, reinterpret_cast<sockaddr*>(&from), &size);
    if (got < 17) continue;
    ++count;
    const std::string reply = answer_to(query.substr(0, static_cast<std::size_t>(got)));
    (void)!::sendto(socket, reply.data(), reply.size(), 0, reinterpret_cast<const sockaddr*>(&from), size);
  }
}

}  // namespace glovebox::attack
