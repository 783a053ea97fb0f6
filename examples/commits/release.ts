// Tags the newest commit. That changes something, so its rule asks you first:
//   glovebox exec release.ts --config glovebox.json
const december = await mcp.commits.list_commits({ since: '2025-12-01' });
return await mcp.commits.tag_commit({ sha: december.commits[0].sha, name: 'v1.0' });
