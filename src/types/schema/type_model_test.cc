#include "types/schema/type_model.h"

#include <gtest/gtest.h>

namespace glovebox::types {
namespace {

using Kind = Type::Kind;

Type object(const char* name, Type type, bool is_required = false) {
  return {.kind = Kind::kObject, .properties = {{.name = name, .type = std::move(type), .is_required = is_required}}};
}

TEST(TypeModel, AUnionHoldsNothingTwice) {
  const Type type = union_of({Type::of(Kind::kNull), Type::of(Kind::kString), Type::of(Kind::kNever),
                              union_of({Type::of(Kind::kString), Type::of(Kind::kNumber)})});
  ASSERT_EQ(type.kind, Kind::kUnion);
  ASSERT_EQ(type.parts.size(), 3u);
  EXPECT_TRUE(type.parts.back().is(Kind::kNull));
  EXPECT_TRUE(union_of({Type::of(Kind::kString), Type::any("why")}).is(Kind::kAny));
  EXPECT_EQ(union_of({Type::of(Kind::kString), Type::any("why")}).remark, "why");
  EXPECT_TRUE(union_of({}).is(Kind::kNever));
}

TEST(TypeModel, AnIntersectionOfObjectsIsOne) {
  const Type type = intersection_of({object("a", Type::of(Kind::kString)), Type::any(), object("a", Type::any(), true),
                                     object("b", Type::of(Kind::kNumber))});
  ASSERT_EQ(type.kind, Kind::kObject);
  ASSERT_EQ(type.properties.size(), 2u);
  EXPECT_TRUE(type.properties[0].is_required);
  EXPECT_TRUE(type.properties[0].type.is(Kind::kString));
}

TEST(TypeModel, AnEmptyObjectAddsNothingToOthers) {
  const Type name{.kind = Kind::kName, .name = 1};
  EXPECT_TRUE(intersection_of({Type::of(Kind::kObject), name}).is(Kind::kName));
  EXPECT_TRUE(intersection_of({Type::of(Kind::kObject)}).is(Kind::kObject));
  EXPECT_TRUE(intersection_of({name, Type::of(Kind::kNever)}).is(Kind::kNever));
}

}  // namespace
}  // namespace glovebox::types
