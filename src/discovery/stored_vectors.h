// Vectors of tools in the store. A catalog may have thousands and the database may be slow or away, so they are read
// and written on the store's thread.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "search/calibration.h"
#include "store/store.h"

namespace glovebox::discovery {

class StoredVectors {
 public:
  using Records = std::vector<store::VectorRecord>;

  // On one thread, the executor's; nothing is called after the destructor.
  StoredVectors(boost::asio::any_io_executor executor, store::Store& store,
                std::function<void(const std::string&)> on_notice)
      : executor_(std::move(executor)), store_(store), on_notice_(std::move(on_notice)) {}
  ~StoredVectors() { *alive_ = false; }
  StoredVectors(const StoredVectors&) = delete;
  StoredVectors& operator=(const StoredVectors&) = delete;

  // `done` gets the records, those that are stored with their vectors.
  void find(const std::string& model, Records wanted, std::int64_t now, std::function<void(Records)> done);
  void keep(const std::string& model, Records records, std::int64_t now);
  // Deletes those that were not used for long, and the oldest of too many.
  void prune(std::int64_t now);
  // The measured scale of a model, beside its vectors.
  void find_scale(const std::string& model, std::int64_t now,
                  std::function<void(const std::optional<search::CosineScale>&)> done);
  void keep_scale(const std::string& model, const search::CosineScale& scale, std::int64_t now);

 private:
  // From the store's thread to the executor's.
  std::function<void(std::function<void()>)> back() const;
  std::function<void(const Result<void>&)> report() const;

  boost::asio::any_io_executor executor_;
  store::Store& store_;
  std::function<void(const std::string&)> on_notice_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // used on the executor's thread alone
};

}  // namespace glovebox::discovery
