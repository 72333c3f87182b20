/**
 * Describes a run for the terminal, with the missed criteria if it did not pass. LATE: it missed only time criteria or did not
 * start, so it may run again. FAILED: it must not be repeated.
 */
export function describeVerdict(
  { id, title, seed, length, queue, seconds, passed, mayRepeat, criteria, figures, details, troubles },
  whole = false,
) {
  const word = passed ? 'passed' : mayRepeat ? 'LATE' : 'FAILED';
  const head = `${word} ${id} --seed ${seed} --length ${length} (queue in ${queue}, ${seconds} s): ${title}`;
  const lines = [head, `  ${figuresInWords(figures)}`];
  if (passed && !whole) return lines.join('\n');
  const missed = criteria.filter(({ met }) => !met).map(({ what, figure }) => `  MISSED ${what}: ${figure}`);
  return [...lines, ...missed, ...details.map((each) => `    ${each}`), `  ${JSON.stringify(troubles)}`].join(
    '\n',
  );
}

/** All figures of a run as text. */
export function figuresInWords(figures) {
  return Object.entries(figures)
    .map(([name, values]) => `${name}: ${inWords(values)}`)
    .join('; ');
}

function inWords(values) {
  if (typeof values !== 'object') return String(values);
  return Object.entries(values)
    .map(([what, value]) => `${value} ${what}`)
    .join(', ');
}
