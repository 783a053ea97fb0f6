// Calling a tool needs permission: anything else does not compile. This tests what each kind of permission can be made
// from.
#include "catalog/call/permitted_call.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "catalog/catalog.h"

namespace glovebox::catalog {
namespace {

// Neither from nothing, nor from its parts, nor from another one or another kind; it can only be moved.
template <typename Call>
constexpr bool is_proof = !std::is_default_constructible_v<Call> && !std::is_aggregate_v<Call> &&
                          !std::is_constructible_v<Call, Tool, std::string> && !std::is_copy_constructible_v<Call> &&
                          !std::is_copy_assignable_v<Call> && std::is_nothrow_move_constructible_v<Call>;
static_assert(is_proof<ApprovedCall>);
static_assert(is_proof<OwnersCall>);
static_assert(is_proof<RemoteGatewayCall>);
static_assert(is_proof<PermittedCall>);

template <typename To, typename... From>
constexpr bool becomes = (std::is_constructible_v<To, From> || ...);
static_assert(!becomes<ApprovedCall, PermittedCall, OwnersCall, RemoteGatewayCall, Tool>);
static_assert(!becomes<OwnersCall, PermittedCall, ApprovedCall, RemoteGatewayCall, Tool>);
static_assert(!becomes<RemoteGatewayCall, PermittedCall, ApprovedCall, OwnersCall, Tool>);

using Done = std::function<void(Result<ToolResult, CallFailure>)>;
template <typename Call>
concept CanBeCalled = requires(Catalog& catalog, Call call) {
  catalog.call(std::move(call), CallOptions(), Done());
};
static_assert(CanBeCalled<ApprovedCall> && CanBeCalled<OwnersCall> && CanBeCalled<RemoteGatewayCall>);
static_assert(!CanBeCalled<Tool> && !CanBeCalled<const ApprovedCall>);

TEST(PermittedCall, IsChecked) {
  SUCCEED() << "by the compiler, above";
}

}  // namespace
}  // namespace glovebox::catalog
