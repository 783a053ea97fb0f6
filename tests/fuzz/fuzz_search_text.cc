// An untrusted tool definition and an untrusted request, one per line: an index takes both, and scores stay valid.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "expect.h"
#include "search/evaluation.h"
#include "search/tool_index.h"

namespace fuzz_search_text {

FUZZ_TARGET(search_text) {
  using namespace glovebox::search;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(text.find('\n'), text.size());
  const std::string_view first = text.substr(0, line);
  const std::string_view rest = line < size ? text.substr(line + 1) : std::string_view();

  ToolIndex index;
  const ToolText tool = tool_text(rest.substr(0, 40), first.substr(0, 40), rest, first);
  FUZZ_EXPECT(tool.parameters.size() <= 200);
  (void)embedding_text(tool);
  index.put(0, tool);
  index.put(3, tool_text("weather", "forecast", "", ""));
  const Query query = split_query(rest);
  FUZZ_EXPECT(query.clauses.size() <= 64);
  for (const Hit& hit : index.search(query, 5, [](std::uint32_t) { return true; }))
    FUZZ_EXPECT((hit.id == 0 || hit.id == 3) && hit.score >= 0 && hit.score <= 1 && hit.lexical >= 0 &&
                hit.lexical <= 1);
  index.remove(std::array<std::uint32_t, 2>{0, 3});
  FUZZ_EXPECT(index.size() == 0);

  if (const auto tools = parse_tools(text, "tools"); tools) (void)parse_queries(text, "queries", *tools, "");
  return 0;
}

}  // namespace fuzz_search_text
