// What SQLite and PostgreSQL spell differently. The store's SQL is written once, with
//   ?, ?1                  a value
//   {now}                  the database's clock, in milliseconds since 1970
//   {for update}           rows that are read stay as they are until the end of the transaction
//   {skip locked}          the same, and those that others hold are left out
//   {share}                rows that are read stay there until then, though others may change them
//   {with ids}             of an INSERT: ids that the database would give out are given
// Schemas are written in SQLite's types. Texts are bytea in PostgreSQL: its text type cannot hold all that agents write
// (a NUL, half a character), and it orders bytes as SQLite does.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::store {

std::string sqlite_words(std::string_view sql);
std::string postgres_words(std::string_view sql);
std::string postgres_schema(std::string_view schema);

}  // namespace glovebox::store
