#include "capability/metadata/inferred_schema.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "mcp/json/schema.h"

namespace glovebox::capability {
namespace {

namespace json = boost::json;

TEST(InferredSchema, FitsItsExampleAndWhatIsLikeIt) {
  const json::value example = json::parse(R"({"a":1,"b":"x","c":[1,2],"d":{"e":true},"f":null,"g":[1,"x"],"h":[]})");
  const auto schema = mcp::Schema::compile(json::parse(inferred_schema(example)));
  ASSERT_TRUE(schema.ok());
  EXPECT_FALSE(schema->check(example));
  EXPECT_FALSE(schema->check(json::parse(R"({"a":1.5,"b":"","c":[],"d":{"e":false},"f":7,"g":[{}],"h":[1]})")));
  for (const char* other : {R"({"a":"1","b":"x","c":[1],"d":{"e":true},"f":null,"g":[],"h":[]})",
                            R"({"a":1,"b":"x","c":["1"],"d":{"e":true},"f":null,"g":[],"h":[]})",
                            R"({"a":1,"b":"x","c":[1],"d":{},"f":null,"g":[],"h":[]})", "{}", "[]"})
    EXPECT_TRUE(schema->check(json::parse(other))) << other;
}

}  // namespace
}  // namespace glovebox::capability
