import { useMemo, useState } from 'react';
import type { LocalAnalytics } from '../../api/analytics-paths';
import { usePeople } from '../../api/people';
import { Select } from '../../kit/select';
import { bucketNames, cellName } from './labels';
import { messages as t } from './messages';
import { Numbers } from './numbers';
import { Plot } from './plot';
import { type Grid, gridOf, type Line, type Measure } from './series';
import { groupTitle, measureTitle } from './titles';

interface SectionProps {
  readonly title: string;
  readonly found: LocalAnalytics;
  readonly measures: readonly Measure[];
}

const COUNT_STEPS = [1, 2, 5].flatMap((step) => Array.from({ length: 12 }, (_, n) => step * 10 ** n));
const STEPS = {
  count: COUNT_STEPS.sort((a, b) => a - b),
  seconds: [
    1, 5, 15, 30, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400, 172_800, 604_800, 2_592_000,
  ],
};
const NAME_VALUE = {
  count: (value: number) => cellName(value, 'count'),
  seconds: (value: number) => cellName(value, 'seconds'),
};

/** A plot and its table. With groups, they show one measure at a time. */
export function Section({ title, found, measures }: SectionProps) {
  const [chosen, setChosen] = useState('');
  const isGrouped = found.group_by !== null;
  const grid = useMemo(() => {
    const one = measures.find(({ key }) => key === chosen) ?? measures[0];
    return gridOf(found, isGrouped && one !== undefined ? [one] : measures);
  }, [found, measures, chosen, isGrouped]);
  const titles = useTitles(found, grid.lines);
  const { short, full, lines } = usePlotted(found, grid, titles);
  const unit = measures[0]?.unit ?? 'count';
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold">{title}</h2>
        {isGrouped && measures.length > 1 && (
          <Select
            className="max-w-52"
            label={t('measureOf', { name: title })}
            value={chosen === '' ? (measures[0]?.key ?? '') : chosen}
            onChange={setChosen}
            options={Object.fromEntries(measures.map(({ key }) => [key, measureTitle(key)]))}
          />
        )}
      </div>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <Plot
          label={title}
          names={short}
          fullNames={full}
          lines={lines}
          valueName={NAME_VALUE[unit]}
          steps={STEPS[unit]}
        />
        <Numbers label={t('numbersOf', { name: title })} grid={grid} names={full} titles={titles} />
      </div>
    </section>
  );
}

/** The rows and lines of a grid with their names. The plot is redrawn when a name changes. */
function usePlotted(found: LocalAnalytics, grid: Grid, titles: readonly string[]) {
  return useMemo(() => {
    const starts = grid.rows.map(({ start }) => start);
    const names = bucketNames(found, starts);
    return {
      short: names.map((name) => name.short),
      full: names.map((name) => name.full),
      lines: titles.map((title, index) => ({
        title,
        values: grid.rows.map(({ cells }) => cells[index] ?? null),
      })),
    };
  }, [found, grid, titles]);
}

/** The name of each line. Groups with the same name are distinguished by their ids. */
function useTitles(found: LocalAnalytics, lines: readonly Line[]): readonly string[] {
  const isAgent = found.group_by === 'agent';
  const ids = lines.flatMap(({ group }) =>
    isAgent && typeof group === 'string' && group !== 'other' ? [group] : [],
  );
  const people = usePeople(ids);
  return useMemo(() => {
    const names = lines.map(({ measure, group }) => {
      if (group === undefined) return measureTitle(measure.key);
      const person = typeof group === 'string' ? people.get(group) : undefined;
      return person?.display_name || groupTitle(group, found.group_by);
    });
    return names.map((name, index) => {
      const { group } = lines[index] ?? {};
      return names.indexOf(name) === index ? name : `${name} ${String(group)}`;
    });
  }, [lines, people, found.group_by]);
}
