import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** A line of a chart. Null is a gap. */
interface ChartLine {
  readonly title: string;
  readonly values: readonly (number | null)[];
}

export interface ChartData {
  /** Labels of the buckets below the chart. */
  readonly names: readonly string[];
  readonly lines: readonly ChartLine[];
  readonly valueName: (value: number) => string;
  /** Spacing of the grid lines. */
  readonly steps: readonly number[];
}

const HEIGHT = 280;
/** Lines also differ by dashes, for users who cannot distinguish the colours. */
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 2], [12, 6], [3, 6], [8, 2, 2, 2]];
const INDEXES = [1, 2, 3, 6, 7, 12, 14, 24, 28, 48, 56, 72, 96, 168, 336];

const colour = (name: string) => () => getComputedStyle(document.documentElement).getPropertyValue(name);

export const dashOf = (index: number): readonly number[] => DASHES[index % DASHES.length] ?? [];
export const colourName = (index: number): string => `--plot-${(index % DASHES.length) + 1}`;

/** Draws the chart into the element until the returned function is called. Reports the bucket under the pointer. */
export function drawChart(
  element: HTMLElement,
  data: ChartData,
  onPoint: (index: number | undefined) => void,
): () => void {
  const { names, lines } = data;
  const chart = new uPlot(
    optionsOf(data, element.clientWidth, onPoint),
    [names.map((_, index) => index), ...lines.map(({ values }) => [...values])],
    element,
  );
  const sizes = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
  sizes.observe(element);
  const themes = new MutationObserver(() => chart.redraw(false));
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    sizes.disconnect();
    themes.disconnect();
    chart.destroy();
  };
}

function optionsOf(
  { names, lines, valueName, steps }: ChartData,
  width: number,
  onPoint: (index: number | undefined) => void,
): uPlot.Options {
  const font = '12px system-ui, sans-serif';
  const axis = { stroke: colour('--muted'), font, ticks: { show: false } };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    scales: { x: { time: false }, y: { range: (_, __, max) => [0, Math.max(1, max) * 1.05] } },
    axes: [
      {
        ...axis,
        space: 64,
        incrs: INDEXES,
        grid: { show: false },
        values: (_, splits) => splits.map((index) => names[index] ?? ''),
      },
      {
        ...axis,
        size: 72,
        incrs: [...steps],
        grid: { stroke: colour('--line'), width: 1 },
        values: (_, splits) => splits.map(valueName),
      },
    ],
    series: [
      {},
      ...lines.map(({ title }, index) => ({
        label: title,
        stroke: colour(colourName(index)),
        width: 2,
        dash: [...dashOf(index)],
        spanGaps: false,
        points: { show: names.length < 40, size: 6, fill: colour(colourName(index)) },
      })),
    ],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)] },
  };
}
