// What search remembers of tools from one gateway to the next.
#pragma once

#include <cstdint>
#include <string>

namespace glovebox::store {

// The vector that a model computes for a tool's definition.
struct VectorRecord {
  std::string definition;  // its hash
  std::string text;        // the hash of the embedded text, which contains the server's name
  std::string vector;      // bytes, in the caller's format
};

// A tool that served an intent. It counts only for the user who had that intent.
struct UseRecord {
  std::string user;
  std::string server;
  std::string tool;
  std::string intent;
  std::string model;   // of the intent's vector; empty where there is none
  std::string vector;  // bytes
  std::int64_t count = 1;
  std::int64_t at = 0;  // the last time, in milliseconds since 1970
};

}  // namespace glovebox::store
