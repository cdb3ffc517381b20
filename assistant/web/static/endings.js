/** How a turn is doing, how it ended, and what can be done about it. */

import { h } from './vendor/preact.mjs';
import htm from './vendor/htm.module.js';
import { icon } from './icons.js';
import { calm } from './marks.js';

const html = htm.bind(h);

/** Which sentence tells of an answer that has no end, by its `finish`. */
const CUTS = { length: 'length', content_filter: 'content_filter', cut: 'cut' };

/** What a turn under way does just now, in words. */
export function working(turn, { say, has }) {
  if (turn.lost) return say('reconnecting');
  if (turn.stopping) return say('stopping');
  if (turn.running) return `${say(stepName(turn.running.tool, has))}…`;
  return say(turn.text ? 'writing' : 'thinking');
}

export function Working({ turn, speech }) {
  return html`
    <${Steps} steps=${turn.steps} speech=${speech} />
    <p class="working ${turn.text && !turn.running && !turn.lost ? 'quietly' : ''}"><span class="pulse" aria-hidden="true"></span>${working(turn, speech)}</p>
  `;
}

/** What stands below an answer that is over, or instead of one that never came. */
export function Ending({ chat, turnId, question, answer, end, picks, last, speech }) {
  const { say, count } = speech;
  const state = answer?.state ?? question?.state ?? end?.state;
  const told = { ...(answer ?? question), ...end };
  const remark = sentence(state, told.finish, answer, speech);
  const late = told.late_masks ?? 0;
  const dropped = told.dropped_questions ?? 0;
  return html`
    ${remark && html`<${Notice} tone=${state === 'failed' ? 'failed' : 'cut'} label=${answer?.text ? say('unfinished') : null} text=${remark} errorId=${told.error_id} speech=${speech} />`}
    ${told.unknown_tokens?.length ? html`<p class="remark">${say('unknown_tokens', { tokens: told.unknown_tokens.join(', ') })}</p>` : null}
    ${last && end?.choices?.length ? html`<${Choices} chat=${chat} turnId=${turnId} question=${question} choices=${end.choices} picks=${picks} speech=${speech} />` : null}
    <footer>
      ${end?.steps?.length ? html`<${Steps} steps=${end.steps} speech=${speech} />` : null}
      ${late ? html`<span class="late-count">${count('late_masks', late)}</span>` : null}
      ${dropped ? html`<span class="late-count">${count('dropped', dropped)}</span>` : null}
      <button type="button" class="link" onClick=${() => chat.showVeiled(turnId)}>${icon('veil')}${say('veiled')}</button>
    </footer>
  `;
}

/** Why a request was refused before it became a turn. */
export function Refusal({ chat, refusal, speech }) {
  const { say, has } = speech;
  const code = refusal.code === 'too_large' || refusal.code === 'unprocessable' ? 'too_long' : refusal.code;
  const again = refusal.question && html`<button type="button" onClick=${() => chat.ask(refusal.question.text, refusal.question.mentions)}>${say('retry')}</button>`;
  return html`<${Notice} tone="failed" text=${say(has(code) ? code : 'other_error')} errorId=${refusal.errorId} speech=${speech}>
    ${refusal.question ? html`<blockquote dir="auto">${refusal.question.text}</blockquote>` : null}
    ${code === 'unauthorized' ? html`<a class="button" href="/sign-in" target="_blank" rel="noopener">${say('sign_in_again')}</a>` : null}
    ${again}
  <//>`;
}

function sentence(state, finish, answer, { say }) {
  if (state === 'stopped') return say(answer?.text ? 'stopped' : 'stopped_empty');
  if (state === 'interrupted') return say('interrupted');
  if (state === 'failed') return say(answer?.text ? 'cut' : 'turn_failed');
  return Object.hasOwn(CUTS, finish ?? '') ? say(CUTS[finish]) : null;
}

function Notice({ tone, label, text, errorId, speech, children }) {
  const copied = (event) => {
    const button = event.currentTarget;
    navigator.clipboard.writeText(errorId).then(() => { button.textContent = speech.say('copied'); }, () => {});
  };
  return html`<div class="notice ${tone}" role=${tone === 'failed' ? 'alert' : 'note'}>
    <p>${label && html`<strong>${label}. </strong>`}${text}</p>
    ${children}
    ${errorId && html`<p class="error-id">${speech.say('error_id')} <code>${errorId}</code> ${navigator.clipboard && html`<button type="button" class="link" onClick=${copied}>${speech.say('copy')}</button>`}</p>`}
  </div>`;
}

function Steps({ steps, speech }) {
  if (!steps.length) return null;
  const { say, has } = speech;
  return html`<ol class="steps" aria-label=${say('steps')}>
    ${steps.map((step) => html`<li class=${step.status === 'ok' ? '' : 'refused'}>${say(stepName(step.tool, has))}${step.status === 'failed' ? ` · ${say('step_failed')}` : null} <small>${Math.round(step.ms)} ms</small></li>`)}
  </ol>`;
}

function Choices({ chat, turnId, question, choices, picks, speech }) {
  const { say, when } = speech;
  const points = Array.from(question?.text ?? '');
  return choices.map((choice, place) => {
    const name = calm(points.slice(choice.start, choice.end).join(''));
    const button = (candidate, text, more) => html`<li>
      <button type="button" aria-pressed=${picks[place] === candidate ? 'true' : 'false'} onClick=${() => chat.pick(turnId, place, candidate)}><bdi>${text}</bdi>${more && html` <small>${more}</small>`}</button>
    </li>`;
    const about = (candidate) => [candidate.inbox, candidate.last_contact && say('last_contact', { when: when(candidate.last_contact) })].filter(Boolean).join(' · ');
    return html`<fieldset class="choices">
      <legend>${say('which_one', { name })} ${choice.total > choice.candidates.length ? html`<small>${say('of_total', { shown: choice.candidates.length, total: choice.total })}</small>` : null}</legend>
      <ul>
        ${choice.candidates.map((candidate) => button(candidate, calm(candidate.name ?? ''), about(candidate)))}
        ${button(ANYONE, say('anyone'))}
      </ul>
    </fieldset>`;
  });
}

const ANYONE = { id: null };

function stepName(tool, has) {
  return has(`step_${tool}`) ? `step_${tool}` : 'step_other';
}
