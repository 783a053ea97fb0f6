// Peer: workerd's Worker Loader, a new isolate for every run. Timed: HTTP request on an open loopback
// connection → the new isolate's answer. CPU time and memory are workerd's own; this client is not counted.
// The round trip itself is part of how workerd is used; `http_floor_ms` says how much it is.
import process from "node:process";
import http from "node:http";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { cpu_ms_of, serve_subject } from "./serve_subject.mjs";

const [workerd_path] = process.argv.slice(2);
const config_path = fileURLToPath(new URL("./workerd.capnp", import.meta.url));

const workerd = spawn(workerd_path, ["serve", config_path, "--experimental", "--control-fd=3"],
                      { stdio: ["ignore", "inherit", "inherit", "pipe"] });
workerd.on("exit", () => process.exit(1));
process.on("exit", () => workerd.kill("SIGKILL"));

const [announcement] = await once(workerd.stdio[3], "data");
const { port } = JSON.parse(String(announcement).split("\n")[0]);
const agent = new http.Agent({ keepAlive: true, noDelay: true });

function post(headers, body) {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    const options = { host: "127.0.0.1", port, agent, method: "POST", headers: { ...headers, "content-length": bytes.length } };
    const request = http.request(options, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => {
        const text = Buffer.concat(parts).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`workerd answered ${response.statusCode}: ${text.slice(0, 200)}`));
      });
    });
    request.on("error", reject);
    request.end(bytes);
  });
}

async function http_floor_ms() {
  const ms = [];
  for (let i = 0; i < 60; i++) {
    const start = performance.now();
    await post({}, "{}");
    ms.push(performance.now() - start);
  }
  return ms.sort((a, b) => a - b)[30];
}

const run = (code, context_json) => post({ "x-code": encodeURIComponent(code) }, context_json);

await serve_subject({
  pid: workerd.pid,
  notes: { http_floor_ms: await http_floor_ms() },
  cpu_ms: () => cpu_ms_of(workerd.pid),
  run,
  // workerd keeps the isolate of an id it has seen: each answered request leaves one that waits.
  async open_waiting() { await post({ "x-code": encodeURIComponent("return 1"), "x-keep": "1" }, "{}"); },
});
process.exit(0);
