/** The chat page: what it knows, and what it does when somebody acts or something is heard. `view.js` draws it. */

import { h, render } from './vendor/preact.mjs';
import * as client from './client.js';
import { speaking } from './say.js';
import { asked, FINAL, heard } from './turn.js';
import { View } from './view.js';

/** At most this often is the page drawn while an answer streams in, in milliseconds. */
const FRAME = 50;
const ENDED = new Set(['done', 'stopped', 'failed', 'interrupted']);

class Chat {
  constructor(page, root) {
    this.page = page;
    this.root = root;
    this.speech = speaking(page);
    this.state = { threads: null, threadId: null, messages: [], turn: null, ends: {}, refusal: null, picks: {}, record: null, drawer: false };
    this.following = new AbortController();
    this.drawn = 0;
    this.timer = null;
    this.tabs = new BroadcastChannel('velo');
    this.tabs.onmessage = ({ data }) => this.told(data);
  }

  start() {
    addEventListener('hashchange', () => this.route());
    addEventListener('pagehide', () => this.following.abort());
    addEventListener('pageshow', (event) => event.persisted && location.reload());
    const drawer = document.getElementById('drawer');
    drawer.addEventListener('click', () => this.set({ drawer: !this.state.drawer }));
    this.draw();
    this.tabs.postMessage({ member: this.whoami() });
    this.loadThreads();
    this.route();
  }

  whoami() {
    return `${this.page.tenant_id}:${this.page.member_id}`;
  }

  set(change) {
    this.state = { ...this.state, ...change };
    if (this.timer === null) this.timer = setTimeout(() => this.draw(), Math.max(0, this.drawn + FRAME - performance.now()));
  }

  draw() {
    clearTimeout(this.timer);
    this.timer = null;
    this.drawn = performance.now();
    document.getElementById('drawer').setAttribute('aria-expanded', String(this.state.drawer));
    render(h(View, { chat: this, state: this.state, speech: this.speech, page: this.page }), this.root);
  }

  /** What another tab did: nothing of anybody is in it but numbers. */
  told({ member, threadId }) {
    if (member && member !== this.whoami()) location.reload(); // the session is another member's now
    if (!threadId) return;
    this.loadThreads();
    if (threadId === this.state.threadId && !this.state.turn) this.open(threadId);
  }

  route() {
    const found = /^#t(\d{1,19})$/.exec(location.hash);
    this.open(found ? Number(found[1]) : null);
    this.set({ drawer: false });
  }

  async loadThreads() {
    try {
      this.set({ threads: await client.threads() });
    } catch (error) {
      this.refused(error);
    }
  }

  /** Show a thread, and follow its last turn where that has not ended yet. */
  async open(threadId) {
    this.following.abort();
    const following = (this.following = new AbortController());
    const same = threadId === this.state.threadId;
    this.set({ threadId, turn: null, picks: {}, ...(same ? {} : { messages: [], refusal: null }) });
    if (threadId === null) return;
    try {
      const messages = await client.messages(threadId);
      if (following.signal.aborted) return;
      this.set({ messages });
      const last = messages.at(-1);
      if (!last?.turn_id || this.state.ends[last.turn_id]) return;
      if (ENDED.has(last.state) || last.role !== 'user') this.recall(last, following.signal);
      else this.follow({ turnId: last.turn_id });
    } catch (error) {
      this.refused(error, following.signal);
    }
  }

  ask(text, mentions = []) {
    if (this.state.turn || !text.trim()) return false;
    const question = { text, ...(this.state.threadId ? { thread_id: this.state.threadId } : {}), ...(mentions.length ? { mentions } : {}) };
    this.follow({ question });
    return true;
  }

  /** What a turn that is over came to besides its message: steps, choices, an error id. Without it the page does as well. */
  async recall(last, signal) {
    const hear = ({ kind, body }) => {
      const state = kind.slice('turn.'.length);
      if (FINAL.has(kind)) this.set({ ends: { ...this.state.ends, [last.turn_id]: { state: ENDED.has(last.state) ? last.state : state, ...body } } });
    };
    await client.turn({ turnId: last.turn_id, hear, lost: () => {}, signal }).catch(() => {});
  }

  async follow({ question = null, turnId = null }) {
    this.following.abort();
    const following = (this.following = new AbortController());
    this.set({ turn: { ...asked(question), id: turnId }, refusal: null, picks: {} });
    try {
      await client.turn({
        question,
        turnId,
        signal: following.signal,
        hear: (event) => following.signal.aborted || this.hear(event),
        lost: () => following.signal.aborted || this.set({ turn: { ...this.state.turn, lost: true } }),
      });
      if (!following.signal.aborted) await this.finished(following.signal);
    } catch (error) {
      if (following.signal.aborted) return;
      this.set({ turn: null });
      this.refused(error, following.signal, question ?? undefined);
    }
  }

  hear(event) {
    const turn = heard(this.state.turn, event);
    this.set({ turn });
    if (event.kind !== 'turn.started' || !turn.question) return;
    this.loadThreads();
    this.tabs.postMessage({ threadId: turn.threadId });
    if (this.state.threadId === null) {
      this.set({ threadId: turn.threadId });
      history.replaceState(null, '', `#t${turn.threadId}`);
    }
    if (turn.stopping) this.tellToStop(turn.id);
  }

  /** The turn is over: what is stored of it takes its place. */
  async finished(signal) {
    const { turn } = this.state;
    const ends = { ...this.state.ends, [turn.id]: turn.end };
    let { messages } = this.state;
    try {
      messages = await client.messages(turn.threadId);
    } catch (error) {
      const asked = turn.question && { id: 'asked', turn_id: turn.id, role: 'user', text: turn.question.text };
      messages = [...messages, asked, turn.end.message].filter(Boolean);
      this.refused(error, signal);
    }
    if (signal.aborted) return;
    this.set({ turn: null, ends, messages });
  }

  async stop() {
    const { turn } = this.state;
    if (!turn || turn.stopping) return;
    this.set({ turn: { ...turn, stopping: true } });
    if (turn.id !== null) await this.tellToStop(turn.id);
  }

  async tellToStop(turnId) {
    try {
      await client.stop(turnId);
    } catch (error) {
      if (this.state.turn?.id === turnId) this.set({ turn: { ...this.state.turn, stopping: false } });
      this.refused(error);
    }
  }

  /** One candidate of an ambiguous name was chosen; once each name has one, the question is asked again. */
  pick(turnId, place, candidate) {
    const { choices } = this.state.ends[turnId];
    const picks = { ...this.state.picks, [place]: candidate };
    const question = this.state.messages.findLast((message) => message.turn_id === turnId && message.role === 'user');
    this.set({ picks });
    if (!question || Object.keys(picks).length < choices.length) return;
    const mentions = choices.map((choice, at) => ({ start: choice.start, end: choice.end, kind: choice.candidates[0].kind, id: picks[at].id }));
    this.ask(question.text, mentions);
  }

  async showVeiled(turnId) {
    this.set({ record: { loading: true } });
    try {
      this.set({ record: await client.veiled(turnId) });
    } catch (error) {
      this.set({ record: null });
      this.refused(error);
    }
  }

  /** What was refused, and why; a question that is not asked yet stays in sight until it is. */
  refused(error, signal = null, question = this.state.refusal?.question ?? null) {
    if (signal?.aborted) return;
    const { code, errorId = null } = error instanceof client.Refused ? error : { code: 'other' };
    this.set({ refusal: { code, errorId, question } });
  }
}

const root = document.getElementById('app');
const page = JSON.parse(root.dataset.page);
root.replaceChildren();
new Chat(page, root).start();
