/**
 * One run for the terminal: a line when it passed, and what was wrong when it did not. LATE is who missed criteria of time alone, or
 * did not start: on a machine with other things to do that may be tried once more. What FAILED has failed.
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

/** All figures of a run, without the zeros that say nothing. */
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
