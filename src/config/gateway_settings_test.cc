#include "config/gateway_settings.h"

#include <gtest/gtest.h>

#include "config/config_file.h"

namespace glovebox::config {
namespace {

std::string gateway_problems_of(const std::string& text) {
  const auto config = parse_config(text, "/w/glovebox.json");
  return config ? "" : config.failure().text();
}

TEST(GatewaySettings, NameAnEndpointForEmbeddings) {
  const auto config = parse_config(R"({"embeddings": {"url": "https://e.example/v1/embeddings", "model": "m",
      "apiKeyEnv": "E_KEY", "dimensions": 256}, "search": {"learn": false}})",
                                   "/w/glovebox.json");
  ASSERT_TRUE(config.ok()) << config.failure().text();
  const EmbeddingSettings& embeddings = config->gateway.embeddings;
  EXPECT_EQ(embeddings.url, "https://e.example/v1/embeddings");
  EXPECT_EQ(embeddings.model, "m");
  EXPECT_EQ(embeddings.api_key_env, "E_KEY");
  EXPECT_EQ(embeddings.dimensions, 256);
  EXPECT_FALSE(config->gateway.search.learn);
  EXPECT_TRUE(parse_config("{}", "/w/glovebox.json")->gateway.search.learn);
}

TEST(GatewaySettings, SayWhatIsWrongWithThem) {
  EXPECT_NE(gateway_problems_of(R"({"embeddings": {"url": "ftp://e.example", "model": "m"}})").find("embeddings.url"),
            std::string::npos);
  EXPECT_NE(gateway_problems_of(R"({"embeddings": {"model": "m"}})").find("needs \"url\" and \"model\""),
            std::string::npos);
  EXPECT_NE(
      gateway_problems_of(R"({"embeddings": {"url": "http://e", "model": "m", "dimensions": 0}})").find("dimensions"),
      std::string::npos);
  EXPECT_NE(
      gateway_problems_of(R"({"embeddings": {"url": "http://e", "model": "m", "apiKey": "x"}})").find("apiKeyEnv"),
      std::string::npos);
  EXPECT_NE(gateway_problems_of(R"({"search": {"learn": "no"}})").find("true or false"), std::string::npos);
  EXPECT_NE(gateway_problems_of(R"({"embedding": {}})").find("did you mean \"embeddings\""), std::string::npos);
}

TEST(GatewaySettings, DoNotRepeatAKeyThatStandsInPlaceOfItsName) {
  const std::string problems =
      gateway_problems_of(R"({"embeddings": {"url": "http://e", "model": "m", "apiKeyEnv": "sk-s3cret"}})");
  EXPECT_NE(problems.find("apiKeyEnv"), std::string::npos) << problems;
  EXPECT_EQ(problems.find("s3cret"), std::string::npos) << problems;
}

TEST(GatewaySettings, SayWhereCapabilitiesComeFromAndGoTo) {
  const auto registry = [](const std::string& text) {
    return parse_config(R"({"registry": ")" + text + R"(", "remote": "office"})", "/w/glovebox.json");
  };
  EXPECT_EQ(registry("https://registry.example")->gateway.registry, "https://registry.example");
  EXPECT_EQ(registry("/var/registry")->gateway.registry, "/var/registry");
  EXPECT_EQ(registry("registry")->gateway.registry, "/w/registry");
  EXPECT_EQ(registry("registry")->gateway.remote, "office");
  EXPECT_NE(gateway_problems_of(R"({"registry": "ftp://registry.example"})").find("http or https"), std::string::npos);
  EXPECT_NE(gateway_problems_of(R"({"registry": 7})"), "");
  EXPECT_NE(gateway_problems_of(R"({"remote": {}})"), "");
  EXPECT_NE(gateway_problems_of(R"({"registri": "x"})").find(R"(did you mean "registry")"), std::string::npos);
}

TEST(GatewaySettings, KnowTheModesOfTheCheck) {
  EXPECT_FALSE(parse_config("{}", "/w/glovebox.json")->gateway.check);
  for (const CheckMode mode : {CheckMode::kOff, CheckMode::kWarn, CheckMode::kTools, CheckMode::kStrict}) {
    const std::string text = R"({"check": ")" + std::string(name_of(mode)) + "\"}";
    EXPECT_EQ(parse_config(text, "/w/glovebox.json")->gateway.check, mode);
  }
  EXPECT_NE(gateway_problems_of(R"({"check": "some"})").find(R"("off", "warn", "tools" or "strict")"),
            std::string::npos);
  EXPECT_NE(gateway_problems_of(R"({"check": true})"), "");
  EXPECT_NE(gateway_problems_of(R"({"chek": "off"})").find(R"(did you mean "check")"), std::string::npos);
}

TEST(GatewaySettings, Notify) {
  const auto config = parse_config(R"({"notify": {"command": ["notify-send", "Glovebox"],
      "webhook": "https://hooks.example/a", "secret": "${HOOK_SECRET}"}})",
                                   "glovebox.json");
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config->gateway.notify.command.size(), 2u);
  EXPECT_EQ(config->gateway.notify.secret, "${HOOK_SECRET}");
  EXPECT_NE(gateway_problems_of(R"({"notify": {"webhook": "https://hooks.example/a"}})").find("secret"),
            std::string::npos);
  EXPECT_NE(gateway_problems_of(R"({"notify": {"secret": "0123456789abcdef"}})"), "");
  EXPECT_NE(gateway_problems_of(R"({"notify": {"webhook": "hooks.example", "secret": "0123456789abcdef"}})"), "");
  EXPECT_NE(gateway_problems_of(R"({"notify": {"webhook": "https://x", "secret": "short"}})"), "");
  EXPECT_NE(gateway_problems_of(R"({"notify": {"command": "notify-send"}})"), "");
}

TEST(GatewaySettings, Observe) {
  const auto config = parse_config(R"({"observe": {"otlp": "http://127.0.0.1:4318", "headers": {"A": "${B}"},
                                      "arguments": true, "traces": false,
                                      "token": "${T}"}})",
                                   "/w/glovebox.json");
  ASSERT_TRUE(config.ok()) << config.failure().text();
  const ObserveSettings& observe = config->gateway.observe;
  EXPECT_EQ(observe.otlp, "http://127.0.0.1:4318");
  EXPECT_EQ(observe.headers.at("A"), "${B}");
  EXPECT_TRUE(observe.arguments);
  EXPECT_FALSE(observe.results);
  EXPECT_FALSE(observe.traces);
  EXPECT_EQ(observe.token, "${T}");
  EXPECT_NE(gateway_problems_of(R"({"observe": {"otlp": "127.0.0.1:4318"}})"), "");
  EXPECT_NE(gateway_problems_of(R"({"observe": {"otpl": "http://x"}})"), "");
  EXPECT_NE(gateway_problems_of(R"({"observe": {"arguments": "yes"}})"), "");
}

}  // namespace
}  // namespace glovebox::config
