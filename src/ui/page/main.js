// @ts-check
// The page: who is here, where they are, and what they see.
import { AuditPage } from './audit.js';
import { stayConnected } from './connection.js';
import { useDecisions } from './decisions.js';
import { Inbox, useApprovals } from './inbox.js';
import { Login } from './login.js';
import { Trouble } from './notes.js';
import { noticeOfDecision, noticeOfRequest, useNotices } from './notify.js';
import { NowPage } from './now.js';
import { useValue } from './observable.js';
import { html, render, useEffect, useErrorBoundary, useMemo } from './preact.js';
import { route } from './route.js';
import { RulesPage } from './rules.js';
import { RunsPage } from './runs.js';
import { begin, session } from './session.js';
import { Frame, Shell } from './shell.js';
import { ToolsPage } from './tools.js';
import { WorkflowsPage } from './workflows.js';

/** @typedef {import('../types/api').About} About */

/** @type {Record<string, (props: any) => unknown>} */
const kPages = { inbox: Inbox, runs: RunsPage, workflows: WorkflowsPage, tools: ToolsPage, rules: RulesPage, audit: AuditPage, now: NowPage };

/** A fault of one page leaves the others. @param {{ page: string, props: object }} props */
function Page({ page, props }) {
  const [fault] = useErrorBoundary();
  if (fault) return html`<${Trouble} what=${`This page failed: ${fault}`}
      todo="Reload it; if the problem persists, please report it." />`;
  return Object.hasOwn(kPages, page) ? html`<${kPages[page]} ...${props} />` : html`<${Trouble}
      what="There is no such page." />`;
}

/** @param {{ about: About }} props */
function SignedIn({ about }) {
  const at = useValue(route);
  useEffect(() => { stayConnected(); }, []);
  const readable = useMemo(() => about.workspaces.filter(({ problem }) => !problem), [about]);
  const only = at.query.get('in') ?? '';
  const workspaces = useMemo(() => readable.filter(({ id }) => !only || id === only), [readable, only]);
  const all = useApprovals(readable, 'pending');
  const { decisions, hasMore } = useDecisions(readable);
  useNotices(useMemo(() => all.list && [...all.list.map(noticeOfRequest), ...decisions.map(noticeOfDecision)], [all.list, decisions]));
  const isShown = (/** @type {{ workspace: { id: string } }} */ one) => !only || one.workspace.id === only;
  const waiting = useMemo(() => ({ ...all, hasMore: all.hasMore || hasMore, list: all.list?.filter(isShown) ?? null, decisions: decisions.filter(isShown) }), [all, decisions, hasMore, only]);
  return html`<${Shell} about=${about} at=${at} waiting=${(all.list?.length ?? 0) + decisions.length}>
    <${Page} key=${at.page} page=${at.page} props=${{ waiting, workspaces, all: readable, role: about.role, at }} />
  <//>`;
}

function App() {
  const { state, about, problem } = useValue(session);
  useEffect(() => { if (state !== 'in') document.title = 'Glovebox'; }, [state]);
  if (state === 'in' && about) return html`<${SignedIn} about=${about} />`;
  if (state === 'out') return html`<${Login} problem=${problem} />`;
  return problem ? html`<${Trouble} what=${problem.message} todo="Trying again…" />` : html`<${Frame} />`;
}

const root = document.getElementById('app');
if (root) render(html`<${App} />`, root);
begin();
