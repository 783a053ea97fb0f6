// A network of its own in which servers and name servers lie.
#pragma once

#include <gtest/gtest.h>

#include "net/fetch_sync.h"
#include "net/http_client.h"
#include "net/own_network.h"
#include "net/scripted_server.h"

namespace glovebox::net {

inline policy::IpAddress ip(const char* text) {
  return policy::IpAddress::parse(text).value();
}

// Answers lookups from a list, one after the other, and then always with the last.
inline LookUp answers(std::vector<Addresses> list) {
  auto next = std::make_shared<std::atomic<std::size_t>>(0);
  return [list = std::move(list), next](const std::string&) -> Result<Addresses> {
    return list[std::min(next->fetch_add(1), list.size() - 1)];
  };
}
inline LookUp always_at(const char* address) {
  return answers({{ip(address)}});
}

inline std::string redirect_to(std::string_view location, int status = 302) {
  return "HTTP/1.1 " + std::to_string(status) + " Elsewhere\r\nLocation: " + std::string(location) +
         "\r\nContent-Length: 0\r\n\r\n";
}

inline std::string port_of(const testing::ScriptedServer& server) {
  return std::to_string(server.port());
}

}  // namespace glovebox::net
