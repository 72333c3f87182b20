import { cellName } from './labels';
import { messages as t } from './messages';
import type { Grid } from './series';

interface NumbersProps {
  readonly label: string;
  readonly grid: Grid;
  /** The names of the rows. */
  readonly names: readonly string[];
  readonly titles: readonly string[];
}

const CELL = 'whitespace-nowrap px-3 py-1.5 text-right tabular-nums';

/** The numbers of a plot as a table. The total is the first row. */
export function Numbers({ label, grid, names, titles }: NumbersProps) {
  const row = (cells: Grid['totals']) =>
    cells.map((cell, index) => (
      <td key={titles[index]} className={CELL}>
        {cellName(cell, grid.lines[index]?.measure.unit ?? 'count')}
      </td>
    ));
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: people scroll it with the keys.
      tabIndex={0}
      aria-label={label}
      className="max-h-88 overflow-auto rounded-lg border border-line bg-surface"
    >
      <table aria-label={label} className="w-full border-collapse text-sm">
        <thead className="sticky top-0 bg-surface">
          <tr className="border-line border-b">
            <th className="px-3 py-2 text-left font-medium text-muted">{t('time')}</th>
            {titles.map((title) => (
              <th key={title} className="px-3 py-2 text-right font-medium text-muted">
                <span className="untrusted inline-block max-w-40 truncate align-bottom">{title}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className="border-line border-b bg-canvas font-semibold">
            <th className="px-3 py-1.5 text-left">{t('total')}</th>
            {row(grid.totals)}
          </tr>
          {grid.rows.map(({ start, cells }, index) => (
            <tr key={start} className="border-line border-b last:border-b-0 hover:bg-hover">
              <th className="whitespace-nowrap px-3 py-1.5 text-left font-normal">{names[index]}</th>
              {row(cells)}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
