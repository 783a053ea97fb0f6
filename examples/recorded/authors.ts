// Who committed lately. `authors.case.json` is a run of it: change something here, and
//   glovebox test authors.case.json --code authors.ts
// shows what that changes, without the server.
const { commits } = await mcp.commits.list_commits({ since: '2025-12-16' });
const counts: Record<string, number> = {};
for (const { author } of commits) counts[author.name] = (counts[author.name] ?? 0) + 1;
return Object.entries(counts).sort((a, b) => b[1] - a[1]);
