/** Questions and answers, with the names in them as chips. */

import { Component, h } from './vendor/preact.mjs';
import htm from './vendor/htm.module.js';
import { icon } from './icons.js';
import { calm, pieces, unknown } from './marks.js';
import { markdown } from './markdown.js';

const html = htm.bind(h);

/** What a member asked: their text as it is. */
export function Question({ message, speech }) {
  return html`<article class="question" dir="auto" aria-label=${speech.say('you')}>
    <p>${pieces(message.text, message.marks ?? []).map((piece) => (piece.mark ? chip(piece, speech) : piece.text))}</p>
    ${message.withheld && html`<p class="remark">${speech.say('withheld')}</p>`}
  </article>`;
}

/** An answer, whole or as far as it has come; drawn anew only when its text has changed. */
export class Answer extends Component {
  shouldComponentUpdate(next) {
    return next.text !== this.props.text || next.marks !== this.props.marks || next.unknownTokens !== this.props.unknownTokens;
  }

  render({ text, marks, unknownTokens, speech }) {
    const all = unknownTokens?.length ? [...marks, ...unknown(text, marks, unknownTokens)] : marks;
    const tools = {
      chip: (piece) => chip(piece, speech),
      removed: (alt) => ['[', speech.say('image_removed'), alt.length ? [': ', alt] : null, ']'],
    };
    return html`<div class="text" dir="auto">${markdown(text, all, tools)}</div>`;
  }
}

/** A marked span: who it is, and in its title how it travels. The name is a text node, whatever it holds. */
function chip({ text, mark }, speech) {
  const { say } = speech;
  const about = [mark.kind ? `${mark.token} · ${say(`kind_${mark.kind}`)}` : say('travels_as', { token: mark.token })];
  if (mark.unknown) about[0] = `${mark.token} · ${say('unknown_token')}`;
  if (mark.state === 'hidden' || mark.state === 'erased') about.push(say(mark.state));
  if (mark.late) about.push(say('late'));
  const classes = ['chip', mark.unknown ? 'unknown' : (mark.kind ?? 'masked'), mark.state ?? '', mark.fuzzy ? 'fuzzy' : '', mark.late ? 'late' : ''];
  const title = about.join(' · ');
  return html`<span class=${classes.filter(Boolean).join(' ')} title=${title} aria-description=${title}
    >${mark.kind && icon(mark.kind)}<bdi>${calm(text)}</bdi></span
    >${mark.fuzzy && mark.understood?.length ? html` <small class="understood">(${say('understood', { names: mark.understood.map(calm).join(', ') })})</small>` : null}`;
}
