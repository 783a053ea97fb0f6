# B15: what ends an interpreter ends the run
# options: --timeout 10s --python-allow-import=os,sys
# expect: {"error": {}}
import os
os._exit(3)
