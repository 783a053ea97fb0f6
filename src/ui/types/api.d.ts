// What /api/v1 answers, as far as the page reads it. Times are milliseconds since 1970.
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
export type Role = 'viewer' | 'approver' | 'operator' | 'agent';
export type Scope = 'once' | 'run' | 'session' | 'always';

export interface Workspace { id: string; name: string; folder: string; problem: string | null }
export interface About { version: string; role: Role; now: number; workspaces: Workspace[] }

export interface CardCall {
  call: number; server: string; tool: string; title?: string; description?: string;
  arguments: JsonObject; why: string; claimsReadOnly: boolean | null;
}
export interface CardGroup { tool: string; count: number; under: string | null; rule: string | null }
export interface CallBefore { call: number; tool: string; arguments?: Json; outcome: string; code?: string; durationMs?: number }
export interface PlannedCall { server: string; tool: string; line?: number; column?: number; when?: string[] }
export interface Plan { tools?: PlannedCall[]; dynamic?: { what: string; line?: number }[] }
export interface Card {
  kind: string; need?: string; title: string; client: string; workspace: string; intent: string; language: string;
  code: string; calls: CardCall[]; groups: CardGroup[]; before: CallBefore[]; since: number; plan: Plan | null;
  options: string[];
}
export interface AnsweredCall { call: number; server: string; tool: string; approved: boolean | null; reason?: string }
export interface Answer {
  who: string; channel: string; scope: string; approved: boolean; reason?: string; rules?: string[]; at: number;
}
export interface Approval {
  id: string; run: string; created: number; state: 'pending' | 'answered' | 'withdrawn'; digest: string;
  gatewayRuns: boolean; canTakeBack: boolean; card: Card; calls: AnsweredCall[]; answers: Answer[];
}
export interface Asked extends Approval { workspace: Workspace }

export interface Run {
  id: string; status: string; created: number; ended: number | null; client: string; intent: string; language: string;
  about: string; error?: string | null;
}
export interface RunError { type: string; code: string; message: string; stack?: string; toolName?: string }
export interface TracedCall {
  op: string; target: string; arguments?: string; outcome: string; error?: string; cached?: boolean; durationMs: number;
  bytes: number;
}
export interface Outcome {
  result: Json; logs?: string[]; error?: RunError; metrics?: JsonObject; trace?: TracedCall[];
  changes?: { path: string; kind: string; bytesBefore: number | null; bytesAfter: number | null }[]; committed?: boolean;
}
export interface ChangedFile {
  path: string; kind: string; bytesBefore: number | null; bytesAfter: number | null; before: string | null; after: string | null;
}
export interface KeptChanges { run: string; state: string; gateway: string; files: ChangedFile[] }
export interface Artifact { name: string; type: string; size: number; digest: string }
export interface WrittenFile { call: number; path: string; text: string }
export interface RunDetail extends Run {
  log: string; code: string; context: Json; gatewayRuns: boolean; waitsFor: string[]; outcome: Outcome | null;
}
export interface Span {
  id: string; parent?: string; name: string; kind: string; start: number; end?: number; status?: string;
  message?: string; attributes?: JsonObject;
}

export interface WorkflowSummary {
  workflow_id: string; status: string; intent: string; created: string; ended: string | null; forked_from?: string;
}
export interface Task {
  id: string; layer: number; status: string; attempt?: number; run?: string; error?: RunError; output?: Json;
  outputBytes?: number; dependencies?: string[]; type?: string; tool?: string;
}
export interface Wait {
  kind: 'layer' | 'approval' | 'outcome_unknown'; task?: string; run?: string; approval?: string; layer?: number;
  by?: string; tasks?: Json; digest?: string; options?: string[];
}
export interface Checkpoint { checkpoint: number; at: string; kind: string; label: string; event: number }
export interface Workflow extends WorkflowSummary {
  layer: number | null; tasks: Task[]; waitsFor: Wait[]; outcome?: Json; checkpoints?: Checkpoint[]; plan?: JsonObject[];
}
export interface SeenServer {
  gateway: string; at: number; state: string; error: string; tools: number; restarts: number; callsUnderWay: number;
  revision: string; remarks: string[];
}
export interface Server {
  name: string; transport: string; disabled: boolean; usable: number; quarantined: number; refused: number;
  gateways: SeenServer[];
}
export interface ToolSummary {
  server: string; name: string; title: string; description: string; state: 'usable' | 'quarantined' | 'refused';
  reason: string;
}
export interface ToolDetail extends ToolSummary {
  hash: string; alias: string; inputSchema: Json; outputSchema: Json; annotations: Json; declaration: string; diff: string;
}
export interface FoundTool {
  server: string; name: string; description: string; score: number; weak: boolean; words: number; meaning: number;
  uses: number; clause: string; because: string[];
}
export interface Findings { tools: FoundTool[]; model: string; trouble: string; waiting: number }

export interface Sample {
  at: number; live: number; ended: number; failed: number; calls: number; waiting: number; busy: number; queued: number;
  memoryMb: number;
}
export interface Series { gateway: string; lives: boolean; points: Sample[] }
export interface Latency { at: number; runs: number; p50: number; p95: number }
export interface Metrics { from: number; to: number; series: Series[]; latency: Latency[] }
export interface Gateway { id: string; host: string; pid: number; version: string; started: number }
export interface ClientSession { id: string; client: string; runs: number; first: number; last: number; gatewayRuns: boolean }
export interface Config { path: string; digest: string; text: string; untrusted: string }

export type Effect = 'allow' | 'ask' | 'deny';
export interface Rule { effect: Effect; pattern: string; source: string; key?: string }
export interface RuleUse {
  effect: Effect; pattern: string; used: number; last: string | null; by: string | null; since: string | null;
  approval: string | null; narrower: string[];
}
export interface RuleUsage { calls: number; from: string | null; rules: RuleUse[] }
export interface PastCall { time: string; run: string; server: string; tool: string; verdict: string; arguments: JsonObject }
export interface RuleTest { pattern: string; checked: number; from: string | null; matched: number; unknown: number; calls: PastCall[] }
export interface Explanation {
  tool: string; effect: Effect; rule: string | null; explanation: string;
  matches: { effect: Effect; pattern: string; source: string }[];
}
export interface Capability {
  fqdn: string; call: string; version: string; type: string; integrity: string; fetched: string; validated: string;
  approved: boolean; replaced: string[]; problem: string | null; description?: string; tools?: string[]; env?: string[];
  routing?: string; servers?: { name: string; launch: string; version: string }[]; code?: string;
}
