#include "agent_tools/answer/result_part.h"

#include <algorithm>

#include "agent_tools/answer/json_shape.h"
#include "agent_tools/answer/media_blocks.h"
#include "base/text/json_builder.h"
#include "base/text/log_text.h"
#include "base/text/utf8.h"
#include "base/try.h"

namespace glovebox::agent_tools {
namespace {

using base::json_text;
using base::ObjectText;
using mcp::json::value;

// Enough to see what it is. A program that returned too much rarely needs the first tenth of it.
constexpr std::size_t kMostHeadBytes = 4096;

std::string seen(std::string json, const Budget& budget) {
  return budget.as_client_sees ? budget.as_client_sees(std::move(json)) : json;
}

// Collects what fits, in order, and knows where the next part begins.
class Part {
 public:
  Part(const PartWish& wish, std::size_t total, const Budget& budget)
      : begin_(std::min(wish.offset, total)),
        most_(wish.limit == 0 ? total : wish.limit),
        total_(total),
        budget_(budget.bytes) {}

  std::size_t begin() const { return begin_; }
  std::size_t end() const { return begin_ + count_; }
  std::size_t total() const { return total_; }
  bool is_open() const { return end() < total_ && count_ < most_; }

  // To a ListText, or with a key to an ObjectText. False: there is no room for it, and this part ends before it.
  template <typename Text, typename... Key>
  bool add(Text& text, const value& item, const std::string& path, const Key&... key) {
    std::string json = mcp::json::serialize(item);
    if (json.size() > budget_) {
      json = json_text(shape_of_json(item) + ", " + with_commas(json.size()) + " bytes: read it with the path " + path);
    }
    if (count_ > 0 && text.size() - 1 + json.size() > budget_) return false;
    text.json(key..., json);
    ++count_;
    return true;
  }

 private:
  std::size_t begin_;
  std::size_t most_;
  std::size_t total_;
  std::size_t budget_;
  std::size_t count_ = 0;
};

std::string pointer_step(std::string_view key) {
  std::string step = "/";
  for (const char c : key) step += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return step;
}

ResultPart make_part(const std::string& run, const PartWish& wish, const std::string& json, std::size_t end,
                     std::size_t total) {
  ResultPart part;
  ObjectText members;
  members.json("value", json).number("total", total);
  part.text = base::neutralise_json(json);
  if (end < total) {
    const std::string next = reading_on(run, wish.path, end);
    members.text("next", next);
    part.text += "\n\n" + with_commas(end) + " of " + with_commas(total) + ". " + next;
  }
  part.json = members.done();
  return part;
}

ResultPart part_of_text(const std::string& run, const std::string& text, const PartWish& wish, const Budget& budget) {
  std::size_t begin = std::min(wish.offset, text.size());
  while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xc0) == 0x80) ++begin;
  const std::size_t most = wish.limit == 0 ? budget.bytes : std::min(wish.limit, budget.bytes);
  std::string_view part = base::beginning_of(std::string_view(text).substr(begin), most);
  // A limit that is less than a character would never come to its end.
  if (part.empty() && begin < text.size()) part = base::beginning_of(std::string_view(text).substr(begin), 4);
  return make_part(run, wish, json_text(part), begin + part.size(), text.size());
}

ResultPart part_of(const std::string& run, const value& found, const PartWish& wish, const Budget& budget) {
  if (const auto* text = found.if_string())
    return part_of_text(run, std::string(text->data(), text->size()), wish, budget);
  if (const auto* items = found.if_array()) {
    Part part(wish, items->size(), budget);
    base::ListText list;
    while (part.is_open() && part.add(list, (*items)[part.end()], wish.path + "/" + std::to_string(part.end()))) {
    }
    return make_part(run, wish, list.done(), part.end(), part.total());
  }
  if (const auto* members = found.if_object()) {
    Part part(wish, members->size(), budget);
    ObjectText object;
    while (part.is_open()) {
      const auto& member = *(members->begin() + static_cast<std::ptrdiff_t>(part.end()));
      const std::string_view key(member.key().data(), member.key().size());
      if (!part.add(object, member.value(), wish.path + pointer_step(key), key)) break;
    }
    return make_part(run, wish, object.done(), part.end(), part.total());
  }
  return make_part(run, wish, mcp::json::serialize(found), 1, 1);
}

}  // namespace

std::string reading_on(const std::string& run, const std::string& path, std::size_t offset) {
  const std::string arguments = ObjectText().text("run_id", run).text("path", path).number("offset", offset).done();
  return "Read more with get_run " + arguments + ".";
}

ResultPart beginning_of_result(const std::string& run, std::string_view result, const Budget& budget) {
  const std::string json = seen(std::string(result), budget);
  const auto tree = parse_kept(json);
  const std::string shape =
      (tree ? shape_of_json(*tree) : std::string("JSON")) + ", " + with_commas(result.size()) + " bytes";
  const std::string shown = base::neutralise_json(json);
  const std::string head(base::beginning_of(shown, std::min(budget.bytes, kMostHeadBytes)));
  const std::string next = "This is its beginning: return less, or r" + reading_on(run, "/result", 0).substr(1);
  return {ObjectText().text("shape", shape).text("head", head).text("next", next).done(),
          shape + "\n" + head + "…\n\n" + next,
          {}};
}

Result<ResultPart> read_part(const std::string& run, const std::string& outcome_json, const PartWish& wish,
                             const Budget& budget) {
  value tree = GLOVEBOX_TRY(parse_kept(seen(outcome_json, budget)));
  mcp::json::error_code wrong;
  value* found = wish.path.empty() ? &tree : tree.find_pointer(wish.path, wrong);
  if (!found) {
    return Failure{ErrorCode::kNotFound, "nothing exists at " + base::neutralise(wish.path) +
                                             "; a path is a JSON pointer such as /result/0/name, /logs or /trace"};
  }
  const std::vector<std::string> blocks = take_media(*found);
  ResultPart part = part_of(run, *found, wish, budget);
  part.blocks = blocks;
  return part;
}

}  // namespace glovebox::agent_tools
