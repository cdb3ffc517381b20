/** The page's sentences and dates, in the member's language and time zone. */

/** Gives `say(name, values)`, `when(time)` and the language of a page. */
export function speaking({ words, language, zone }) {
  const say = (name, values = {}) => (words[name] ?? '').replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
  const format = (options) => new Intl.DateTimeFormat(language, { timeZone: zone, ...options });
  const plurals = new Intl.PluralRules(language);
  const day = format({ year: 'numeric', month: '2-digit', day: '2-digit' });
  const short = format({ day: 'numeric', month: 'short' });
  const clock = format({ hour: '2-digit', minute: '2-digit' });
  return {
    say,
    has: (name) => Object.hasOwn(words, name),
    count: (name, count) => say(`${name}_${plurals.select(count)}`, { count }) || say(`${name}_other`, { count }),
    when(time) {
      const moment = new Date(time);
      const today = day.format(moment) === day.format(new Date());
      return today ? clock.format(moment) : `${short.format(moment)}, ${clock.format(moment)}`;
    },
  };
}
