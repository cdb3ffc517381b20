/** The page as it looks for a state of the chat. */

import { Component, createRef, h } from './vendor/preact.mjs';
import htm from './vendor/htm.module.js';
import { Composer } from './composer.js';
import { Ending, Refusal, working, Working } from './endings.js';
import { icon } from './icons.js';
import { Answer, Question } from './message.js';
import { Veiled } from './veiled.js';

const html = htm.bind(h);

/** The whole page below its header. */
export function View({ chat, state, speech, page }) {
  return html`
    <nav id="threads" class=${state.drawer ? 'open' : ''} aria-label=${speech.say('threads')}><${Threads} state=${state} speech=${speech} /></nav>
    <main>
      <${Log} chat=${chat} state=${state} speech=${speech} />
      <${Composer} chat=${chat} turn=${state.turn} speech=${speech} offline=${page.offline} />
    </main>
    <p class="unseen" role="status">${announced(state, speech)}</p>
    ${state.record && html`<${Veiled} record=${state.record} speech=${speech} close=${() => chat.set({ record: null })} />`}
  `;
}

function Threads({ state, speech }) {
  const { say, when } = speech;
  const item = (thread) => {
    const here = thread.thread_id === state.threadId;
    return html`<li key=${thread.thread_id}>
      <a href="#t${thread.thread_id}" aria-current=${here ? 'page' : undefined}>
        ${icon('conversation')}<span>${when(thread.updated_at)}</span>${here && state.turn ? html`<span class="pulse" aria-hidden="true"></span><span class="unseen">${say('answering')}</span>` : null}
      </a>
    </li>`;
  };
  return html`
    <a class="new" href="#new" aria-current=${state.threadId === null ? 'page' : undefined}>${icon('plus')}${say('new_thread')}</a>
    ${state.threads?.length ? html`<ul>${state.threads.map(item)}</ul>` : null}
    ${state.threads && !state.threads.length ? html`<p class="remark">${say('no_threads')}</p>` : null}
  `;
}

/** The messages. It stays at its end while an answer comes in, unless somebody scrolled away from there. */
class Log extends Component {
  box = createRef();
  pinned = true;

  componentDidUpdate(before) {
    const { turn, threadId } = this.props.state;
    if (threadId !== before.state.threadId || (turn && !before.state.turn)) this.pinned = true;
    if (this.pinned) this.box.current.scrollTop = this.box.current.scrollHeight;
  }

  scrolled = () => {
    const { scrollHeight, scrollTop, clientHeight } = this.box.current;
    this.pinned = scrollHeight - scrollTop - clientHeight < 48;
  };

  render({ chat, state, speech }) {
    const { messages, turn } = state;
    const busy = turn ? 'true' : 'false';
    return html`<div class="log" ref=${this.box} onScroll=${this.scrolled} role="log" aria-live="off" aria-busy=${busy} aria-label=${speech.say('messages')} tabindex="0">
      <div class="column">
        ${!messages.length && !turn && !state.refusal && state.threadId === null ? html`<${Hello} chat=${chat} speech=${speech} />` : null}
        ${turns(messages, turn).map((group) => html`<${Turn} key=${group.key} group=${group} chat=${chat} state=${state} speech=${speech} />`)}
        ${state.refusal && html`<${Refusal} chat=${chat} refusal=${state.refusal} speech=${speech} />`}
      </div>
    </div>`;
  }
}

function Hello({ chat, speech }) {
  const { say } = speech;
  return html`<section class="hello">
    <h2>${say('hello')}</h2>
    <p>${say('hello_more')}</p>
    <ul>${['example_1', 'example_2', 'example_3'].map((name) => html`<li><button type="button" onClick=${() => chat.ask(say(name))}>${say(name)}</button></li>`)}</ul>
  </section>`;
}

/** The messages in turns, the one under way last: what was stored of its answer waits until it is over. */
function turns(messages, running) {
  const groups = [];
  for (const message of messages) {
    if (message.role === 'user' || !groups.length) groups.push({ key: message.id, turnId: message.turn_id, question: null, answer: null, running: null });
    groups.at(-1)[message.role === 'user' ? 'question' : 'answer'] = message;
  }
  if (!running) return groups;
  const last = groups.at(-1);
  if (last && running.id !== null && last.turnId === running.id) groups[groups.length - 1] = { ...last, answer: null, running };
  else groups.push({ key: 'asked', turnId: running.id, question: running.question, answer: null, running });
  return groups;
}

function Turn({ group, chat, state, speech }) {
  const { question, answer, running } = group;
  const end = state.ends[group.turnId];
  const shown = running ?? answer;
  return html`
    ${question && html`<${Question} message=${question} speech=${speech} />`}
    <article class="answer ${running ? 'running' : ''}">
      ${running && html`<${Working} turn=${running} speech=${speech} />`}
      ${shown?.text ? html`<${Answer} text=${shown.text} marks=${shown.marks} unknownTokens=${answer?.unknown_tokens} speech=${speech} />` : null}
      ${!running && html`<${Ending} chat=${chat} turnId=${group.turnId} question=${question} answer=${answer} end=${end} picks=${state.picks} last=${group.turnId === state.messages.at(-1)?.turn_id} speech=${speech} />`}
    </article>
  `;
}

function announced({ turn, messages, ends }, speech) {
  if (turn) return working(turn, speech);
  const end = ends[messages.at(-1)?.turn_id];
  return end?.state === 'done' ? speech.say('done') : '';
}
