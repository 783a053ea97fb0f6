#include "capability/registry/registry.h"

#include <boost/asio/post.hpp>

#include "base/characters/ascii.h"
#include "base/text/json_text.h"
#include "base/try.h"
#include "base/whole_file.h"
#include "capability/limits.h"
#include "mcp/client/http_client_transport.h"
#include "mcp/client/http_fetch.h"
#include "mcp/json/json_tree.h"
#include "mcp/oauth/oauth_metadata.h"
#include "net/http_client.h"

namespace glovebox::capability {
namespace {

Failure unusable(const Fqdn& fqdn, const Failure& why) {
  return {why.code, fqdn.text() + ": " + why.message};
}

// A path beneath the folder that is no way out of it.
bool is_plain_path(const std::string& path) {
  return base::is_word(path, "._-/") && path.front() != '/' && ("/" + path + "/").find("/../") == std::string::npos;
}

class FolderRegistry final : public CapabilityRegistry {
 public:
  FolderRegistry(boost::asio::any_io_executor executor, std::string folder)
      : executor_(std::move(executor)), folder_(std::move(folder)) {}
  ~FolderRegistry() override { *alive_ = false; }

  void fetch(const Fqdn& fqdn, Done done) override {
    boost::asio::post(executor_, [alive = alive_, published = read(fqdn), done = std::move(done)] {
      if (*alive) done(published);
    });
  }

 private:
  Result<Published> read(const Fqdn& fqdn) const {
    const std::string path = folder_ + "/mcp/" + fqdn.text();
    auto text = base::read_whole_file(path, kMostMetadataBytes);
    if (!text && text.failure().code == ErrorCode::kNotFound)
      return Failure{ErrorCode::kNotFound, "the registry " + folder_ + " has no capability " + fqdn.text()};
    if (!text) return text.failure();
    auto fetched = read_answer(*text, fqdn);
    if (!fetched) return unusable(fqdn, fetched.failure());
    Published published{std::move(fetched->metadata), std::move(fetched->code)};
    if (!fetched->code_url.empty()) {
      if (!is_plain_path(fetched->code_url))
        return unusable(fqdn, {ErrorCode::kProtocol, "the metadata has a code_url outside the registry"});
      published.code = GLOVEBOX_TRY(base::read_whole_file(folder_ + "/mcp/" + fetched->code_url, kMostCodeBytes));
    }
    GLOVEBOX_TRY_VOID(verify_code(published.metadata, published.code));
    return published;
  }

  boost::asio::any_io_executor executor_;
  std::string folder_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

class HttpRegistry final : public CapabilityRegistry {
 public:
  HttpRegistry(boost::asio::any_io_executor executor, RegistryOptions options, policy::NetGrants grants)
      : executor_(std::move(executor)), options_(std::move(options)), client_(net::make_http_client()) {
    session_ = client_->open(std::move(grants));
  }
  ~HttpRegistry() override {
    *alive_ = false;
    session_.reset();
  }

  void fetch(const Fqdn& fqdn, Done done) override {
    const auto deadline = std::chrono::steady_clock::now() + options_.time;
    const std::string url = options_.address + "/mcp/" + fqdn.text();
    get(url, deadline, kMostMetadataBytes,
        [this, fqdn, url, deadline, done = std::move(done)](Result<std::string> text) {
          if (!text) return done(unusable(fqdn, text.failure()));
          auto fetched = read_answer(*text, fqdn);
          if (!fetched) return done(unusable(fqdn, fetched.failure()));
          auto published = std::make_shared<Published>();
          published->metadata = std::move(fetched->metadata);
          published->code = std::move(fetched->code);
          if (fetched->code_url.empty()) return done(checked(*published));
          get(beside(url, fetched->code_url), deadline, kMostCodeBytes,
              [fqdn, published, done](Result<std::string> code) {
                if (!code) return done(unusable(fqdn, {code.failure().code, "its code: " + code.failure().message}));
                published->code = std::move(code).value();
                done(checked(*published));
              });
        });
  }

 private:
  static Result<Published> checked(const Published& published) {
    GLOVEBOX_TRY_VOID(verify_code(published.metadata, published.code));
    return published;
  }

  // An address without a scheme is relative to that of the metadata. Another host is one that the owner has not named,
  // and the session's grants refuse it.
  static std::string beside(const std::string& url, const std::string& reference) {
    if (reference.find("://") != std::string::npos) return reference;
    const std::size_t path = url.find('/', url.find("://") + 3);
    if (reference.starts_with('/')) return url.substr(0, path) + reference;
    return url.substr(0, url.rfind('/') + 1) + reference;
  }

  void get(const std::string& url, std::chrono::steady_clock::time_point deadline, std::size_t most,
           std::function<void(Result<std::string>)> done) {
    net::HttpRequest request;
    request.url = url;
    request.headers = {{"Accept", "application/json, text/plain;q=0.5, */*;q=0.1"}};
    if (!options_.client_id.empty()) request.headers.push_back({"Glovebox-Client-Id", options_.client_id});
    request.deadline = deadline;
    mcp::fetch_whole(executor_, *session_, std::move(request), most,
                     [alive = alive_, done = std::move(done)](net::FetchResult<mcp::WholeResponse> response) {
                       if (*alive) done(body_of(std::move(response)));
                     });
  }

