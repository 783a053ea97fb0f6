// The names that OpenTelemetry's semantic conventions for GenAI and MCP give to what a span reports. They are in
// development there and may change; all attributes of exported spans use these constants, and none is spelled
// elsewhere.
#pragma once

namespace glovebox::observe::names {

// MCP: https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/
inline constexpr const char* kMcpMethodName = "mcp.method.name";
inline constexpr const char* kMcpToolsCall = "tools/call";  // a value of it

// GenAI: a call of a tool is an execute_tool span as well.
inline constexpr const char* kOperationName = "gen_ai.operation.name";
inline constexpr const char* kExecuteTool = "execute_tool";        // a value of it
inline constexpr const char* kInvokeWorkflow = "invoke_workflow";  // likewise
inline constexpr const char* kToolName = "gen_ai.tool.name";
inline constexpr const char* kToolCallId = "gen_ai.tool.call.id";
inline constexpr const char* kToolCallArguments = "gen_ai.tool.call.arguments";  // only on request, and redacted
inline constexpr const char* kToolCallResult = "gen_ai.tool.call.result";        // likewise
inline constexpr const char* kConversationId = "gen_ai.conversation.id";

// General.
inline constexpr const char* kErrorType = "error.type";
inline constexpr const char* kServiceName = "service.name";
inline constexpr const char* kServiceVersion = "service.version";
inline constexpr const char* kServiceInstance = "service.instance.id";
inline constexpr const char* kFilePath = "file.path";
inline constexpr const char* kUrlFull = "url.full";  // without its query

// Ours.
inline constexpr const char* kRun = "glovebox.run.id";
inline constexpr const char* kStatus = "glovebox.run.status";
inline constexpr const char* kLanguage = "glovebox.run.language";
inline constexpr const char* kCapability = "glovebox.capability";
inline constexpr const char* kWorkflow = "glovebox.workflow.id";
inline constexpr const char* kTask = "glovebox.workflow.task";
inline constexpr const char* kCall = "glovebox.call";  // its number within the run
inline constexpr const char* kServer = "glovebox.tool.server";
inline constexpr const char* kOutcome = "glovebox.outcome";
inline constexpr const char* kBytes = "glovebox.bytes";
inline constexpr const char* kTarget = "glovebox.target";
inline constexpr const char* kLinkTarget = "glovebox.link.target";  // where a link leads to that was not followed
inline constexpr const char* kPooled = "glovebox.sandbox.pooled";
inline constexpr const char* kCpuMs = "glovebox.sandbox.cpu_ms";
inline constexpr const char* kMemoryMb = "glovebox.sandbox.memory_mb";
inline constexpr const char* kApproval = "glovebox.approval.id";
inline constexpr const char* kDecision = "glovebox.approval.decision";
inline constexpr const char* kCached = "glovebox.cached";
inline constexpr const char* kInterrupted = "glovebox.interrupted";  // the gateway ended meanwhile
inline constexpr const char* kParked = "glovebox.parked";            // the run waits without a process
inline constexpr const char* kDropped = "glovebox.spans.dropped";

}  // namespace glovebox::observe::names
