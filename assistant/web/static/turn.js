/** A turn under way, as its events tell it. Pure: an event and a turn give the next turn. */

import { length } from './marks.js';

/** What can be the last event of a turn. */
export const FINAL = new Set(['turn.done', 'turn.failed', 'turn.stopped']);

/** A turn of which nothing was heard yet. `question` is what was asked, with its mentions. */
export function asked(question) {
  return { question, id: null, threadId: null, call: 0, text: '', marks: [], size: 0, steps: [], running: null, lost: false, stopping: false, end: null };
}

/** The turn after an event `{ kind, body }`. */
export function heard(turn, event) {
  const next = HEARD[event.kind];
  return turn.end ? turn : { ...(next ? next(turn, event.body) : turn), lost: false };
}

const HEARD = {
  'turn.started': (turn, body) => ({ ...turn, id: body.turn_id, threadId: body.thread_id }),
  // What was said before a step was said by the model to itself.
  'step.started': (turn, body) => ({ ...silent(turn), running: { step: body.step, tool: body.tool } }),
  'step.completed': (turn, body) => ({ ...turn, running: null, steps: [...turn.steps, body] }),
  'text.delta': said,
  'turn.done': (turn, body) => ended(turn, 'done', body),
  'turn.failed': (turn, body) => ended(turn, 'failed', body),
  'turn.stopped': (turn, body) => ended(turn, 'stopped', body),
};

function silent(turn) {
  return { ...turn, text: '', marks: [], size: 0 };
}

function said(turn, body) {
  if (body.call < turn.call) return turn;
  const before = body.call > turn.call ? silent(turn) : turn;
  const marks = body.marks.map((mark) => ({ ...mark, start: mark.start + before.size, end: mark.end + before.size }));
  return {
    ...before,
    call: body.call,
    running: null,
    text: before.text + body.text,
    marks: [...before.marks, ...marks],
    size: before.size + length(body.text),
  };
}

function ended(turn, state, body) {
  return { ...turn, running: null, threadId: body.thread_id ?? turn.threadId, id: body.turn_id ?? turn.id, end: { state, ...body } };
}
