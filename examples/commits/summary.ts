// Turns a year's commits, more than a megabyte, into an answer that fits into a paragraph. What the tool gave stays in
// the sandbox; only what is returned reaches the model.
//   glovebox exec summary.ts --config glovebox.json
interface Commit {
  sha: string;
  author: { name: string; date: string };
  message: string;
  additions: number;
  deletions: number;
}

const given: { commits: Commit[] } = await mcp.commits.list_commits({ since: '2025-01-01' });
const history = given.commits;

// The keys that most items have, with how many.
function most<T>(items: T[], key: (item: T) => string, count: number): Record<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1]).slice(0, count));
}

const lines = (commit: Commit) => commit.additions + commit.deletions;
const largest = [...history].sort((a, b) => lines(b) - lines(a)).slice(0, 3);
const answer = {
  commits: history.length,
  from: history.at(-1)!.author.date.slice(0, 10),
  to: history[0].author.date.slice(0, 10),
  lines_changed: history.reduce((sum, commit) => sum + lines(commit), 0),
  busiest_authors: most(history, ({ author }) => author.name, 4),
  busiest_areas: most(history, ({ message }) => message.split(':')[0], 4),
  largest: largest.map((commit) => ({
    sha: commit.sha.slice(0, 12), message: commit.message.split('\n')[0], lines: lines(commit),
  })),
};

const bytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;
const went_in = bytes(given);
const came_out = bytes(answer);
console.log(`${went_in} bytes went in, ${came_out} bytes came out: ${went_in - came_out} bytes saved`);
return answer;