  static Result<std::string> body_of(net::FetchResult<mcp::WholeResponse> response) {
    using Kind = net::FetchError::Kind;
    if (!response) {
      const net::FetchError& error = response.failure();
      const bool said_too_much = error.kind == Kind::kLimit || error.kind == Kind::kDenied;
      if (error.kind == Kind::kTimeout) return Failure{ErrorCode::kSystem, "the registry did not answer in time"};
      return Failure{said_too_much ? ErrorCode::kProtocol : ErrorCode::kSystem,
                     "the registry could not be reached: " + error.message};
    }
    const int status = response->head.status;
    if (status == 404 || status == 410) return Failure{ErrorCode::kNotFound, "the registry has no such capability"};
    if (status != 200)
      return Failure{ErrorCode::kSystem, "the registry answered with status " + std::to_string(status)};
    return std::move(response->body);
  }

  boost::asio::any_io_executor executor_;
  RegistryOptions options_;
  std::unique_ptr<net::HttpClient> client_;
  std::unique_ptr<net::HttpSession> session_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

// Gives only what the owner's config expects, whatever the registry or an attacker on the network sends.
class PinnedRegistry final : public CapabilityRegistry {
 public:
  PinnedRegistry(std::unique_ptr<CapabilityRegistry> behind, ExpectedDigests digests)
      : behind_(std::move(behind)), digests_(std::move(digests)) {}

  void fetch(const Fqdn& fqdn, Done done) override {
    behind_->fetch(fqdn, [this, done = std::move(done)](Result<Published> published) {
      done(published ? expected(std::move(published).value()) : std::move(published));
    });
  }

 private:
  Result<Published> expected(Published published) const {
    const std::string name = published.metadata.fqdn.text();
    const std::string digest = Integrity::of(published.metadata.canonical()).text();
    const auto known = digests_.find(name);
    if (known == digests_.end())
      return Failure{ErrorCode::kProtocol,
                     "registryDigests of the config does not name " + name + ". It has " + digest};
    if (known->second != digest)
      return Failure{ErrorCode::kProtocol, name + " is not the one that registryDigests of the config names: that is " +
                                               known->second + ", and the registry has " + digest};
    return published;
  }

  std::unique_ptr<CapabilityRegistry> behind_;
  ExpectedDigests digests_;
};

Result<std::unique_ptr<CapabilityRegistry>> registry_at(boost::asio::any_io_executor executor,
                                                        RegistryOptions options) {
  while (options.address.size() > 1 && options.address.ends_with('/')) options.address.pop_back();
  if (options.address.starts_with('/'))
    return std::unique_ptr<CapabilityRegistry>(new FolderRegistry(std::move(executor), options.address));
  if (options.address.find_first_of("?#") != std::string::npos)
    return Failure{ErrorCode::kInvalidArgument, "the address of a registry has no query"};
  const std::string grant = GLOVEBOX_TRY(mcp::grant_for(options.address));
  // What is added first is pinned: an attacker on the network could choose it.
  if (!mcp::is_safe_endpoint(options.address) && !options.digests)
    return Failure{
        ErrorCode::kInvalidArgument,
        "the registry " + options.address +
            " uses plain http: use https, a folder, or registryDigests in the config, which say what it must contain"};
  // The owner has named this very host, wherever it is.
  auto grants = GLOVEBOX_TRY(policy::NetGrants::parse({grant}, true));
  return std::unique_ptr<CapabilityRegistry>(
      new HttpRegistry(std::move(executor), std::move(options), std::move(grants)));
}

}  // namespace

Result<std::unique_ptr<CapabilityRegistry>> make_registry(boost::asio::any_io_executor executor,
                                                          RegistryOptions options) {
  auto digests = options.digests;
  auto registry = GLOVEBOX_TRY(registry_at(std::move(executor), std::move(options)));
  if (!digests) return registry;
  return std::unique_ptr<CapabilityRegistry>(new PinnedRegistry(std::move(registry), std::move(*digests)));
}

Result<void> publish(const std::string& folder, const Metadata& metadata, const std::string& code) {
  GLOVEBOX_TRY_VOID(verify_code(metadata, code));
  GLOVEBOX_TRY_VOID(base::make_folder(folder, 0755));
  GLOVEBOX_TRY_VOID(base::make_folder(folder + "/mcp", 0755));
  auto object = GLOVEBOX_TRY(mcp::parse_object(metadata.canonical()));
  if (metadata.type == Metadata::Type::kDeno) object["code"] = code;
  const std::string text = base::pretty_json(boost::json::serialize(object)) + "\n";
  (void)GLOVEBOX_TRY(read_answer(text, metadata.fqdn));
  return base::replace_file(folder + "/mcp/" + metadata.fqdn.text(), text);
}

}  // namespace glovebox::capability
