// Sends spans to the collector that the config names, by OTLP over HTTP in JSON.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>

#include "config/gateway_settings.h"
#include "glovebox/result.h"
#include "observe/span_exporter.h"

namespace glovebox::assembly {

// Fails when the settings cannot hold: a variable that is not set, or headers that would go over plain http. Null where
// they name no collector.
Result<std::shared_ptr<observe::SpanExporter>> make_exporter(boost::asio::any_io_executor executor,
                                                             const config::ObserveSettings& settings,
                                                             observe::Resource resource,
                                                             std::shared_ptr<observe::Meters> meters);

// Where traces go at a collector: its address with /v1/traces, unless that is there already.
std::string traces_url(std::string address);

}  // namespace glovebox::assembly
