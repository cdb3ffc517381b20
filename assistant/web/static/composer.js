/** Where a question is written. The text stays when it could not be sent. */

import { Component, createRef, h } from './vendor/preact.mjs';
import htm from './vendor/htm.module.js';
import { icon } from './icons.js';

const html = htm.bind(h);

export class Composer extends Component {
  field = createRef();

  componentDidMount() {
    this.field.current.focus();
    document.addEventListener('keydown', this.escape);
  }

  componentWillUnmount() {
    document.removeEventListener('keydown', this.escape);
  }

  escape = (event) => {
    if (event.key === 'Escape' && this.props.turn && !document.querySelector('dialog[open]')) this.props.chat.stop();
  };

  send = (event) => {
    event?.preventDefault();
    if (!this.props.chat.ask(this.field.current.value)) return;
    this.field.current.value = '';
    this.field.current.focus();
  };

  pressed = (event) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) this.send(event);
  };

  stop = () => {
    this.props.chat.stop();
    this.field.current.focus();
  };

  render({ turn, speech, offline }) {
    const { say } = speech;
    const button = turn
      ? html`<button key="stop" type="button" class="round stop" onClick=${this.stop} disabled=${turn.stopping} aria-label=${say('stop')} title=${say('stop')}>${icon('stop')}</button>`
      : html`<button key="send" class="round primary" aria-label=${say('send')} title=${say('send')}>${icon('send')}</button>`;
    return html`<form class="composer" onSubmit=${this.send}>
      <div class="field">
        <label class="unseen" for="question">${say('question')}</label>
        <textarea id="question" ref=${this.field} rows="1" maxlength="20000" placeholder=${say('placeholder')} onKeyDown=${this.pressed} aria-describedby="keys" dir="auto"></textarea>
        ${button}
      </div>
      <p id="keys" class="remark">${offline ? html`<strong>${say('offline')}</strong> ` : null}<span>${say('keys')}</span></p>
    </form>`;
  }
}
