// A small MCP server: the commits of a project that never was, the same ones every time. JSON-RPC, one message a line,
// on standard input and output; nothing but Node.
import { createInterface } from "node:readline";

const people = ["Ada Lovelace", "Grace Hopper", "Barbara Liskov", "Edsger Dijkstra", "Alan Kay", "Radia Perlman"];
const areas = ["parser", "planner", "storage", "network", "docs", "build", "tests"];
const deeds = ["mend a race in", "make room in", "simplify", "measure", "bring back", "take apart", "put a bound on"];

// A linear congruential generator: no seed from outside, so no surprise.
let state = 42;
const below = (limit) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % limit;
const pick = (list) => list[Math.min(below(list.length), below(list.length))];  // the first ones more often, as in life
const digits = (count) => Array.from({ length: count }, () => (below(1 << 16) >> 12).toString(16)).join("");

function commit(number) {
  const name = pick(people);
  const area = pick(areas);
  const date = new Date(Date.UTC(2025, 0, 1) + number * 15_000_000).toISOString();
  const person = { name, email: `${name.split(" ")[0].toLowerCase()}@example.com`, date };
  const sha = digits(40);
  return {
    sha, url: `https://git.example.com/engine/commit/${sha}`, author: person, committer: person,
    message: `${area}: ${pick(deeds)} the ${area}\n\nSeen on ${2 + below(126)} cores; see also ${digits(40)}.`,
    parents: [digits(40)], additions: below(400), deletions: below(300),
    files: Array.from({ length: 1 + below(4) }, () => `src/${area}/${pick(areas)}_${below(40)}.cc`),
  };
}
const commits = Array.from({ length: 2020 }, (_, number) => commit(number)).reverse();

const text = (description) => ({ type: "string", description });
const tools = [
  { name: "list_commits", description: "Lists the commits of the project, the newest first.",
    annotations: { readOnlyHint: true },
    inputSchema: { type: "object", properties: { since: text("ISO 8601; only what came then or later") } },
    outputSchema: { type: "object", properties: { commits: { type: "array" } }, required: ["commits"] } },
  { name: "tag_commit", description: "Gives a commit a name.",
    inputSchema: {
      type: "object", properties: { sha: text("40 digits"), name: text("such as v1.0") }, required: ["sha", "name"],
    } },
];
const say = (line) => ({ content: [{ type: "text", text: line }] });

const functions = {
  list_commits({ since = "" }) {
    const found = commits.filter(({ author }) => author.date >= since);
    return { ...say(`${found.length} commits`), structuredContent: { commits: found } };
  },
  tag_commit({ sha, name }) {
    const found = commits.find((one) => one.sha === sha);
    if (!found) return { ...say(`there is no commit ${sha}`), isError: true };
    found.tag = name;
    return say(`${sha.slice(0, 12)} is ${name} now`);
  },
};

const methods = {
  initialize: () => ({
    protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "commits", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools }),
  "tools/call": ({ name, arguments: given = {} }) => functions[name](given),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) continue;  // a notification
  const known = Object.hasOwn(methods, method) && (method !== "tools/call" || Object.hasOwn(functions, params.name));
  const answer = known
    ? { result: methods[method](params) }
    : { error: { code: -32601, message: "no such method or tool" } };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\n");
}
