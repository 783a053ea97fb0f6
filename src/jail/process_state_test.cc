#include "jail/process_state.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace glovebox::jail {
namespace {

TEST(ProcessState, IsThatOfTheMoment) {
  EXPECT_EQ(process_state(::getpid()), 'R');
  const pid_t child = ::fork();
  if (child == 0) {
    while (true) ::pause();
  }
  ASSERT_GT(child, 0);
  while (process_state(child) != 'S') ::usleep(1000);
  ::kill(child, SIGSTOP);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, WUNTRACED), child);
  EXPECT_EQ(process_state(child), 'T');
  ::kill(child, SIGKILL);
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(process_state(child), '\0');
  EXPECT_EQ(page_table_bytes(child), 0u);
}

// A page of zeros that is read takes a page of tables, and nothing else that is counted.
TEST(PageTables, AreCountedInBytes) {
  const std::size_t before = page_table_bytes(::getpid());
  EXPECT_GT(before, 0u);
  constexpr std::size_t kTable = std::size_t{2} << 20;  // bytes that one page of tables maps
  constexpr std::size_t kTables = 64;
  void* const memory = ::mmap(nullptr, kTables * kTable, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  for (std::size_t i = 0; i < kTables; ++i) (void)static_cast<volatile const char*>(memory)[i * kTable];
  EXPECT_GE(page_table_bytes(::getpid()), before + (kTables - 1) * 4096);
  ::munmap(memory, kTables * kTable);
}

}  // namespace
}  // namespace glovebox::jail
