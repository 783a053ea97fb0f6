// What a server offers, as its owner describes it. Members that are JSON are texts, passed on as they are.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::mcp {

struct Implementation {
  std::string name;
  std::string version;
  std::string title;  // may be empty
};

class ServerCall;

struct ToolDefinition {
  std::string name;
  std::string description;
  std::string title;
  std::string input_schema = R"({"type":"object"})";
  // What a list shows instead: models pay for every word of it, so it may omit what few calls need. Empty: the same.
  std::string listed_schema;
  std::string output_schema;  // this and the following: JSON, or empty
  std::string annotations;
  std::string icons;
  std::string meta;
  bool can_be_task = false;  // a client may follow a call as a task instead of waiting for its answer
  // Whether it is in this client's list; it can be called either way. Empty: it is.
  std::function<bool(const ServerCall&)> is_listed;
};

struct ResourceDefinition {
  std::string uri;
  std::string name;
  std::string description;
  std::string title;
  std::string mime_type;
  std::string annotations;
};

struct ResourceTemplateDefinition {
  std::string uri_template;  // {name} stands for one segment, which has no slash in it
  std::string name;
  std::string description;
  std::string title;
  std::string mime_type;
};

struct PromptArgument {
  std::string name;
  std::string description;
  bool required = false;
};

struct PromptDefinition {
  std::string name;
  std::string description;
  std::string title;
  std::vector<PromptArgument> arguments;
};

// Starts to serve a call. The call may be answered now or later, from the thread of the server.
using CallHandler = std::function<void(std::shared_ptr<ServerCall>)>;

enum class NoticeLevel { kDebug, kInfo, kNotice, kWarning, kError, kCritical, kAlert, kEmergency };
std::optional<NoticeLevel> log_level_named(std::string_view name);

}  // namespace glovebox::mcp
