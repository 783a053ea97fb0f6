// For programs that meet OpenSSL through libcurl alone: it keeps the error queue of a thread until the thread ends, and
// LeakSanitizer, when the process ends first, takes that for a leak.
extern "C" const char* __lsan_default_suppressions();

const char* __lsan_default_suppressions() {
  return "leak:CRYPTO_zalloc\n";
}
