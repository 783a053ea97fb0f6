// Client's lists, over all their pages.
#include <set>

#include "base/text/json_builder.h"
#include "mcp/client/client.h"
#include "mcp/limits.h"
#include "mcp/tasks/client_tasks.h"

namespace glovebox::mcp {

void Client::list(std::string method, std::string items, std::size_t max_bytes,
                  std::function<void(Result<std::vector<std::string>, RequestFailure>)> done) {
  struct Listing {
    std::vector<std::string> found;
    std::set<std::string> cursors;
    std::size_t bytes = 0;
    std::function<void(const std::string&)> next;
  };
  auto listing = std::make_shared<Listing>();
  listing->next = [self = shared_from_this(), listing, method, items, max_bytes, done](const std::string& cursor) {
    const auto finish = [listing, done](Result<std::vector<std::string>, RequestFailure> result) {
      const auto held = std::move(listing->next);  // breaks the reference cycle of the pages
      done(std::move(result));
    };
    self->call(
        method, cursor.empty() ? "" : base::ObjectText().json("cursor", cursor).done(), {},
        [listing, items, max_bytes, method, finish](Result<CallReply, RequestFailure> reply) {
          if (!reply) return finish(reply.failure());
          const auto slices = base::JsonSlices::of(reply->result(), {.max_depth = kMaxMessageDepth});
          const std::string text(slices && slices->has(items) ? slices->raw(items) : "null");
          const auto parts = base::slice_array(text, {.max_depth = kMaxMessageDepth}, kMaxListItems);
          if (!parts) return finish(protocol_failure(method + " has no usable " + items));
          for (const std::string_view item : *parts) {
            listing->bytes += item.size();
            listing->found.emplace_back(item);
          }
          if (listing->bytes > max_bytes || listing->found.size() > kMaxListItems)
            return finish(RequestFailure{RequestFailureKind::kTooLarge, method + " has too much to list", {}, 0});
          const std::string cursor(slices->raw("nextCursor"));
          if (cursor.empty() || cursor == "null" || cursor == "\"\"") return finish(std::move(listing->found));
          if (cursor.front() != '"' || !listing->cursors.insert(cursor).second || listing->cursors.size() > kMaxPages)
            return finish(protocol_failure(method + " returns pages without end"));
          listing->next(cursor);
        });
  };
  listing->next("");
}

void Client::list_tools(std::size_t max_bytes, std::function<void(Result<Tools, RequestFailure>)> done) {
  list("tools/list", "tools", max_bytes,
       [self = shared_from_this(), done](Result<std::vector<std::string>, RequestFailure> found) {
         if (!found) return done(found.failure());
         Tools tools;
         self->mirrored_.clear();
         self->task_tools_.clear();
         for (std::string& text : *found) {
           const auto tool = parse_object(text);
           const auto name = tool ? string_member(*tool, "name") : std::nullopt;
           const json::object* schema = tool ? object_member(*tool, "inputSchema") : nullptr;
           if (!name || !schema || name->empty() || name->size() > kMaxNameBytes) {
             tools.refused.push_back(tool ? "a tool without a usable name or input schema"
                                          : "a tool that cannot be read: " + tool.failure().message);
             continue;
           }
           if (self->transport_->mirrors()) {
             auto mirrored = mirrored_arguments(*schema);
             if (!mirrored) {
               tools.refused.push_back(*name + ": " + mirrored.failure().message);
               continue;
             }
             self->mirrored_[*name] = std::move(mirrored).value();
           }
           if (runs_as_task(*tool)) self->task_tools_.insert(*name);
           tools.usable.push_back(std::move(text));
         }
         done(std::move(tools));
       });
}

}  // namespace glovebox::mcp
