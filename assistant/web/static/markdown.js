/**
 * Markdown as nodes of an allow list. Nothing here can load, send, run or be clicked: no element with an address is made.
 * What the parser calls HTML is shown as the text it is, a picture as a remark, a link as its text and its address.
 */

import { h } from './vendor/preact.mjs';
import { lexer } from './vendor/marked.esm.js';
import { hold } from './marks.js';

const DEEPEST = 16;
const LONGEST_ADDRESS = 300;
/** What models write for characters of HTML; as a text node each is only that character. */
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: '\u00a0' };
const OPTIONS = { gfm: true, breaks: true };

/** The nodes of a text with marks; `chip(piece)` draws a marked span and `removed(alt)` what stands for a picture. */
export function markdown(text, marks, { chip, removed }) {
  const { held, release } = hold(text, marks);
  const plain = (part) => release(part).map((piece) => (piece.mark ? chip(piece) : piece.text));
  try {
    return many(lexer(held, OPTIONS), { plain, removed, depth: 0 });
  } catch {
    return [h('p', { class: 'raw' }, plain(held))]; // nested too deeply for the parser
  }
}

const NODES = {
  space: () => null,
  def: () => null,
  br: () => h('br'),
  hr: () => h('hr'),
  paragraph: (token, tools) => h('p', null, many(token.tokens, tools)),
  heading: (token, tools) => h(`h${Math.min(token.depth + 1, 6)}`, null, many(token.tokens, tools)),
  blockquote: (token, tools) => h('blockquote', null, many(token.tokens, tools)),
  strong: (token, tools) => h('strong', null, many(token.tokens, tools)),
  em: (token, tools) => h('em', null, many(token.tokens, tools)),
  del: (token, tools) => h('del', null, many(token.tokens, tools)),
  code: (token, tools) => h('pre', { tabIndex: 0 }, h('code', null, tools.plain(token.text))),
  codespan: (token, tools) => h('code', null, tools.plain(token.text)),
  escape: (token, tools) => tools.plain(token.text),
  text: (token, tools) => (token.tokens ? many(token.tokens, tools) : tools.plain(spelt(token.text))),
  html: (token, tools) => h('span', { class: 'raw' }, tools.plain(token.raw)),
  image: (token, tools) => h('span', { class: 'removed' }, tools.removed(tools.plain(token.text))),
  link,
  list,
  table,
};

function many(tokens, tools) {
  return (tokens ?? []).map((token) => node(token, tools));
}

function node(token, tools) {
  const draw = Object.hasOwn(NODES, token.type) && tools.depth < DEEPEST ? NODES[token.type] : null;
  return draw ? draw(token, { ...tools, depth: tools.depth + 1 }) : tools.plain(token.raw);
}

function spelt(text) {
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name) => ENTITIES[name]);
}

function link(token, tools) {
  const label = many(token.tokens, tools);
  if (token.text === token.href || `http://${token.text}` === token.href || `mailto:${token.text}` === token.href) return label;
  const address = token.href.length > LONGEST_ADDRESS ? `${token.href.slice(0, LONGEST_ADDRESS)}…` : token.href;
  return [label, ' ', h('span', { class: 'address' }, '(', tools.plain(address), ')')];
}

function list(token, tools) {
  const start = token.ordered && Number.isSafeInteger(token.start) && token.start !== 1 ? { start: token.start } : null;
  const items = token.items.map((item) => h('li', null, many(item.tokens, tools)));
  return h(token.ordered ? 'ol' : 'ul', start, items);
}

function table(token, tools) {
  const row = (cells, element) => h('tr', null, cells.map((cell) => h(element, { class: cell.align ?? undefined }, many(cell.tokens, tools))));
  const body = token.rows.map((cells) => row(cells, 'td'));
  return h('div', { class: 'table', tabIndex: 0 }, h('table', null, h('thead', null, row(token.header, 'th')), h('tbody', null, body)));
}
