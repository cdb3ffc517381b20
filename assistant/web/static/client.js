/** Velo's API, as any client could use it. The session's cookie goes along by itself. */

import { createParser } from './vendor/eventsource-parser.js';
import { FINAL } from './turn.js';

const ROOT = '/api/assistant';
const SAME = { credentials: 'same-origin', cache: 'no-store', redirect: 'error' };
/** How long to wait before following a lost turn again, in milliseconds; after the last one it is given up. */
const WAITS = [0, 500, 1000, 2000, 4000, 8000, 8000, 8000];

/** What the server refused. `code` says why, in a word; `away` when there was no answer at all. */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem.code);
    this.status = status;
    this.code = problem.code ?? 'other';
    this.errorId = problem.error_id ?? null;
  }
}

export const member = () => read('/member');
export const threads = async () => (await read('/threads')).threads;
export const messages = async (threadId) => (await read(`/messages?thread_id=${threadId}`)).messages;
export const veiled = (turnId) => read(`/turns/${turnId}/veiled`);
export const stop = (turnId) => read(`/turns/${turnId}/stop`, { method: 'POST' });

/**
 * Ask, or (with `turnId`) follow a turn that was asked before, to its end.
 *
 * Each event goes to `hear({ seq, kind, body })`. A connection that is lost is taken up again after the last event:
 * a question that was not confirmed is sent again under the same key, so that it is asked once. `lost()` is told of it.
 * Throws `Refused`; throws nothing when `signal` is aborted.
 */
export async function turn({ question, turnId = null, hear, lost, signal }) {
  const key = randomKey();
  const at = { turnId, seq: 0, final: false };
  const note = (event) => {
    at.seq = event.seq;
    at.turnId ??= event.body.turn_id ?? null;
    at.final = FINAL.has(event.kind);
    at.tries = 0;
    hear(event);
  };
  for (at.tries = 0; !at.final && !signal.aborted; at.tries += 1) {
    try {
      await wait(WAITS[at.tries], signal);
      await listen(at.turnId === null ? await ask(question, key, signal) : await resume(at, signal), note);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refused && (error.status !== 503 || at.turnId === null)) throw error;
      if (at.tries >= WAITS.length - 1) throw new Refused(0, { code: 'away' });
    }
    if (!at.final) lost();
  }
}

function ask(question, key, signal) {
  const headers = { Accept: 'text/event-stream', 'Content-Type': 'application/json', 'Idempotency-Key': key };
  return checked(fetch(`${ROOT}/messages`, { ...SAME, method: 'POST', headers, body: JSON.stringify(question), signal }));
}

function resume(at, signal) {
  const headers = { Accept: 'text/event-stream', 'Last-Event-ID': String(at.seq) };
  return checked(fetch(`${ROOT}/turns/${at.turnId}/events`, { ...SAME, headers, signal }));
}

async function listen(response, note) {
  const parser = createParser({
    onEvent: (event) => note({ seq: Number(event.id), kind: event.event, body: JSON.parse(event.data) }),
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    parser.feed(value);
  }
}

async function read(path, options = {}) {
  try {
    return await (await checked(fetch(ROOT + path, { ...SAME, ...options }))).json();
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(0, { code: 'away' });
  }
}

async function checked(pending) {
  const response = await pending;
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  throw new Refused(response.status, problem);
}

function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function wait(ms, signal) {
  if (!ms) return null;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => { clearTimeout(timer); resolve(); }, { once: true });
  });
}
