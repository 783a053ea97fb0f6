#include "privacy/secrets/vendor_keys.h"

#include <array>
#include <cstdint>

#include "privacy/characters.h"

namespace glovebox::privacy {
namespace {

// What may follow a prefix.
enum class Of { kWord, kHex, kUpper, kUrl, kDotted };

struct Prefix {
  std::string_view text;
  std::string_view kind;
  Of of;
  std::size_t least;  // characters behind the prefix
  std::size_t most;
};

constexpr std::size_t kLong = 512;
constexpr Prefix kPrefixes[] = {
    {"AKIA", "aws-access-key", Of::kUpper, 16, 16},
    {"ASIA", "aws-access-key", Of::kUpper, 16, 16},
    {"ABIA", "aws-access-key", Of::kUpper, 16, 16},
    {"AIza", "google-api-key", Of::kUrl, 35, 35},
    {"ya29.", "google-oauth", Of::kUrl, 20, kLong},
    {"GOCSPX-", "google-oauth", Of::kUrl, 20, 64},
    {"ghp_", "github", Of::kWord, 16, 255},
    {"gho_", "github", Of::kWord, 16, 255},
    {"ghu_", "github", Of::kWord, 16, 255},
    {"ghs_", "github", Of::kWord, 16, 255},
    {"ghr_", "github", Of::kWord, 16, 255},
    {"github_pat_", "github", Of::kUrl, 22, 255},
    {"glpat-", "gitlab", Of::kDotted, 20, 128},
    {"gldt-", "gitlab", Of::kUrl, 20, 64},
    {"glrt-", "gitlab", Of::kUrl, 20, 64},
    {"xoxb-", "slack", Of::kUrl, 16, 255},
    {"xoxp-", "slack", Of::kUrl, 16, 255},
    {"xoxa-", "slack", Of::kUrl, 16, 255},
    {"xoxr-", "slack", Of::kUrl, 16, 255},
    {"xoxs-", "slack", Of::kUrl, 16, 255},
    {"xoxe-", "slack", Of::kUrl, 16, 255},
    {"xapp-", "slack", Of::kUrl, 16, 255},
    {"sk_live_", "stripe", Of::kWord, 16, 255},
    {"sk_test_", "stripe", Of::kWord, 16, 255},
    {"rk_live_", "stripe", Of::kWord, 16, 255},
    {"rk_test_", "stripe", Of::kWord, 16, 255},
    {"whsec_", "stripe", Of::kUrl, 16, 255},
    {"sk-ant-", "anthropic", Of::kUrl, 16, 255},
    {"sk-proj-", "openai", Of::kUrl, 16, 255},
    {"sk-or-", "openrouter", Of::kUrl, 16, 255},
    {"sk-", "openai", Of::kWord, 20, 255},
    {"hf_", "huggingface", Of::kWord, 30, 64},
    {"gsk_", "groq", Of::kWord, 32, 128},
    {"xai-", "xai", Of::kWord, 32, 128},
    {"r8_", "replicate", Of::kWord, 30, 64},
    {"pplx-", "perplexity", Of::kWord, 32, 128},
    {"npm_", "npm", Of::kWord, 36, 36},
    {"pypi-AgE", "pypi", Of::kUrl, 32, kLong},
    {"rubygems_", "rubygems", Of::kHex, 48, 48},
    {"dckr_pat_", "docker", Of::kUrl, 20, 64},
    {"dop_v1_", "digitalocean", Of::kHex, 64, 64},
    {"doo_v1_", "digitalocean", Of::kHex, 64, 64},
    {"SG.", "sendgrid", Of::kDotted, 40, 128},
    {"SK", "twilio", Of::kHex, 32, 32},
    {"sq0atp-", "square", Of::kUrl, 20, 64},
    {"sq0csp-", "square", Of::kUrl, 20, 64},
    {"EAAA", "square", Of::kUrl, 56, 128},
    {"shpat_", "shopify", Of::kHex, 32, 32},
    {"shpss_", "shopify", Of::kHex, 32, 32},
    {"shpca_", "shopify", Of::kHex, 32, 32},
    {"dapi", "databricks", Of::kHex, 32, 32},
    {"hvs.", "vault", Of::kUrl, 24, 255},
    {"hvb.", "vault", Of::kUrl, 24, 255},
    {"lin_api_", "linear", Of::kWord, 32, 64},
    {"ntn_", "notion", Of::kWord, 32, 64},
    {"secret_", "notion", Of::kWord, 43, 43},
    {"ATATT3", "atlassian", Of::kUrl, 24, 255},
    {"dp.pt.", "doppler", Of::kWord, 40, 64},
    {"pscale_tkn_", "planetscale", Of::kDotted, 32, 64},
    {"pul-", "pulumi", Of::kHex, 40, 40},
    {"glsa_", "grafana", Of::kUrl, 32, 64},
    {"glc_", "grafana", Of::kUrl, 32, 400},
    {"NRAK-", "newrelic", Of::kUpper, 27, 27},
    {"sntrys_", "sentry", Of::kUrl, 32, kLong},
    {"sbp_", "supabase", Of::kHex, 40, 40},
    {"figd_", "figma", Of::kUrl, 32, 64},
    {"nfp_", "netlify", Of::kWord, 36, 40},
    {"phx_", "posthog", Of::kWord, 32, 64},
    {"AGE-SECRET-KEY-1", "age", Of::kUpper, 58, 58},
    {"tskey-", "tailscale", Of::kUrl, 20, 128},
    {"fo1_", "fly", Of::kUrl, 32, 64},
    {"Bearer ", "bearer-token", Of::kDotted, 10, kLong},
    {"Basic ", "basic-credentials", Of::kUrl, 12, kLong},
    {"AccountKey=", "azure-storage", Of::kUrl, 40, 88},
};

constexpr FirstTwo first_two() {
  FirstTwo bits{};
  const auto add = [&](char first, char second) {
    const auto place = static_cast<std::size_t>(second);
    bits[static_cast<std::size_t>(first)][place / 64] |= 1ull << (place % 64);
  };
  for (const Prefix& prefix : kPrefixes) add(prefix.text[0], prefix.text[1]);
  add('e', 'y');  // a web token
  for (char first = '0'; first <= '9'; ++first)
    for (char second = '0'; second <= '9'; ++second) add(first, second);  // a bot's
  return bits;
}

bool may_follow(char c, Of of) {
  switch (of) {
    case Of::kWord: return is_word(c);
    case Of::kHex: return is_hex(c);
    case Of::kUpper: return is_digit(c) || (c >= 'A' && c <= 'Z');
    case Of::kUrl: return is_word(c) || c == '-' || c == '_' || c == '+' || c == '/' || c == '=';
    case Of::kDotted: return is_word(c) || c == '-' || c == '_' || c == '.';
  }
  return false;
}

std::size_t url_word_end(std::string_view text, std::size_t from) {
  while (from < text.size() && (is_word(text[from]) || text[from] == '-' || text[from] == '_')) ++from;
  return from;
}

// Three parts with points between, of which two are JSON objects in base64: they begin with eyJ.
std::optional<Finding> find_web_token(std::string_view text, std::size_t at) {
  if (text.substr(at, 3) != "eyJ") return std::nullopt;
  const std::size_t head = url_word_end(text, at);
  if (head - at < 10 || privacy::at(text, head) != '.' || text.substr(head + 1, 3) != "eyJ") return std::nullopt;
  const std::size_t body = url_word_end(text, head + 1);
  if (privacy::at(text, body) != '.') return std::nullopt;
  return Finding{Entity::kSecret, at, url_word_end(text, body + 1), 1.0, "jwt"};
}

// 123456789:AAE… of a bot on Telegram.
std::optional<Finding> find_bot_token(std::string_view text, std::size_t at) {
  std::size_t colon = at;
  while (colon - at < 11 && is_digit(privacy::at(text, colon))) ++colon;
  if (colon - at < 8 || privacy::at(text, colon) != ':') return std::nullopt;
  const std::size_t end = url_word_end(text, colon + 1);
  if (end - colon - 1 != 35) return std::nullopt;
  return Finding{Entity::kSecret, at, end, 0.9, "telegram"};
}

}  // namespace

constinit const FirstTwo kSecretBegins = first_two();

std::optional<Finding> find_secret(std::string_view text, std::size_t at) {
  if (is_digit(text[at])) return find_bot_token(text, at);
  if (text[at] == 'e') {
    if (auto token = find_web_token(text, at)) return token;
  }
  // Longer ones stand first: sk-ant- is not an sk-.
  for (const Prefix& prefix : kPrefixes) {
    if (prefix.text[0] != text[at] || !text.substr(at).starts_with(prefix.text)) continue;
    const std::size_t begin = at + prefix.text.size();
    std::size_t end = begin;
    bool digit = false;
    while (end < text.size() && end - begin <= prefix.most && may_follow(text[end], prefix.of)) {
      digit |= is_digit(text[end]);
      ++end;
    }
    while (end > begin && (text[end - 1] == '.' || text[end - 1] == '/')) --end;
    const std::size_t size = end - begin;
    // Words without a digit are names that begin alike.
    if (size < prefix.least || size > prefix.most || !digit) continue;
    return Finding{Entity::kSecret, at, end, 0.95, prefix.kind};
  }
  return std::nullopt;
}

std::optional<Finding> find_private_key(std::string_view text, std::size_t at) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  constexpr std::string_view kPrivate = "PRIVATE KEY";
  constexpr std::size_t kLongestTitle = 48;
  constexpr std::size_t kLongestKey = 16384;
  if (text.substr(at, kBegin.size()) != kBegin) return std::nullopt;
  const std::string_view title = text.substr(at, kBegin.size() + kLongestTitle);
  const std::size_t word = title.find(kPrivate);
  if (word == std::string_view::npos) return std::nullopt;
  const std::string_view body = text.substr(at, kLongestKey);
  const std::size_t last = body.find("-----END ", word);
  std::size_t end = at + word + kPrivate.size();
  if (last != std::string_view::npos) {
    end = at + last + 9;
    while (end < text.size() && end - at - last < 64 && (is_word(text[end]) || text[end] == ' ')) ++end;
  } else {
    // Its end is not here: everything that may be part of it.
    while (end - at < body.size() && ((classes_of(text[end]) & kBase64) != 0 || text[end] == '\n' ||
                                      text[end] == '\r' || text[end] == ' ' || text[end] == ':' || text[end] == ','))
      ++end;
  }
  while (end < text.size() && text[end] == '-') ++end;
  return Finding{Entity::kSecret, at, end, 1.0, "private-key"};
}

}  // namespace glovebox::privacy
