import { useEffect, useRef, useState } from 'react';
import { type ChartData, colourName, dashOf, drawChart } from './chart';
import { messages as t } from './messages';

interface PlotProps extends ChartData {
  readonly label: string;
  readonly fullNames: readonly string[];
}

/** Draws the lines of a grid. The adjacent table shows the same data to users who do not see the plot. */
export function Plot({ label, fullNames, ...data }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const [point, setPoint] = useState<number>();
  const { names, lines, valueName, steps } = data;
  useEffect(() => {
    if (place.current === null) return;
    return drawChart(place.current, { names, lines, valueName, steps }, setPoint);
  }, [names, lines, valueName, steps]);
  const value = (values: readonly (number | null)[]) => {
    const found = point === undefined ? undefined : values[point];
    return found == null ? '' : valueName(found);
  };
  return (
    <figure
      aria-label={label}
      className="flex min-w-0 flex-col gap-2 rounded-lg border border-line bg-surface p-3"
    >
      <div ref={place} role="img" aria-label={t('plotOf', { name: label })} className="min-h-72 min-w-0" />
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        <span className="w-full text-muted">
          {(point === undefined ? undefined : fullNames[point]) ?? t('pointHelp')}
        </span>
        {lines.map(({ title, values }, index) => (
          <span key={title} className="flex min-w-0 max-w-full items-center gap-1.5">
            <Sample index={index} />
            <span className="untrusted truncate">{title}</span>
            <span className="font-medium tabular-nums">{value(values)}</span>
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function Sample({ index }: { readonly index: number }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 4" className="h-1 w-6 shrink-0">
      <line
        x1="0"
        x2="24"
        y1="2"
        y2="2"
        stroke={`var(${colourName(index)})`}
        strokeWidth="3"
        strokeDasharray={dashOf(index).join(' ')}
      />
    </svg>
  );
}
