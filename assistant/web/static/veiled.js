/** "What the model saw": the messages of each call as they were sent, and the replies as they came. */

import { Component, createRef, h } from './vendor/preact.mjs';
import htm from './vendor/htm.module.js';
import { icon } from './icons.js';

const html = htm.bind(h);

/** A dialog over the page with the record of a turn; Escape closes it. */
export class Veiled extends Component {
  dialog = createRef();

  componentDidMount() {
    this.dialog.current.showModal();
  }

  render({ record, speech, close }) {
    const { say } = speech;
    return html`<dialog class="veiled" ref=${this.dialog} onClose=${close} aria-labelledby="veiled-title">
      <header>
        <h2 id="veiled-title">${say('veiled')}</h2>
        <button type="button" class="quiet" onClick=${() => this.dialog.current.close()} aria-label=${say('close')}>${icon('close')}</button>
      </header>
      ${record.loading ? html`<p>${say('loading')}</p>` : html`<div class="record" tabindex="0">${told(record, speech)}</div>`}
    </dialog>`;
  }
}

function told(record, { say, count }) {
  if (!record.calls.length) return html`<p>${say('veiled_nothing')}</p>`;
  const opening = record.calls[0].request.messages.findLastIndex((message) => message.role === 'user');
  let seen = Math.max(opening, 0);
  return [
    html`<p class="remark">${say('veiled_more')}${record.model && html` <code>${record.model}</code>`}</p>`,
    ...record.calls.map((call, place) => {
      const { messages } = call.request;
      const [before, fresh] = [messages.slice(0, seen), messages.slice(seen)];
      seen = messages.length;
      return html`<section>
        <h3>${say('call', { ordinal: call.ordinal })}${call.status === 'answered' ? null : ` · ${say(call.status === 'cut' ? 'call_cut' : 'call_failed')}`}</h3>
        <p class="hash"><span>SHA-256</span> <code>${call.sha256}</code> <small class=${call.intact ? '' : 'altered'}>${say(call.intact ? 'intact' : 'not_intact')}</small></p>
        ${place === 0 && before.length ? html`<details><summary>${count('sent_before', before.length)}</summary>${before.map((message) => sent(message, say))}</details>` : null}
        ${fresh.map((message) => sent(message, say))}
        ${call.response && line('reply', say('reply'), spoken(call.response))}
      </section>`;
    }),
  ];
}

function sent(message, say) {
  return line(message.role, say(`says_${message.role}`) || message.role, spoken(message));
}

function line(role, label, text) {
  return html`<div class="line ${role}"><h4>${label}</h4><pre dir="auto">${text}</pre></div>`;
}

/** The words of a message and the calls in it, in whichever of the two shapes they are recorded. */
function spoken(message) {
  const calls = (message.tool_calls ?? message.calls ?? []).map((call) => call.function ?? call);
  const words = [message.content ?? message.text, ...calls.map((call) => `${call.name}(${call.arguments ?? ''})`)];
  return words.filter(Boolean).join('\n');
}
