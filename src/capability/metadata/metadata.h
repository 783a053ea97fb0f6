// What a registry says of a capability: untrusted text, read with bounds.
//
//   { fqdn, type: "deno"|"stdio"|"http", description, code | code_url, integrity, inputSchema,
//     mcp_deps: [{ name, type, command, args, url, envRequired, version, integrity }],
//     tools_used: ["server:tool"], routing: "client"|"server", env: ["NAME"] }
//
// Members that are not known here are not kept: nothing depends on them, so nothing has to be pinned.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "capability/metadata/fqdn.h"
#include "capability/registry/integrity.h"
#include "glovebox/result.h"

namespace glovebox::capability {

// An MCP server that a capability needs.
struct Dependency {
  enum class Type { kStdio, kHttp };
  std::string name;  // what code calls it: a name that a server in the config can have
  Type type = Type::kStdio;
  std::string command;  // kStdio
  std::vector<std::string> args;
  std::string url;                        // kHttp
  std::vector<std::string> env_required;  // names of variables
  std::string version;                    // as declared; may be empty
  std::string package_integrity;          // sha512-…, npm's own of the package that the command runs; may be empty

  // Of all of this: what decides what is started. What is on the disk is npm_package.h's business.
  Integrity integrity() const;
  // The command as a person types it, or the address.
  std::string launch() const;
  bool operator==(const Dependency&) const = default;
};

struct Metadata {
  enum class Type {
    kDeno,   // code of its own
    kStdio,  // its action is a tool of its one dependency
    kHttp,
  };
  enum class Routing { kClient, kServer };

  Fqdn fqdn;
  Type type = Type::kDeno;
  std::string description;
  Integrity integrity = Integrity::of("");  // of the code; of the dependency where there is no code
  std::string input_schema;                 // JSON
  std::vector<Dependency> dependencies;
  std::vector<std::string> tools;  // server:tool, each one tool: all that it can call
  Routing routing = Routing::kClient;
  std::vector<std::string> env;  // names of variables that it gets as args.env

  // What is pinned: everything above as JSON with sorted keys. read_metadata reads it.
  std::string canonical() const;
};

struct FetchedMetadata {
  Metadata metadata;
  std::string code;      // where it came with it
  std::string code_url;  // where it did not, and has any
};

// Refused as a whole where anything in it cannot be used: half a description would be believed.
Result<FetchedMetadata> read_metadata(std::string_view json);

// The same of what a registry answered to a question about `asked`: that very capability, and with code if it has any.
Result<FetchedMetadata> read_answer(std::string_view json, const Fqdn& asked);

// What runs: `code`, or a program that makes the one call of a capability without code.
std::string program_of(const Metadata& metadata, const std::string& code);

// Fails unless `code` is what the metadata means.
Result<void> verify_code(const Metadata& metadata, std::string_view code);

std::string_view name_of(Metadata::Type type);
std::string_view name_of(Metadata::Routing routing);
std::string_view name_of(Dependency::Type type);

}  // namespace glovebox::capability
