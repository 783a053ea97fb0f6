// Values of every vendor's format, made from the vendors' own descriptions and not from our table. No real key is here,
// and none is spelled out: repository scanners would report it.
#include "privacy/secrets/vendor_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "privacy/filter.h"
#include "privacy/secrets/key_pattern.h"
#include "privacy/secrets/vendor_key_table.h"

namespace glovebox::privacy {
namespace {

using Random = std::mt19937;

struct Form {
  std::string_view kind;
  std::string_view form;  // a subset of regular expressions: text, [a-z0-9], {n}
};

constexpr Form kForms[] = {
    {"aws-access-key", "AKIA[A-Z2-7]{16}"},
    {"aws-access-key", "ASIA[A-Z2-7]{16}"},
    {"aws-access-key", "ABIA[A-Z2-7]{16}"},
    {"aws-access-key", "ACCA[A-Z2-7]{16}"},
    {"aws-bedrock", "ABSK[A-Za-z0-9+/]{120}"},
    {"google-api-key", "AIza[A-Za-z0-9_-]{35}"},
    {"google-oauth", "ya29.[A-Za-z0-9_-]{60}"},
    {"google-oauth", "GOCSPX-[A-Za-z0-9_-]{28}"},
    {"azure-storage", "AccountKey=[A-Za-z0-9+/]{86}=="},
    {"azure-sas", "sig=[A-Za-z0-9]{43}%3D"},
    {"azure-sas", "sig=[A-Za-z0-9]{43}="},
    {"alibaba", "LTAI[a-z0-9]{20}"},
    {"yandex", "AQVN[A-Za-z0-9_-]{36}"},
    {"digitalocean", "dop_v1_[a-f0-9]{64}"},
    {"digitalocean", "doo_v1_[a-f0-9]{64}"},
    {"digitalocean", "dor_v1_[a-f0-9]{64}"},
    {"cloudflare-origin", "v1.0-[a-f0-9]{24}-[a-f0-9]{146}"},
    {"cloudflare", "cfut_[A-Za-z0-9]{48}"},
    {"cloudflare", "cfat_[A-Za-z0-9]{48}"},
    {"fly", "fo1_[A-Za-z0-9_-]{43}"},
    {"fly", "fm1r_[A-Za-z0-9+/]{120}"},
    {"fly", "fm1a_[A-Za-z0-9+/]{120}"},
    {"fly", "fm2_[A-Za-z0-9+/]{120}"},
    {"heroku", "HRKU-AA[A-Za-z0-9_-]{58}"},
    {"netlify", "nfp_[A-Za-z0-9]{36}"},
    {"vercel", "vcp_[A-Za-z0-9]{56}"},
    {"supabase", "sbp_[a-f0-9]{40}"},
    {"supabase", "sb_secret_[A-Za-z0-9_-]{31}"},
    {"neon", "napi_[a-z0-9]{64}"},
    {"planetscale", "pscale_tkn_[A-Za-z0-9_-]{43}"},
    {"planetscale", "pscale_oauth_[A-Za-z0-9_-]{43}"},
    {"planetscale", "pscale_pw_[A-Za-z0-9_-]{43}"},
    {"databricks", "dapi[a-f0-9]{32}"},
    {"clickhouse", "4b1d[A-Za-z0-9]{38}"},
    {"tailscale", "tskey-auth-[A-Za-z0-9]{16}-[A-Za-z0-9]{32}"},
    {"github", "ghp_[A-Za-z0-9]{36}"},
    {"github", "gho_[A-Za-z0-9]{36}"},
    {"github", "ghu_[A-Za-z0-9]{36}"},
    {"github", "ghs_[A-Za-z0-9]{36}"},
    {"github", "ghr_[A-Za-z0-9]{36}"},
    {"github", "github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"},
    {"gitlab", "glpat-[A-Za-z0-9_-]{20}"},
    {"gitlab", "gldt-[A-Za-z0-9_-]{20}"},
    {"gitlab", "glrt-[A-Za-z0-9_-]{20}"},
    {"gitlab", "glptt-[a-f0-9]{40}"},
    {"gitlab", "glcbt-[a-f0-9]{2}_[A-Za-z0-9_-]{20}"},
    {"gitlab", "gloas-[a-f0-9]{64}"},
    {"atlassian", "ATATT3[A-Za-z0-9_-]{186}"},
    {"bitbucket", "ATBB[A-Za-z0-9]{32}"},
    {"npm", "npm_[A-Za-z0-9]{36}"},
    {"pypi", "pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{100}"},
    {"rubygems", "rubygems_[a-f0-9]{48}"},
    {"nuget", "oy2[a-z0-9]{43}"},
    {"clojars", "CLOJARS_[a-z0-9]{60}"},
    {"docker", "dckr_pat_[A-Za-z0-9_-]{27}"},
    {"docker", "dckr_oat_[A-Za-z0-9_-]{32}"},
    {"circleci", "CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}"},
    {"buildkite", "bkua_[a-f0-9]{40}"},
    {"pulumi", "pul-[a-f0-9]{40}"},
    {"doppler", "dp.pt.[A-Za-z0-9]{43}"},
    {"doppler", "dp.st.dev.[A-Za-z0-9]{43}"},
    {"doppler", "dp.ct.[A-Za-z0-9]{43}"},
    {"vault", "hvs.[A-Za-z0-9_-]{90}"},
    {"vault", "hvb.[A-Za-z0-9_-]{140}"},
    {"sourcegraph", "sgp_[a-f0-9]{16}_[a-f0-9]{40}"},
    {"artifactory", "AKCp[A-Za-z0-9]{69}"},
    {"artifactory", "cmVmd[A-Za-z0-9]{59}"},
    {"openshift", "sha256~[A-Za-z0-9_-]{43}"},
    {"1password", "ops_eyJ[A-Za-z0-9+/]{260}"},
    {"age", "AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"},
    {"octopus", "API-[A-Z0-9]{26}"},
    {"postman", "PMAK-[a-f0-9]{24}-[a-f0-9]{34}"},
    {"anthropic", "sk-ant-api03-[A-Za-z0-9_-]{93}AA"},
    {"openai", "sk-proj-[A-Za-z0-9_-]{58}T3BlbkFJ[A-Za-z0-9_-]{58}"},
    {"openai", "sk-svcacct-[A-Za-z0-9_-]{58}T3BlbkFJ[A-Za-z0-9_-]{58}"},
    {"openai", "sk-admin-[A-Za-z0-9_-]{58}T3BlbkFJ[A-Za-z0-9_-]{58}"},
    {"openai", "sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}"},
    {"openrouter", "sk-or-v1-[a-f0-9]{64}"},
    {"langfuse", "sk-lf-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}"},
    {"huggingface", "hf_[A-Za-z]{34}"},
    {"huggingface", "api_org_[A-Za-z]{34}"},
    {"groq", "gsk_[A-Za-z0-9]{52}"},
    {"xai", "xai-[A-Za-z0-9]{80}"},
    {"replicate", "r8_[A-Za-z0-9]{37}"},
    {"perplexity", "pplx-[A-Za-z0-9]{48}"},
    {"langsmith", "lsv2_pt_[a-f0-9]{32}_[a-f0-9]{10}"},
    {"langsmith", "lsv2_sk_[a-f0-9]{32}_[a-f0-9]{10}"},
    {"nvidia", "nvapi-[A-Za-z0-9_-]{64}"},
    {"pinecone", "pcsk_[A-Za-z0-9]{6}_[A-Za-z0-9]{63}"},
    {"jina", "jina_[a-f0-9]{32}[A-Za-z0-9]{28}"},
    {"tavily", "tvly-dev-[A-Za-z0-9]{32}"},
    {"firecrawl", "fc-[a-f0-9]{32}"},
    {"cerebras", "csk-[a-z0-9]{48}"},
    {"slack", "xoxb-[0-9]{12}-[0-9]{12}-[A-Za-z0-9]{24}"},
    {"slack", "xoxp-[0-9]{12}-[0-9]{12}-[0-9]{12}-[a-f0-9]{32}"},
    {"slack", "xoxa-2-[A-Za-z0-9]{40}"},
    {"slack", "xoxr-[A-Za-z0-9]{40}"},
    {"slack", "xoxs-[0-9]{12}-[0-9]{12}-[0-9]{12}-[a-f0-9]{32}"},
    {"slack", "xoxo-[0-9]{12}-[0-9]{12}-[0-9]{12}-[a-f0-9]{32}"},
    {"slack", "xoxe-1-[A-Z0-9]{146}"},
    {"slack", "xoxe.xoxp-1-[A-Z0-9]{164}"},
    {"slack", "xoxe.xoxb-1-[A-Z0-9]{164}"},
    {"slack", "xapp-1-[A-Z0-9]{11}-[0-9]{13}-[a-f0-9]{64}"},
    {"discord-bot", "MT[A-Za-z0-9]{24}.[A-Za-z0-9_-]{6}.[A-Za-z0-9_-]{38}"},
    {"discord-bot", "Nz[A-Za-z0-9]{22}.[A-Za-z0-9_-]{6}.[A-Za-z0-9_-]{27}"},
    {"discord-bot", "OD[A-Za-z0-9]{22}.[A-Za-z0-9_-]{6}.[A-Za-z0-9_-]{27}"},
    {"discord-bot", "Mj[A-Za-z0-9]{22}.[A-Za-z0-9_-]{6}.[A-Za-z0-9_-]{27}"},
    {"discord-bot", "Mz[A-Za-z0-9]{22}.[A-Za-z0-9_-]{6}.[A-Za-z0-9_-]{38}"},
    {"discord-bot", "ND[A-Za-z0-9]{22}.[A-Za-z0-9_-]{6}.[A-Za-z0-9_-]{27}"},
    {"discord-bot", "NT[A-Za-z0-9]{22}.[A-Za-z0-9_-]{6}.[A-Za-z0-9_-]{38}"},
    {"discord-bot", "Nj[A-Za-z0-9]{22}.[A-Za-z0-9_-]{6}.[A-Za-z0-9_-]{27}"},
    {"discord-bot", "OT[A-Za-z0-9]{22}.[A-Za-z0-9_-]{6}.[A-Za-z0-9_-]{38}"},
    {"sendgrid", "SG.[A-Za-z0-9_-]{22}.[A-Za-z0-9_-]{43}"},
    {"mailgun", "key-[a-f0-9]{32}"},
    {"mailgun", "pubkey-[a-f0-9]{32}"},
    {"brevo", "xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"},
    {"brevo", "xsmtpsib-[a-f0-9]{64}-[A-Za-z0-9]{16}"},
    {"resend", "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"},
    {"twilio", "SK[a-f0-9]{32}"},
    {"firebase", "AAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{140}"},
    {"stripe", "sk_live_[A-Za-z0-9]{24}"},
    {"stripe", "sk_test_[A-Za-z0-9]{99}"},
    {"stripe", "rk_live_[A-Za-z0-9]{24}"},
    {"stripe", "rk_test_[A-Za-z0-9]{24}"},
    {"stripe", "whsec_[A-Za-z0-9]{32}"},
    {"square", "sq0atp-[A-Za-z0-9_-]{22}"},
    {"square", "sq0csp-[A-Za-z0-9_-]{43}"},
    {"square", "EAAA[A-Za-z0-9_-]{60}"},
    {"facebook", "EAAM[A-Za-z0-9]{120}"},
    {"facebook", "EAAC[A-Za-z0-9]{120}"},
    {"shopify", "shpat_[a-fA-F0-9]{32}"},
    {"shopify", "shpss_[a-fA-F0-9]{32}"},
    {"shopify", "shpca_[a-fA-F0-9]{32}"},
    {"shopify", "shppa_[a-fA-F0-9]{32}"},
    {"plaid", "access-production-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}"},
    {"plaid", "access-sandbox-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}"},
    {"flutterwave", "FLWSECK_TEST-[a-h0-9]{32}"},
    {"flutterwave", "FLWSECK-[a-h0-9]{32}"},
    {"easypost", "EZAK[A-Za-z0-9]{54}"},
    {"easypost", "EZTK[A-Za-z0-9]{54}"},
    {"shippo", "shippo_live_[a-f0-9]{40}"},
    {"shippo", "shippo_test_[a-f0-9]{40}"},
    {"duffel", "duffel_live_[A-Za-z0-9_-]{43}"},
    {"duffel", "duffel_test_[A-Za-z0-9_-]{43}"},
    {"airtable", "pat[A-Za-z0-9]{14}.[a-f0-9]{64}"},
    {"linear", "lin_api_[A-Za-z0-9]{40}"},
    {"linear", "lin_oauth_[a-f0-9]{64}"},
    {"notion", "ntn_[0-9]{11}[A-Za-z0-9]{35}"},
    {"notion", "secret_[A-Za-z0-9]{43}"},
    {"figma", "figd_[A-Za-z0-9_-]{40}"},
    {"hubspot", "pat-na1-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}"},
    {"hubspot", "pat-eu1-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}"},
    {"typeform", "tfp_[A-Za-z0-9_-]{44}"},
    {"contentful", "CFPAT-[A-Za-z0-9_-]{43}"},
    {"readme", "rdme_[a-z0-9]{70}"},
    {"prefect", "pnu_[A-Za-z0-9]{36}"},
    {"frameio", "fio-u-[A-Za-z0-9_-]{64}"},
    {"dropbox", "sl.[A-Za-z0-9_-]{138}"},
    {"adobe", "p8e-[A-Za-z0-9]{32}"},
    {"mapbox", "pk.eyJ[A-Za-z0-9]{57}.[A-Za-z0-9_-]{22}"},
    {"mapbox", "sk.eyJ[A-Za-z0-9]{70}.[A-Za-z0-9_-]{22}"},
    {"mapbox", "tk.eyJ[A-Za-z0-9]{90}.[A-Za-z0-9_-]{22}"},
    {"grafana", "glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}"},
    {"grafana", "glc_[A-Za-z0-9+/]{120}"},
    {"newrelic", "NRAK-[A-Z0-9]{27}"},
    {"newrelic", "NRII-[a-zA-Z0-9-]{32}"},
    {"newrelic", "NRIQ-[a-zA-Z0-9-]{32}"},
    {"newrelic", "NRJS-[a-f0-9]{19}"},
    {"sentry", "sntrys_eyJ[A-Za-z0-9+/]{120}_[A-Za-z0-9+/]{43}"},
    {"sentry", "sntryu_[a-f0-9]{64}"},
    {"posthog", "phx_[A-Za-z0-9]{43}"},
    {"dynatrace", "dt0c01.[A-Z0-9]{24}.[A-Z0-9]{64}"},
    {"databricks", "dapi[a-f0-9]{32}-2"},
    {"sonar", "squ_[a-f0-9]{40}"},
    {"sonar", "sqp_[a-f0-9]{40}"},
    {"sonar", "sqa_[a-f0-9]{40}"},
    {"launchdarkly",
     "sdk-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-"
     "[a-f0-9]{4}-[a-f0-9]{12}"},
    {"elevenlabs", "sk_[a-f0-9]{48}"},
    {"razorpay", "rzp_live_[A-Za-z0-9]{14}"},
    {"razorpay", "rzp_test_[A-Za-z0-9]{14}"},
    {"paypal", "access_token$production$[a-z0-9]{16}$[a-f0-9]{32}"},
    {"paypal", "access_token$sandbox$[a-z0-9]{16}$[a-f0-9]{32}"},
    {"lob", "live_[a-f0-9]{35}"},
    {"lob", "test_[a-f0-9]{35}"},
    {"dropbox", "sl.u.[A-Za-z0-9_-]{140}"},
    {"trello", "ATTA[a-f0-9]{72}"},
    {"clickup", "pk_[0-9]{8}_[A-Z0-9]{32}"},
    {"intercom", "dG9rO[A-Za-z0-9]{54}="},
    {"asana", "1/[0-9]{16}:[a-f0-9]{32}"},
    {"asana", "2/[0-9]{16}/[0-9]{16}:[a-f0-9]{32}"},
    {"terraform", "[A-Za-z0-9]{14}.atlasv1.[A-Za-z0-9_-]{67}"},
    {"mailgun", "[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}"},
    {"azure-ad", "[A-Za-z0-9_-]{3}8Q~[A-Za-z0-9_~-]{34}"},
    {"bearer-token", "Bearer [A-Za-z0-9]{24}"},
    {"basic-credentials", "Basic [A-Za-z0-9]{30}=="},
    {"slack-webhook", "https://hooks.slack.com/services/T[A-Z0-9]{8}/B[A-Z0-9]{10}/[A-Za-z0-9]{24}"},
    {"slack-webhook", "https://hooks.slack.com/workflows/T[A-Z0-9]{8}/A[A-Z0-9]{10}/[0-9]{18}/[A-Za-z0-9]{24}"},
    {"slack-webhook", "https://hooks.slack.com/triggers/T[A-Z0-9]{8}/[0-9]{13}/[a-f0-9]{32}"},
    {"discord-webhook", "https://discord.com/api/webhooks/[1-9]{18}/[A-Za-z0-9_-]{68}"},
    {"discord-webhook", "https://discordapp.com/api/webhooks/[1-9]{19}/[A-Za-z0-9_-]{68}"},
    {"discord-webhook", "https://ptb.discord.com/api/webhooks/[1-9]{18}/[A-Za-z0-9_-]{68}"},
    {"discord-webhook", "https://canary.discord.com/api/webhooks/[1-9]{19}/[A-Za-z0-9_-]{68}"},
    {"teams-webhook",
     "https://outlook.office.com/webhook/"
     "[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}@"
     "[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}/IncomingWebhook/[a-f0-9]{32}/"
     "[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}"},
    {"teams-webhook",
     "https://contoso.webhook.office.com/webhookb2/"
     "[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}@"
     "[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}/IncomingWebhook/[a-f0-9]{32}/"
     "[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}"},
    {"teams-webhook",
     "https://contoso.webhook.office.com/webhookb2/"
     "[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}@"
     "[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}/IncomingWebhook/[a-f0-9]{32}/"
     "[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}/V2[A-Za-z0-9_-]{43}"},
    {"zapier-webhook", "https://hooks.zapier.com/hooks/catch/[1-9]{7}/[a-z0-9]{7}"},
    {"telegram", "https://api.telegram.org/bot[1-9]{10}:AA[A-Za-z0-9_-]{33}"},
};

std::string value_of(std::string_view form, Random& random) {
  std::string value;
  for (std::size_t i = 0; i < form.size();) {
    if (form[i] != '[') {
      value += form[i++];
      continue;
    }
    std::string set;
    for (++i; form[i] != ']'; ++i) {
      if (form[i + 1] == '-' && form[i + 2] != ']') {
        for (char c = form[i]; c <= form[i + 2]; ++c) set += c;
        i += 2;
      } else {
        set += form[i];
      }
    }
    const std::size_t close = form.find('}', i);
    const int count = std::stoi(std::string(form.substr(i + 2, close - i - 2)));
    for (int n = 0; n < count; ++n) value += set[random() % set.size()];
    i = close + 1;
  }
  // A dash at the end of a random part counts as punctuation for a reader as well.
  while (value.back() == '-' || value.back() == '_' || value.back() == '/') value.back() = '7';
  return value;
}

TEST(VendorKeys, EveryKindHasValuesHere) {
  std::set<std::string_view> kinds;
  for (const Form& form : kForms) kinds.insert(form.kind);
  for (const VendorKey& key : kVendorKeys) EXPECT_TRUE(kinds.contains(key.kind)) << key.kind;
  for (const VendorKey& url : kSecretUrls) EXPECT_TRUE(kinds.contains(url.kind)) << url.kind;
  for (const VendorKey& key : kMarkedKeys) EXPECT_TRUE(kinds.contains(key.kind)) << key.kind;
}

// Each row of the tables states where its format is from, and some value here is of it.
TEST(VendorKeys, EveryRowHasASourceAndAValue) {
  Random random(5);
  std::vector<std::string> values;
  for (const Form& form : kForms) values.push_back(value_of(form.form, random));
  const auto check = [&](const VendorKey& key, std::string_view before) {
    EXPECT_FALSE(key.source.empty()) << key.pattern;
    EXPECT_TRUE(std::any_of(values.begin(), values.end(), [&](std::string_view value) {
      return value.starts_with(before) && key_end(key.pattern, value, before.size()) == value.size();
    })) << key.pattern;
  };
  for (const VendorKey& key : kVendorKeys) check(key, "");
  for (const VendorKey& url : kSecretUrls) check(url, "https://");
  for (const VendorKey& key : kMarkedKeys) check(key, "");
}

TEST(VendorKeys, NothingOfAnyLeaves) {
  const Filter filter(std::make_shared<Detector>(), nullptr, Mode::kTokenize);
  const std::pair<std::string, std::string> around[] = {
      {"", ""},           {"use ", " for it"}, {"\"", "\""},        {"{\"k\":\"", "\"}"},
      {"'", "',"},        {"(", ")"},          {"export K=", "\n"}, {"2026-11-17 INFO k=", " ok"},
      {"- ", "\n- next"}, {"`", "`."},         {"<k>", "</k>"}};
  Random random(3);
  for (const Form& form : kForms) {
    for (int i = 0; i < 8; ++i) {
      const std::string value = value_of(form.form, random);
      for (const auto& [before, behind] : around) {
        const std::string text = filter.text(before + value + behind).text;
        ASSERT_TRUE(text.starts_with(before + "<SECRET:") && text.ends_with(">" + behind) &&
                    std::count(text.begin(), text.end(), '>') == 1 + std::count(before.begin(), before.end(), '>') +
                                                                     std::count(behind.begin(), behind.end(), '>'))
            << form.kind << ": " << before << value << behind << "\n"
            << text;
      }
    }
  }
}

TEST(VendorKeys, NamesThatBeginAlikeAreNone) {
  for (const char* text :
       {"sk-learn and task-force-one-two-three", "npm_config_registry_and_the_rest_of_a_long_name", "hf_hub_download",
        "key-value-store", "pat", "re_compile_with_options", "secret_sauce_recipe", "glsa_", "dapi_version",
        "AKIAXXXXXXXXXXXXXXXX", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "SKIP", "access-production-line",
        "https://hooks.slack.com/services/YOUR/WEBHOOK/URL", "https://discord.com/api/webhooks/ID/TOKEN",
        "Bearer token", "sig=abc", "Basic authentication is used"})
    EXPECT_TRUE(Detector().scan(text).empty()) << text;
}

TEST(KeyPattern, CountsAndNeverGoesBack) {
  EXPECT_EQ(key_end("a-%x{4}", "a-12ef ", 0), 6u);
  EXPECT_EQ(key_end("a-%x{4}", "a-12efa", 0), std::nullopt);
  EXPECT_EQ(key_end("a-%x{4}", "a-12e", 0), std::nullopt);
  EXPECT_EQ(key_end("%d{2,3}:%w{1,}", "123:abc.", 0), 7u);
  EXPECT_EQ(key_end("k.%o{3,}", "k.a.b...", 0), 5u);
  EXPECT_EQ(literal_beginning("PMAK-%x{24}"), "PMAK-");
}

}  // namespace
}  // namespace glovebox::privacy
