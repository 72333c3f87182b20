import { useQuery } from '@tanstack/react-query';
import { language } from '../../../i18n/language';
import { momentTime } from '../../../i18n/time';
import { Checkbox } from '../../../kit/checkbox';
import { Field, Input } from '../../../kit/field';
import { Card } from '../../../kit/page';
import { Select } from '../../../kit/select';
import { Choice } from './choice';
import type { Begin, Delivery } from './delivery';
import { messages as t } from './delivery-messages';
import type { PlanProps } from './plan';
import { platformsQuery } from './queries';
import { timeInZone } from './zoned-time';

interface DeliveryProps {
  readonly delivery: Delivery;
  readonly onChange: (change: Partial<Delivery>) => void;
  readonly problems: PlanProps['problems'];
}

/** The time, the rate and the platforms of the broadcast. */
export function DeliveryCard({ plan, onChange, problems }: PlanProps) {
  const { delivery } = plan;
  const props: DeliveryProps = {
    delivery,
    problems,
    onChange: (change) => onChange({ delivery: { ...delivery, ...change } }),
  };
  return (
    <Card title={t('title')}>
      <Start {...props} />
      <Quiet {...props} />
      <Zone {...props} />
      <Platforms {...props} />
      <Pace {...props} />
    </Card>
  );
}

const BEGINS: Readonly<Record<Begin, string>> = {
  start: t('begin_start'),
  fixed: t('begin_fixed'),
  recipient_local: t('begin_recipient_local'),
};

function Start({ delivery, onChange, problems }: DeliveryProps) {
  const { begin, at, expiresAt, zone } = delivery;
  const when = begin === 'fixed' ? timeInZone(at, zone) : undefined;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t('begin')} help={begin === 'recipient_local' ? t('localHelp') : undefined}>
        <Select value={begin} onChange={(chosen) => onChange({ begin: chosen })} options={BEGINS} />
      </Field>
      {begin !== 'start' && (
        <Field
          label={t(begin === 'fixed' ? 'at' : 'localTime')}
          help={when && t('yourTime', { time: momentTime(when.toISOString()) })}
          error={problems['schedule.at'] ?? problems['schedule.local_time']}
        >
          <Input type="datetime-local" value={at} onChange={({ target }) => onChange({ at: target.value })} />
        </Field>
      )}
      <Field label={t('expires')} help={t('expiresHelp')} error={problems['schedule.expires_at']}>
        <Input
          type="datetime-local"
          value={expiresAt}
          onChange={({ target }) => onChange({ expiresAt: target.value })}
        />
      </Field>
    </div>
  );
}

/** This date is a Sunday. */
const SUNDAY = Date.UTC(2026, 0, 4);
const DAY_MS = 86_400_000;
const dayName = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' });
const DAYS = Array.from({ length: 7 }, (_, day) => dayName.format(new Date(SUNDAY + day * DAY_MS)));

function Quiet({ delivery, onChange, problems }: DeliveryProps) {
  const { quietFrom, quietTo, quietDays } = delivery;
  const toggle = (day: number, isChosen: boolean) =>
    onChange({
      quietDays: DAYS.flatMap((_, each) =>
        (each === day ? isChosen : quietDays.includes(each)) ? [each] : [],
      ),
    });
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 font-medium text-sm">{t('quiet')}</legend>
      <p className="text-muted text-sm">{t('quietHelp')}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('quietFrom')} error={problems['schedule.quiet_hours.from']}>
          <Input
            type="time"
            value={quietFrom}
            onChange={({ target }) => onChange({ quietFrom: target.value })}
          />
        </Field>
        <Field label={t('quietTo')} error={problems['schedule.quiet_hours.to']}>
          <Input type="time" value={quietTo} onChange={({ target }) => onChange({ quietTo: target.value })} />
        </Field>
      </div>
      {quietFrom !== '' && (
        <div className="flex flex-wrap gap-x-4 gap-y-2">
          {DAYS.map((name, day) => (
            <Checkbox
              key={name}
              isChecked={quietDays.includes(day)}
              onChange={(isChosen) => toggle(day, isChosen)}
            >
              {name}
            </Checkbox>
          ))}
        </div>
      )}
    </fieldset>
  );
}

/** Shown if a time depends on the zone. */
function Zone({ delivery, onChange, problems }: DeliveryProps) {
  const { begin, expiresAt, quietFrom, quietTo, zone } = delivery;
  if (begin !== 'fixed' && `${expiresAt}${quietFrom}${quietTo}` === '') return null;
  return (
    <Field
      label={t('zone')}
      help={t('zoneHelp')}
      error={problems['schedule.quiet_hours.timezone'] ?? (isZone(zone) ? undefined : t('noZone'))}
    >
      <Input
        list="time-zones"
        autoComplete="off"
        spellCheck={false}
        value={zone}
        onChange={({ target }) => onChange({ zone: target.value.trim() })}
      />
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </Field>
  );
}

const isZone = (zone: string): boolean => timeInZone('2026-01-01T00:00', zone) !== undefined;

function Platforms({ delivery, onChange }: DeliveryProps) {
  const all = useQuery(platformsQuery).data ?? [];
  return (
    <Choice
      label={t('platforms')}
      help={t('platformsHelp')}
      add={t('addPlatform')}
      options={Object.fromEntries(all.map(({ id, name }) => [id, name]))}
      chosen={delivery.platforms}
      onChange={(platforms) => onChange({ platforms })}
    />
  );
}

function Pace({ delivery, onChange, problems }: DeliveryProps) {
  const { perMinute, fallbackMinutes, successStatus } = delivery;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t('perMinute')} help={t('perMinuteHelp')} error={problems['throttle.per_minute']}>
        <Input
          type="number"
          min={1}
          max={60_000}
          value={perMinute}
          onChange={({ target }) => onChange({ perMinute: target.value })}
        />
      </Field>
      <Field label={t('fallback')} help={t('fallbackHelp')} error={problems['fallback.after_seconds']}>
        <Input
          type="number"
          min={1}
          max={1_440}
          value={fallbackMinutes}
          onChange={({ target }) => onChange({ fallbackMinutes: target.value })}
        />
      </Field>
      {fallbackMinutes !== '' && (
        <Field label={t('success')} help={t('successHelp')}>
          <Select
            value={successStatus}
            onChange={(status) => onChange({ successStatus: status })}
            options={{ sent: t('sent'), delivered: t('delivered'), read: t('read') }}
          />
        </Field>
      )}
    </div>
  );
}
