// E10: native code maps more than the run's memory
// guest: probe
// options: --memory 64MB
// expect: {"result": -12}
return syscall(9, 0, 2 ** 30, 3, 0x22, -1, 0);
