#include "rewind/native_code.h"

#include <cstring>

#include "wire/frame.h"

// Position-independent. Each expects its parameters as 64-bit words right behind it, and gets its own address in rdi.
asm(R"(
.section .rodata
.globl trash_begin, trash_end, call_begin, call_end, flags_begin, flags_end, later_begin, later_end
.globl sequence_begin, sequence_end, sequence_from, sequence_to, sequence_on
trash_begin:
  lea trash_end(%rip), %r12        # ranges, frame, its size, then addresses and sizes
  mov (%r12), %rbx
  lea 24(%r12), %r13
1: test %rbx, %rbx
  jz 2f
  mov (%r13), %rdi
  mov 8(%r13), %rcx
  mov $0xcc, %al
  cld
  rep stosb
  add $16, %r13
  dec %rbx
  jmp 1b
2: mov $7, %eax                     # which of the following this processor has
  xor %ecx, %ecx
  cpuid
  test $1, %bl                      # FSGSBASE
  jz 3f
  mov $0x7ace, %eax
  wrgsbase %rax
  wrfsbase %rax
3: test $16, %ecx                   # OSPKE
  jz 4f
  mov $0x55555550, %eax
  xor %ecx, %ecx
  xor %edx, %edx
  wrpkru
4: mov $0x9fc0, %eax
  push %rax
  ldmxcsr (%rsp)
  fninit
  fldpi
  fldl2e
  movq %rax, %xmm0
  movq %rax, %xmm7
  mov $1, %eax
  cpuid
  bt $28, %ecx                      # AVX
  jnc 5f
  vpcmpeqd %xmm1, %xmm1, %xmm1
  vinsertf128 $1, %xmm1, %ymm1, %ymm1
  vinsertf128 $1, %xmm1, %ymm1, %ymm15
5: mov $1, %eax
  mov $3, %edi
  mov 8(%r12), %rsi
  add %r12, %rsi
  mov 16(%r12), %rdx
  syscall
  mov $0x2b, %eax
  mov %eax, %ds
  mov %eax, %es
  mov $0x33, %ebp
  mov %rbp, %r8
  mov %rbp, %r9
  mov %rbp, %r10
  mov %rbp, %r15
  std
6: jmp 6b
trash_end:

call_begin:
  lea call_end(%rip), %r12          # frame, its size, number, five arguments
  mov $1, %eax
  mov $3, %edi
  mov (%r12), %rsi
  add %r12, %rsi
  mov 8(%r12), %rdx
  syscall
1: mov 16(%r12), %rax
  mov 24(%r12), %rdi
  mov 32(%r12), %rsi
  mov 40(%r12), %rdx
  mov 48(%r12), %r10
  mov 56(%r12), %r8
  syscall
  jmp 1b
call_end:

sequence_begin:
  lea sequence_end(%rip), %r12      # frame, its size, registration, signature, then the description of the sequence
  lea 32(%r12), %rax
  movl $0, (%rax)                   # version, flags
  movl $0, 4(%rax)
  lea sequence_from(%rip), %rcx
  mov %rcx, 8(%rax)
  lea sequence_to(%rip), %rdx
  sub %rcx, %rdx
  mov %rdx, 16(%rax)
  lea sequence_on(%rip), %rcx
  mov %rcx, 24(%rax)
  mov 24(%r12), %rdx
  mov %edx, -4(%rcx)                # what the kernel wants to find before that address
  mov 16(%r12), %rcx
  mov %rax, 8(%rcx)
  mov $1, %eax
  mov $3, %edi
  mov (%r12), %rsi
  add %r12, %rsi
  mov 8(%r12), %rdx
  syscall
sequence_from:
  nop
1: jmp 1b
sequence_to:
  .long 0
sequence_on:
  mov $1, %eax
  mov $3, %edi
  mov (%r12), %rsi
  add %r12, %rsi
  mov 8(%r12), %rdx
  syscall
  jmp sequence_on
sequence_end:

flags_begin:
  lea flags_end(%rip), %r12         # frame, its size, flags
  mov (%r12), %rsi
  add %r12, %rsi
  mov 8(%r12), %rdx
  mov 16(%r12), %rbx
  mov $1, %eax
  mov $3, %edi
  pushfq
  or %rbx, (%rsp)
  popfq
  syscall
1: jmp 1b
flags_end:

later_begin:
  lea later_end(%rip), %r12         # frame, its size, how long
  mov $1, %eax
  mov $3, %edi
  mov (%r12), %rsi
  add %r12, %rsi
  mov 8(%r12), %rdx
  syscall
  mov 16(%r12), %rcx
1: dec %rcx
  jnz 1b
  mov $1, %eax
  mov $3, %edi
  mov $1, %edx
  syscall
2: jmp 2b
later_end:
.text
)");

extern "C" const char trash_begin[], trash_end[], call_begin[], call_end[], sequence_begin[], sequence_end[];
extern "C" const char flags_begin[], flags_end[], later_begin[], later_end[];

namespace glovebox::attack {
namespace {

std::string with_parameters(const char* begin, const char* end, std::vector<std::uint64_t> words, std::size_t frame_at,
                            std::string_view last_frame) {
  const std::string frame = wire::make_frame(last_frame);
  words[frame_at] = words.size() * sizeof words[0];
  words[frame_at + 1] = frame.size();
  std::string code(begin, end);
  code.append(reinterpret_cast<const char*>(words.data()), words.size() * sizeof words[0]);
  return code + frame;
}

}  // namespace

std::string trash_everything(const std::vector<std::uintptr_t>& pages, std::uintptr_t registration,
                             std::string_view last_frame) {
  constexpr std::uintptr_t kPage = 4096, kRegistered = 32;
  std::vector<std::uint64_t> words{0, 0, 0};
  for (const std::uintptr_t page : pages) {
    if (registration - page < kPage) {
      words.insert(words.end(),
                   {page, registration - page, registration + kRegistered, page + kPage - registration - kRegistered});
    } else {
      words.insert(words.end(), {page, kPage});
    }
  }
  words[0] = (words.size() - 3) / 2;
  return with_parameters(trash_begin, trash_end, std::move(words), 1, last_frame);
}

std::string end_and_call(std::string_view last_frame, long number, std::uint64_t first, std::uint64_t second,
                         std::uint64_t third, std::uint64_t fourth, std::uint64_t fifth) {
  return with_parameters(call_begin, call_end,
                         {0, 0, static_cast<std::uint64_t>(number), first, second, third, fourth, fifth}, 0,
                         last_frame);
}

std::string end_with_flags(std::string_view last_frame, std::uint64_t flags) {
  return with_parameters(flags_begin, flags_end, {0, 0, flags}, 0, last_frame);
}

std::string end_and_write_later(std::string_view last_frame, std::uint64_t turns) {
  return with_parameters(later_begin, later_end, {0, 0, turns}, 0, last_frame);
}

std::string end_in_a_restartable_sequence(std::string_view last_frame, std::uintptr_t registration,
                                          std::uint32_t signature) {
  return with_parameters(sequence_begin, sequence_end, {0, 0, registration, signature, 0, 0, 0, 0}, 0, last_frame);
}

}  // namespace glovebox::attack
