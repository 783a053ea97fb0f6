// E17: the cycle counter is trapped
// guest: probe
// expect: {"error": {"code": "GUEST_CRASHED", "message": "/Segmentation fault/"}}
return rdtsc();
