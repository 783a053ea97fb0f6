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
  gatewayRuns: boolean; card: Card; calls: AnsweredCall[]; answers: Answer[];
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
  changes?: { path: string; kind: string; bytesBefore: number; bytesAfter: number }[]; committed?: boolean;
}
export interface RunDetail extends Run {
  code: string; context: Json; gatewayRuns: boolean; waitsFor: string[]; outcome: Outcome | null;
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
  layer: number | null; tasks: Task[]; waitsFor: Wait[]; outcome?: Json; checkpoints?: Checkpoint[];
}
export interface Rule { effect: 'allow' | 'ask' | 'deny'; pattern: string; source: string; key?: string }
