/** Small pictures, drawn with lines in the colour of the text. */

import { h } from './vendor/preact.mjs';

const PATHS = {
  contact: 'M8 7.5a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2ZM2.8 13.7c.4-2.7 2.4-4.2 5.2-4.2s4.8 1.5 5.2 4.2',
  member: 'M8 7.5a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2ZM2.8 13.7c.4-2.7 2.4-4.2 5.2-4.2M9.8 12.2l1.4 1.4 2.4-3',
  company: 'M3.2 13.7V3.4c0-.6.4-1 1-1h4.6c.6 0 1 .4 1 1v10.3M9.8 6.4h2c.6 0 1 .4 1 1v6.3M1.8 13.7h12.4M5.6 5.4h1.8M5.6 8.2h1.8M5.6 11h1.8',
  inbox: 'M2.3 9.2 4 3.4c.1-.5.5-.8 1-.8h6c.5 0 .9.3 1 .8l1.7 5.8v3c0 .6-.4 1-1 1H3.3c-.6 0-1-.4-1-1zM2.3 9.2h3.2l1 1.7h3l1-1.7h3.2',
  campaign: 'M2.6 6.6v2.8h2.2l6.4 3.2V3.4L4.8 6.6zM5.4 9.6l.8 3.8M13.2 6.4v3.2',
  conversation: 'M2.4 3.8c0-.6.4-1 1-1h9.2c.6 0 1 .4 1 1v6c0 .6-.4 1-1 1H7.4l-3.2 2.8v-2.8h-.8c-.6 0-1-.4-1-1z',
  deal: 'M2.6 7.4V3.2c0-.4.2-.6.6-.6h4.2c.3 0 .5.1.7.3l5 5c.4.4.4 1 0 1.4l-3.8 3.8c-.4.4-1 .4-1.4 0l-5-5c-.2-.2-.3-.4-.3-.7ZM5.6 5.7v-.1',
  veil: 'M1.8 8s2.2-4.2 6.2-4.2S14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8ZM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z',
  send: 'M8 13.4V2.8M3.6 7.2 8 2.8l4.4 4.4',
  stop: 'M4.4 4.4h7.2v7.2H4.4z',
  plus: 'M8 3v10M3 8h10',
  close: 'm4 4 8 8M12 4l-8 8',
};

/** The picture of this name; screen readers pass over it. */
export function icon(name) {
  return h('svg', { class: 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true', focusable: 'false' }, h('path', { d: PATHS[name] }));
}
