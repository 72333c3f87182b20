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

// On a phone a row is a block: its time, and below it each value with the title of its column.
const ROW =
  'border-line border-b max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-6 max-sm:gap-y-1 max-sm:px-3 max-sm:py-2';
const NAME = 'whitespace-nowrap px-3 py-1.5 text-left max-sm:col-span-2 max-sm:p-0';
const CELL = 'whitespace-nowrap px-3 py-1.5 text-right tabular-nums';
const TITLED_CELL =
  'max-sm:flex max-sm:justify-between max-sm:gap-2 max-sm:p-0 max-sm:before:min-w-0 max-sm:before:truncate max-sm:before:font-normal max-sm:before:text-muted max-sm:before:content-[attr(data-title)]';

/** The numbers of a plot as a table. The total is the first row. */
export function Numbers({ label, grid, names, titles }: NumbersProps) {
  const row = (cells: Grid['totals']) =>
    cells.map((cell, index) => (
      <td key={titles[index]} data-title={titles[index]} className={`${CELL} ${TITLED_CELL}`}>
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
        <thead className="sticky top-0 bg-surface max-sm:sr-only">
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
          <tr className={`${ROW} bg-canvas font-semibold`}>
            <th className={NAME}>{t('total')}</th>
            {row(grid.totals)}
          </tr>
          {grid.rows.map(({ start, cells }, index) => (
            <tr key={start} className={`${ROW} last:border-b-0 hover:bg-hover`}>
              <th className={`${NAME} font-normal max-sm:font-medium`}>{names[index]}</th>
              {row(cells)}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
