import { describe, expect, it } from 'vitest';
import { describeConformance } from '../../../src/testing/index.js';
import { bundledKits } from '../../conformance/kits/index.js';
import { openViolations } from '../../conformance/kits/open-violations.js';

/** The fast checks. `npm run conformance`, which CI also runs, runs all of them. */
const BRIEF = [3, 4, 9, 12, 13, 14, 24];

for (const kit of bundledKits) {
  const name = kit.name ?? kit.definition.platform;
  const open = openViolations[name] ?? {};
  describeConformance(
    kit,
    { describe, it },
    { effort: 'quick', only: BRIEF.filter((number) => open[number] === undefined) },
  );
}

describe('the list of open violations', () => {
  it('contains only existing kits', () => {
    const names = bundledKits.map(({ name, definition }) => name ?? definition.platform);
    expect(names).toEqual(expect.arrayContaining(Object.keys(openViolations)));
  });
});
