#include "discovery/embeddings_message.h"

#include <cmath>

#include "base/text/json_builder.h"
#include "base/try.h"
#include "catalog/plain_text.h"
#include "mcp/json/json_tree.h"

namespace glovebox::discovery {
namespace {

constexpr std::size_t kMostDimensions = 4096;
constexpr std::size_t kMostTextBytes = 32 * 1024;
constexpr std::size_t kMostErrorBytes = 200;

Failure wrong(std::string what) {
  return {ErrorCode::kProtocol, "its answer cannot be used: " + std::move(what)};
}

Result<std::vector<float>> read_vector(const mcp::json::array& numbers) {
  if (numbers.empty() || numbers.size() > kMostDimensions) {
    return wrong("a vector of " + std::to_string(numbers.size()) + " dimensions");
  }
  std::vector<double> given;
  double squares = 0;
  for (const auto& item : numbers) {
    boost::system::error_code error;
    const double number = item.to_number<double>(error);
    if (error || !std::isfinite(number)) return wrong("a vector contains something that is not a number");
    squares += number * number;
    given.push_back(number);
  }
  const double length = std::sqrt(squares);
  if (!std::isfinite(length) || length < 1e-12) return wrong("a vector is zero");
  // Divided before the conversion to float, which would overflow earlier than double.
  std::vector<float> vector;
  for (const double number : given) vector.push_back(static_cast<float>(number / length));
  return vector;
}

}  // namespace

std::string endpoint_url(std::string_view configured) {
  std::string url(configured);
  const std::size_t query = url.find_first_of("?#");
  if (query != std::string::npos || url.ends_with("/embeddings")) return url;
  while (url.ends_with('/')) url.pop_back();
  const bool has_path = url.find('/', url.find("://") + 3) != std::string::npos;
  return url + (has_path ? "/embeddings" : "/v1/embeddings");
}

std::string embeddings_request(const std::string& model, const std::vector<std::string>& texts,
                               std::size_t dimensions) {
  base::ListText input;
  for (const std::string& text : texts) input.text(catalog::plain_text(text.empty() ? " " : text, kMostTextBytes));
  base::ObjectText body;
  body.text("model", catalog::plain_text(model)).json("input", input.done()).text("encoding_format", "float");
  if (dimensions > 0) body.number("dimensions", dimensions);
  return body.done();
}

Result<Vectors> read_embeddings(std::string_view body, std::size_t count, std::size_t dimensions) {
  const auto tree = mcp::parse_object(body);
  if (!tree) return wrong(tree.failure().message);
  const auto* data = mcp::array_member(*tree, "data");
  if (!data) return wrong("it has no \"data\"");
  if (data->size() != count) {
    return wrong(std::to_string(data->size()) + " vectors for " + std::to_string(count) + " texts");
  }
  Vectors vectors(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto* item = (*data)[i].if_object();
    const auto* numbers = item ? mcp::array_member(*item, "embedding") : nullptr;
    if (!numbers) return wrong("it has no \"embedding\"");
    // Most send them in order, some give the index.
    const double place = mcp::number_member(*item, "index").value_or(static_cast<double>(i));
    if (place < 0 || place >= static_cast<double>(count) || place != std::floor(place))
      return wrong("a wrong \"index\"");
    auto& vector = vectors[static_cast<std::size_t>(place)];
    if (!vector.empty()) return wrong("two vectors have the same \"index\"");
    vector = GLOVEBOX_TRY(read_vector(*numbers));
  }
  for (const auto& vector : vectors) {
    if (vector.size() == (dimensions > 0 ? dimensions : vectors.front().size())) continue;
    return wrong("vectors of " + std::to_string(vector.size()) + " dimensions" +
                 (dimensions > 0 ? " and not " + std::to_string(dimensions) : " beside others"));
  }
  return vectors;
}

std::string error_words(std::string_view body, const std::string& secret) {
  std::string words;
  if (const auto tree = mcp::parse_object(body)) {
    if (const auto* error = mcp::object_member(*tree, "error")) {
      words = mcp::string_member(*error, "message").value_or("");
    } else {
      words = mcp::string_member(*tree, "error").value_or(mcp::string_member(*tree, "message").value_or(""));
    }
  }
  constexpr std::string_view kHidden = "…";
  std::size_t at = secret.empty() ? words.npos : words.find(secret);
  for (; at != words.npos; at = words.find(secret, at + kHidden.size())) words.replace(at, secret.size(), kHidden);
  return catalog::plain_text(words, kMostErrorBytes);
}

}  // namespace glovebox::discovery
