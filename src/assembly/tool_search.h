// What tool search needs of a workspace: models, users, and the servers that have been listed.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "config/gateway_settings.h"
#include "discovery/tool_finder.h"
#include "glovebox/sandbox.h"

namespace glovebox::assembly {

// The endpoint of the config, if it names one, and the model within.
std::vector<std::unique_ptr<discovery::Embedder>> make_embedders(boost::asio::any_io_executor executor,
                                                                 const config::GatewaySettings& settings);

// The user that uses are remembered for. The holder of an owner's token, the user who starts the gateway and the person
// at the terminal are the owner; `client` distinguishes others.
std::string search_user(std::string_view client);

// Tools whose calls succeeded, as the code wrote them.
std::vector<discovery::ToolFinder::UsedTool> tools_that_served(const Outcome& outcome);

// Calls `next` when all servers of which nothing is known yet, or the one that is named, have said what they offer or
// that they cannot, but no later than after `patience`. What is known from an earlier listing is not asked again: a
// search does not start a hundred servers.
void with_known_tools(boost::asio::any_io_executor executor, catalog::Catalog& catalog, const std::string& only,
                      std::chrono::milliseconds patience, std::function<void()> next);

// What is said where the intent is in another language than English, and the tools are not; empty otherwise.
std::string language_note(const discovery::Findings& findings);

// A score as people and programs read it: three digits.
std::string score_text(double score);

}  // namespace glovebox::assembly
