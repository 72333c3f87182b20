import { useState } from 'react';
import type { AnalyticsResource } from '../../api/analytics-paths';
import { Input } from '../../kit/field';
import { Filters } from '../../kit/filters';
import { Select } from '../../kit/select';
import { messages as t } from './messages';
import { DAYS, type Range, type View } from './queries';
import { GROUPS } from './series';

const RANGES = [...(Object.keys(DAYS) as (keyof typeof DAYS)[]), 'custom'] as const;
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

interface ViewFormProps {
  readonly resource: AnalyticsResource;
  readonly view: View;
  readonly onChange: (view: View) => void;
}

/** Selects the days, the time zone, the bucket size and the groups. */
export function ViewForm({ resource, view, onChange }: ViewFormProps) {
  const set = (change: Partial<View>) => onChange({ ...view, ...change });
  const setRange = (range: Range) =>
    set({ range, ...(range !== 'custom' && { interval: range === 'today' ? 'hour' : 'day' }) });
  const ranges = Object.fromEntries(RANGES.map((range) => [range, t(`range_${range}`)])) as Record<
    Range,
    string
  >;
  return (
    <Filters>
      <Select
        className="max-w-44"
        label={t('range')}
        value={view.range}
        onChange={setRange}
        options={ranges}
      />
      {view.range === 'custom' && <OwnDates view={view} onChange={onChange} />}
      <Select
        className="max-w-36"
        label={t('interval')}
        value={view.interval}
        onChange={(interval) => set({ interval })}
        options={{ day: t('byDay'), hour: t('byHour') }}
      />
      <Select
        className="max-w-44"
        label={t('group')}
        value={GROUPS[resource].some((group) => group === view.group) ? view.group : ''}
        onChange={(group) => set({ group })}
        options={
          {
            '': t('noGroup'),
            ...Object.fromEntries(GROUPS[resource].map((group) => [group, t(`by_${group}`)])),
          } as Record<View['group'], string>
        }
      />
      <ZoneField zone={view.timeZone} onChange={(timeZone) => set({ timeZone })} />
    </Filters>
  );
}

function OwnDates({ view, onChange }: Omit<ViewFormProps, 'resource'>) {
  return (
    <>
      <Input
        type="date"
        className="max-w-40"
        aria-label={t('firstDay')}
        value={view.from}
        onChange={({ target }) => onChange({ ...view, from: target.value })}
      />
      <Input
        type="date"
        className="max-w-40"
        aria-label={t('lastDay')}
        value={view.to}
        onChange={({ target }) => onChange({ ...view, to: target.value })}
      />
    </>
  );
}

/** Accepts the typed text only if it is a valid time zone. */
function ZoneField({ zone, onChange }: { readonly zone: string; readonly onChange: (zone: string) => void }) {
  const [text, setText] = useState(zone);
  const type = (typed: string) => {
    setText(typed);
    const found = ZONES.find((each) => each.toLowerCase() === typed.trim().toLowerCase());
    if (found !== undefined) onChange(found);
  };
  return (
    <>
      <Input
        list="time-zones"
        className="max-w-60"
        aria-label={t('timeZone')}
        placeholder={zone}
        maxLength={64}
        value={text}
        onChange={({ target }) => type(target.value)}
        onBlur={() => setText(zone)}
      />
      <datalist id="time-zones">
        {ZONES.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  );
}
