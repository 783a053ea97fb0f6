#include "cli/top/top_view.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "assembly/otlp_sender.h"

namespace glovebox::cli {
namespace {

const char* const kMetrics =
    "# HELP tool_calls_total Calls.\n# TYPE tool_calls_total counter\n"
    "tool_calls_total{server=\"shop\",outcome=\"ok\"} 30\n"
    "tool_calls_total{server=\"shop\",outcome=\"error\"} 10\n"
    "tool_calls_totals 1000\n"
    "tool_server_up{server=\"shop\"} 1\ntool_server_up{server=\"mail\"} 0\n"
    "code_execution_total{language=\"ts\",outcome=\"finished\"} 100\n"
    "code_execution_duration_ms_sum{language=\"ts\"} 500\ncode_execution_duration_ms_count{language=\"ts\"} 100\n"
    "sandbox_pool_size{language=\"ts\"} 4\nsandbox_pool_size{language=\"py\"} 1\n"
    "nonsense\nworse x\n";

TopState state() {
  TopState made;
  made.now = 1'000'000;
  store::RunRecord run;
  run.id = "run_1";
  run.created = 990'000;
  run.client = "stdio";
  made.runs = {run};
  run.id = "run_2";
  run.status = store::RunStatus::kFailed;
  run.ended = 995'000;
  made.runs.push_back(run);
  made.nodes.push_back({.id = "gw_1", .host = "box", .pid = 7, .version = "1", .joined = 0});
  return made;
}

TEST(TopView, ReadsSamples) {
  const Samples samples = read_samples(kMetrics);
  EXPECT_EQ(sum_of(samples, "tool_calls_total"), 40);
  EXPECT_EQ(sum_of(samples, "tool_calls_total", "outcome=\"ok\""), 30);
  EXPECT_EQ(sum_of(samples, "sandbox_pool_size"), 5);
  EXPECT_EQ(sum_of(samples, "worse"), std::nullopt);
  EXPECT_EQ(by_label(samples, "tool_calls_total", "server"), (std::map<std::string, double>{{"shop", 40}}));
}

TEST(TopView, ShowsWhatThereIs) {
  TopState all = state();
  all.samples = read_samples(kMetrics);
  all.before = read_samples("code_execution_total{language=\"ts\",outcome=\"finished\"} 90\n");
  all.seconds = 2;
  const std::string text = top_text(all, 120, 50);
  EXPECT_NE(text.find("gateway gw_1  box pid 7"), std::string::npos) << text;
  EXPECT_NE(text.find("1 running, 0 waiting; 1 ended in the last minute, 1 of them failed"), std::string::npos);
  EXPECT_NE(text.find("5 runs/s"), std::string::npos) << text;
  EXPECT_NE(text.find("mail DOWN 0, shop 40"), std::string::npos);
  EXPECT_NE(text.find("a run takes 5 ms"), std::string::npos);
  EXPECT_NE(text.find("run_2"), std::string::npos);
  EXPECT_EQ(top_text(all, 120, 10).find("run_2"), std::string::npos);  // no more than the terminal has lines
  const auto json = boost::json::parse(top_json(all));
  EXPECT_EQ(json.at("rates").at("runsPerSecond"), 5);
  EXPECT_EQ(json.at("servers").at(1).at("calls"), 40);
}

TEST(TopView, ShowsTheStoreAloneWhereNoGatewayIs) {
  TopState alone = state();
  alone.nodes.clear();
  alone.no_samples = "the gateway's address is unknown";
  EXPECT_NE(top_text(alone, 100, 50).find("No gateway is running in this workspace"), std::string::npos);
  const auto json = boost::json::parse(top_json(alone));
  EXPECT_TRUE(json.at("pool").is_null());
  EXPECT_EQ(json.at("runs").at("newest").as_array().size(), 2u);
}

TEST(OtlpSender, KnowsWhereTracesGo) {
  EXPECT_EQ(assembly::traces_url("http://127.0.0.1:4318"), "http://127.0.0.1:4318/v1/traces");
  EXPECT_EQ(assembly::traces_url("http://127.0.0.1:4318/"), "http://127.0.0.1:4318/v1/traces");
  EXPECT_EQ(assembly::traces_url("https://c.example/otlp/v1/traces/"), "https://c.example/otlp/v1/traces");
}

}  // namespace
}  // namespace glovebox::cli
