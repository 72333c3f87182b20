import type { Hour } from '../../api/home-paths';
import { language } from '../../i18n/language';
import { clockTime } from '../../i18n/time';
import { Card } from '../../kit/page';
import { messages as t } from './messages';

const WIDTH = 480;
const HEIGHT = 160;
const whole = new Intl.NumberFormat(language);

/** The messages of the last 24 hours as a chart and as a table with the same numbers. */
export function Traffic({ traffic }: { readonly traffic: readonly Hour[] }) {
  const sum = (name: 'inbound' | 'outbound') => traffic.reduce((total, hour) => total + hour[name], 0);
  return (
    <Card title={t('traffic')}>
      <div className="grid gap-4 md:grid-cols-[1fr_18rem]">
        <div className="flex min-w-0 flex-col gap-2">
          <p className="flex flex-wrap gap-4 text-sm">
            <Legend colour="bg-accent">{`${t('inbound')}: ${whole.format(sum('inbound'))}`}</Legend>
            <Legend colour="bg-success-fill">{`${t('outbound')}: ${whole.format(sum('outbound'))}`}</Legend>
          </p>
          <div>
            <Chart traffic={traffic} />
            <Axis traffic={traffic} />
          </div>
        </div>
        <Numbers traffic={traffic} />
      </div>
    </Card>
  );
}

function Legend({ colour, children }: { readonly colour: string; readonly children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 tabular-nums">
      <span aria-hidden className={`size-3 rounded-sm ${colour}`} />
      {children}
    </span>
  );
}

function Chart({ traffic }: { readonly traffic: readonly Hour[] }) {
  const largest = Math.max(1, ...traffic.flatMap(({ inbound, outbound }) => [inbound, outbound]));
  const room = WIDTH / Math.max(1, traffic.length);
  const bar = room * 0.4;
  const height = (amount: number) => (amount / largest) * (HEIGHT - 4);
  return (
    <svg role="img" aria-label={t('chart')} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="w-full">
      <line x1={0} y1={HEIGHT - 1} x2={WIDTH} y2={HEIGHT - 1} className="stroke-line" />
      {traffic.map(({ start, inbound, outbound }, index) => (
        <g key={start}>
          <Bar x={index * room} width={bar} height={height(inbound)} colour="fill-accent" />
          <Bar x={index * room + bar} width={bar} height={height(outbound)} colour="fill-success-fill" />
        </g>
      ))}
    </svg>
  );
}

/** Labels for the first, the middle and the last hour. */
function Axis({ traffic }: { readonly traffic: readonly Hour[] }) {
  const shown = new Set([traffic[0], traffic[Math.floor(traffic.length / 2)], traffic.at(-1)]);
  return (
    <p aria-hidden className="flex justify-between text-muted text-xs tabular-nums">
      {[...shown].map((hour) => hour && <span key={hour.start}>{clockTime(hour.start)}</span>)}
    </p>
  );
}

interface BarProps {
  readonly x: number;
  readonly width: number;
  readonly height: number;
  readonly colour: string;
}

function Bar({ x, width, height, colour }: BarProps) {
  return <rect x={x} y={HEIGHT - 1 - height} width={width} height={height} className={colour} />;
}

/** Lists only hours with messages. Other hours have no row. */
function Numbers({ traffic }: { readonly traffic: readonly Hour[] }) {
  const rows = traffic.filter(({ inbound, outbound }) => inbound + outbound > 0).reverse();
  if (rows.length === 0) return <p className="text-muted text-sm">{t('trafficNone')}</p>;
  return (
    // Scrollable content must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section aria-label={t('table')} tabIndex={0} className="max-h-48 overflow-y-auto">
      <table className="w-full text-left text-sm tabular-nums">
        <thead>
          <tr className="text-muted">
            <th className="font-medium">{t('hour')}</th>
            <th className="text-right font-medium">{t('inbound')}</th>
            <th className="text-right font-medium">{t('outbound')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((hour) => (
            <HourRow key={hour.start} hour={hour} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function HourRow({ hour: { start, inbound, outbound } }: { readonly hour: Hour }) {
  return (
    <tr>
      <td>
        <time dateTime={start}>{clockTime(start)}</time>
      </td>
      <td className="text-right">{whole.format(inbound)}</td>
      <td className="text-right">{whole.format(outbound)}</td>
    </tr>
  );
}
