// Requests to an endpoint like OpenAI's /v1/embeddings, and its responses. The endpoint is the owner's choice, yet its
// responses are checked like any untrusted text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "discovery/embedder.h"

namespace glovebox::discovery {

// Where requests go: `configured` may be the endpoint itself, or the base address that other clients expect.
std::string endpoint_url(std::string_view configured);

// `dimensions` 0: as many as the model has.
std::string embeddings_request(const std::string& model, const std::vector<std::string>& texts, std::size_t dimensions);

// `count` vectors in the order of the texts, made to unit length. `dimensions` 0: any length, the same for all.
Result<Vectors> read_embeddings(std::string_view body, std::size_t count, std::size_t dimensions);

// The message of an error response, short, and without `secret`.
std::string error_words(std::string_view body, const std::string& secret);

}  // namespace glovebox::discovery
