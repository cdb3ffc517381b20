/**
 * A text and its marks. Marks count Unicode code points; scripts count UTF-16 units, so a text is taken apart first.
 * A marked span (a name, most often) never reaches the Markdown parser: a sentinel that nobody can guess stands for it.
 */

const LAST = '\uE001';
const DIGIT = 0xe010;
const TURNING = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** The text in pieces: `{ text }`, or `{ text, mark }` for a marked span. Marks that overlap an earlier one are left out. */
export function pieces(text, marks) {
  const points = Array.from(text);
  const found = [];
  let position = 0;
  for (const mark of [...marks].sort((one, other) => one.start - other.start)) {
    if (mark.start < position || mark.end <= mark.start || mark.end > points.length) continue;
    if (mark.start > position) found.push({ text: points.slice(position, mark.start).join('') });
    found.push({ text: points.slice(mark.start, mark.end).join(''), mark });
    position = mark.end;
  }
  if (position < points.length) found.push({ text: points.slice(position).join('') });
  return found;
}

/** The text with a sentinel for each marked span, and the function that puts the pieces back into a part of it. */
export function hold(text, marks) {
  const cut = pieces(text, marks);
  const first = nonce();
  const held = cut.map((piece, place) => (piece.mark ? first + digits(place) + LAST : piece.text)).join('');
  const pattern = new RegExp(`${first}([\uE010-\uE019]+)${LAST}`, 'u');
  const release = (part) => part.split(pattern).map((bit, place) => (place % 2 ? cut[number(bit)] : { text: bit })).filter((piece) => piece.text);
  return { held, release };
}

/** A name without characters that turn the writing around it; what the server removes is removed here once more. */
export function calm(name) {
  return name.replace(TURNING, '');
}

/** How many code points a text has. */
export function length(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Marks for tokens that the model made up, wherever they stand in the text as whole words. */
export function unknown(text, marks, tokens) {
  const points = Array.from(text);
  const taken = (start, end) => marks.some((mark) => mark.start < end && start < mark.end);
  const found = [];
  for (const token of tokens) {
    const width = length(token);
    for (let start = 0; start + width <= points.length; start += 1) {
      const end = start + width;
      if (points.slice(start, end).join('') !== token || taken(start, end)) continue;
      if (/[\p{L}\p{N}]/u.test(points[start - 1] ?? '') || /[\p{L}\p{N}]/u.test(points[end] ?? '')) continue;
      found.push({ start, end, token, unknown: true });
    }
  }
  return found;
}

function nonce() {
  const random = crypto.getRandomValues(new Uint16Array(8));
  return '\uE000' + String.fromCharCode(...Array.from(random, (value) => 0xe100 + (value % 0x0800)));
}

function digits(place) {
  return Array.from(String(place), (digit) => String.fromCharCode(DIGIT + Number(digit))).join('');
}

function number(bit) {
  return Number(Array.from(bit, (digit) => digit.charCodeAt(0) - DIGIT).join(''));
}
