#include "catalog/offers/built_in_tools.h"

#include "base/text/json_builder.h"
#include "base/text/json_slice.h"
#include "catalog/call/tool_result.h"
#include "catalog/plain_text.h"
#include "mcp/limits.h"

namespace glovebox::catalog {
namespace {

constexpr base::SliceOptions kDeep{.max_depth = mcp::kMaxMessageDepth};

struct BuiltIn {
  std::string_view name;
  std::string_view alias;
  std::string_view method;
  std::string_view capability;
  std::string_view definition;
};

// Definitions are pinned like those of servers: they never change.
constexpr BuiltIn kBuiltIns[] = {
    {kReadTool, "read_resource", "resources/read", "resources",
     R"({"name":"$read","description":"Reads a resource of this server by its URI.","inputSchema":{"type":"object",)"
     R"("properties":{"uri":{"type":"string"}},"required":["uri"],"additionalProperties":false},)"
     R"("annotations":{"readOnlyHint":true}})"},
    {kPromptTool, "get_prompt", "prompts/get", "prompts",
     R"({"name":"$prompt","description":"Gets a prompt of this server by its name.","inputSchema":{"type":"object",)"
     R"("properties":{"name":{"type":"string"},"arguments":{"type":"object",)"
     R"("additionalProperties":{"type":"string"}}},)"
     R"("required":["name"],"additionalProperties":false},"annotations":{"readOnlyHint":true}})"},
};

const BuiltIn* built_in(std::string_view name) {
  for (const BuiltIn& one : kBuiltIns)
    if (one.name == name) return &one;
  return nullptr;
}

// A value made from an answer, and the message that it came in.
struct MadeResult {
  mcp::CallReply reply;
  std::string json;
  std::string content;
};

Result<ToolResult, CallFailure> resource_result(const std::shared_ptr<MadeResult>& made) {
  const auto members = base::JsonSlices::of(made->reply.result(), kDeep);
  if (!members) return broken_answer(members.failure().message);
  const auto contents = base::slice_array(members->raw("contents"), kDeep);
  if (!contents) return broken_answer("it has no contents");
  base::ListText blocks;
  for (const std::string_view item : *contents) {
    if (!item.starts_with('{')) return broken_answer("one of its contents is not an object");
    blocks.json(base::ObjectText().text("type", "resource").json("resource", item).done());
  }
  made->content = blocks.done();
  const auto whole = [&](std::string_view json) { return ToolResult{made, json, made->content}; };
  if (contents->size() != 1) return whole(made->content);
  const auto only = base::JsonSlices::of(contents->front(), kDeep);
  const std::string_view text = only ? only->raw("text") : std::string_view();
  if (!text.starts_with('"')) return whole(made->content);
  if (says_json(only->raw("mimeType"))) {
    auto json = base::unquote(text);
    if (json && base::check_json(*json, kDeep)) {
      made->json = std::move(json).value();
      for (char& c : made->json)
        if (c == '\n' || c == '\r') c = ' ';
      return whole(made->json);
    }
  }
  return whole(text);
}

}  // namespace

std::string_view built_in_method(std::string_view name) {
  const BuiltIn* const found = built_in(name);
  return found ? found->method : std::string_view();
}

std::string_view built_in_alias(std::string_view name) {
  const BuiltIn* const found = built_in(name);
  return found ? found->alias : std::string_view();
}

std::vector<std::string> with_built_ins(std::vector<std::string> tools, std::string_view capabilities,
                                        std::vector<std::string>& remarks) {
  std::erase_if(tools, [&](const std::string& tool) {
    const auto members = base::JsonSlices::of(tool, kDeep);
    const bool is_ours = members && is_built_in(members->text("name"));
    if (is_ours)
      remarks.push_back("left out: " + plain_text(members->text("name"), 100) + ", since names with $ are reserved");
    return is_ours;
  });
  const auto offered = base::JsonSlices::of(capabilities, kDeep);
  for (const BuiltIn& one : kBuiltIns) {
    if (offered && offered->has(one.capability)) tools.emplace_back(one.definition);
  }
  return tools;
}

Result<ToolResult, CallFailure> built_in_result(std::string_view name, mcp::CallReply reply) {
  const auto made = std::make_shared<MadeResult>(MadeResult{std::move(reply), "", ""});
  if (name == kReadTool) return resource_result(made);
  const auto members = base::JsonSlices::of(made->reply.result(), kDeep);
  if (!members || !members->raw("messages").starts_with('[')) return broken_answer("it has no messages");
  const std::string_view description = members->raw("description");
  base::ObjectText prompt;
  if (description.starts_with('"')) prompt.json("description", description);
  made->json = prompt.json("messages", members->raw("messages")).done();
  return ToolResult{made, made->json, {}};
}

}  // namespace glovebox::catalog
