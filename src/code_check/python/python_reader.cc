#include "code_check/python/python_reader.h"

#include <boost/asio/post.hpp>
#include <boost/json.hpp>

namespace glovebox::code_check {
namespace {

namespace json = boost::json;

constexpr const char* kReaderProgram = "from glovebox_guest import written_calls\nwritten_calls.serve(mcp.reader.next)";
// For one program, as for a check of TypeScript.
constexpr std::chrono::seconds kReadTime{3};
constexpr std::chrono::seconds kReaderIdleTime{30};
// Then another guest takes its place.
constexpr std::size_t kMostRead = 500;

std::string end_of(const Outcome& outcome) {
  const RunError* error = outcome.error();
  return error ? error->code.text() + ": " + error->message : "the reader has ended";
}

RunRequest reader_run() {
  RunRequest request;
  request.code = kReaderProgram;
  request.language = Language::kPython;
  request.name = "check.py";
  // What bounds it is the time of each program.
  constexpr std::chrono::hours kLong{1};
  request.config.timeout = request.config.python_cpu = kLong;
  request.config.total_timeout = kLong;
  return request;
}

}  // namespace

// The guest's side of it: a tool that gives the next program and takes what was found in the one before.
class PythonReader::Desk : public ToolHost {
 public:
  Desk(std::weak_ptr<PythonReader> reader, boost::asio::any_io_executor executor, std::uint64_t generation)
      : reader_(std::move(reader)), executor_(std::move(executor)), generation_(generation) {}

  std::vector<ToolNamespace> tools() const override { return {{"reader", {"next"}}}; }
  bool keeps_time() const override { return true; }
  void call(ToolCall call, ToolAnswer answer) override {
    boost::asio::post(executor_,
                      [reader = reader_, generation = generation_, call = std::move(call), answer = std::move(answer)] {
                        if (const auto self = reader.lock()) self->on_call(generation, call.arguments_json, answer);
                      });
  }

 private:
  std::weak_ptr<PythonReader> reader_;
  boost::asio::any_io_executor executor_;
  std::uint64_t generation_;
};

PythonReader::PythonReader(boost::asio::any_io_executor executor, Sandbox& sandbox, bool stays)
    : executor_(std::move(executor)), sandbox_(sandbox), stays_(stays), timer_(executor_) {}

void PythonReader::read(const std::string& code, const std::vector<std::string>& servers, Done done) {
  json::array names(servers.begin(), servers.end());
  line_.push_back({json::serialize(json::object{{"code", code}, {"servers", std::move(names)}}), std::move(done)});
  if (waiting_) return hand_next();
  if (!run_) start();
}

void PythonReader::start() {
  const std::uint64_t generation = ++generation_;
  read_ = 0;
  RunRequest request = reader_run();
  request.tools = std::make_shared<Desk>(weak_from_this(), executor_, generation);
  run_ = sandbox_.submit(std::move(request),
                         [weak = weak_from_this(), executor = executor_, generation](const Outcome& outcome) {
                           boost::asio::post(executor, [weak, generation, why = end_of(outcome)] {
                             if (const auto self = weak.lock()) self->on_end(generation, why);
                           });
                         });
}

void PythonReader::on_call(std::uint64_t generation, const std::string& arguments, const ToolAnswer& answer) {
  if (generation != generation_) return;  // of a former guest, which gets no answer and ends
  no_alarm();
  if (asked_) finish(written_calls_in(arguments));
  waiting_ = answer;
  // No clock of the run is to run meanwhile.
  waiting_->waits_for_person(true);
  hand_next();
}

void PythonReader::hand_next() {
  if (!waiting_ || asked_) return;
  if (read_ >= kMostRead || (line_.empty() && !stays_)) return let_go();
  if (line_.empty()) return after(kReaderIdleTime, [this] { let_go(); });
  asked_ = std::move(line_.front());
  line_.pop_front();
  ++read_;
  const auto text = std::make_shared<const std::string>(asked_->asked);
  const ToolAnswer answer = *std::exchange(waiting_, std::nullopt);
  answer.waits_for_person(false);
  answer.value(text, *text);
  after(kReadTime, [this] {
    const Run slow = *run_;
    on_end(generation_, "reading it takes too long");
    slow.cancel();
  });
}

// It ends, and the next program starts another.
void PythonReader::let_go() {
  const auto answer = std::exchange(waiting_, std::nullopt);
  if (answer) answer->value(nullptr, "null");
}

void PythonReader::on_end(std::uint64_t generation, const std::string& why) {
  if (generation != generation_) return;
  no_alarm();
  ++generation_;
  run_.reset();
  waiting_.reset();
  const bool never_began = read_ == 0 && !asked_;
  if (asked_) finish(Failure{ErrorCode::kSandboxUnavailable, why});
  // Where no guest can be had, programs that wait for one fail.
  while (never_began && !line_.empty()) {
    asked_ = std::move(line_.front());
    line_.pop_front();
    finish(Failure{ErrorCode::kSandboxUnavailable, why});
  }
  if (!line_.empty()) start();
}

void PythonReader::finish(Result<WrittenCalls> read) {
  const Done done = std::move(asked_->done);
  asked_.reset();
  boost::asio::post(executor_, [done, read = std::move(read)] { done(read); });
}

void PythonReader::after(std::chrono::milliseconds time, std::function<void()> action) {
  timer_.expires_after(time);
  timer_.async_wait([weak = weak_from_this(), alarm = ++alarm_, action = std::move(action)](const auto& error) {
    if (const auto self = weak.lock(); self && !error && self->alarm_ == alarm) action();
  });
}

void PythonReader::no_alarm() {
  ++alarm_;
  timer_.cancel();
}

}  // namespace glovebox::code_check
