# F01: no grant, no packet, whatever is asked
# options: --timeout 20s --python-allow-import=socket
# expect: {"result": ["PermissionError", "PermissionError", "OSError", "OSError"]}
import urllib.request, http.client, socket
def connect():
    connection = http.client.HTTPSConnection("169.254.169.254")
    connection.request("GET", "/")
    connection.getresponse()
told = []
for attempt in (lambda: urllib.request.urlopen("http://127.0.0.1/"), connect, lambda: socket.gethostbyname("example.com"), lambda: socket.socket().connect(("127.0.0.1", 80))):
    try: attempt()
    except OSError as error: told.append(type(error).__name__)
told
