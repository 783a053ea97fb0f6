// The settings of a run in a row of the database, which others may write to: values without a meaning are refused, and
// what they grant is within what the owner grants today.
#include <cstdint>
#include <string_view>

#include "expect.h"
#include "gateway/adoption/todays_grants.h"
#include "store/seal/row_seal.h"
#include "within.h"

namespace fuzz_state_row {

namespace {

using namespace glovebox;

// Moving a byte from one field to the next makes another row.
void check_seal(std::string_view text) {
  const store::RowSeal seal(store::RowKey{1, 2, 3});
  const auto digest = [&](std::size_t cut) {
    store::RememberedRule rule;
    rule.key = text.substr(0, cut);
    rule.pattern = text.substr(cut);
    return seal.of(rule);
  };
  if (text.size() > 1) FUZZ_EXPECT(digest(text.size() / 2) != digest(text.size() / 2 - 1));
}

}  // namespace

FUZZ_TARGET(state_row) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_seal(text);
  const auto settings = gateway::run_settings_of(text);
  if (!settings) return 0;
  const auto again = gateway::run_settings_of(gateway::to_json(settings.value()));
  FUZZ_EXPECT(again.ok() && gateway::to_json(again.value()) == gateway::to_json(settings.value()));
  SandboxConfig owners = fuzz::owners_config();
  SandboxConfig given = gateway::within_today(settings.value(), owners);
  if (settings->careful || !settings->chain.empty())
    given.timeout = owners.timeout, given.rpc_timeout = owners.rpc_timeout;
  fuzz::expect_within(given, owners);
  return 0;
}

}  // namespace fuzz_state_row
