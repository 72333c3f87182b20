import { CircleCheck, CircleHelp, CircleMinus, CircleSlash, Replace } from 'lucide-react';
import { Status, type Tone } from '../../kit/badge';
import { Table } from '../../kit/table';
import { messages as t } from './capability-messages';
import { messages as platforms } from './messages';
import type { Protocol } from './queries';

type Capabilities = Protocol['capabilities'];
type Level = Capabilities['ops']['edit'];

const LOOKS: Readonly<Record<Level, { readonly tone: Tone; readonly icon: typeof CircleCheck }>> = {
  native: { tone: 'success', icon: CircleCheck },
  emulated: { tone: 'info', icon: Replace },
  dropped: { tone: 'warning', icon: CircleMinus },
  rejected: { tone: 'danger', icon: CircleSlash },
  unknown: { tone: 'neutral', icon: CircleHelp },
};

interface Row {
  readonly name: string;
  readonly level: Level;
}

/** The capabilities of the platform, as its adapter declares them. */
export function CapabilityTable({ capabilities }: { readonly capabilities: Capabilities }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted text-sm">{limitsOf(capabilities)}</p>
      <Table
        label={platforms('capabilities')}
        rows={rowsOf(capabilities)}
        rowKey={({ name }) => name}
        columns={[
          { title: t('capability'), cell: ({ name }) => name },
          {
            title: t('support'),
            cell: ({ level }) => <Status {...LOOKS[level]}>{t(`level_${level}`)}</Status>,
          },
          {
            title: t('meaning'),
            isMinor: true,
            cell: ({ level }) => <span className="text-muted">{t(`levelHelp_${level}`)}</span>,
          },
        ]}
      />
    </div>
  );
}

/** The contract of adapters defines all names. */
type Name = Parameters<typeof t>[0];

function rowsOf({ ops, text, media }: Capabilities): Row[] {
  return [
    ...Object.entries(ops).map(([name, level]) => ({ name: t(`op_${name}` as Name), level })),
    ...Object.entries(text.formats).map(([name, level]) => ({
      name: t('format', { name: t(`format_${name}` as Name) }),
      level,
    })),
    ...Object.entries(media).map(([name, { mime }]) => ({
      name: t('media', { name: t(`media_${name}` as Name) }),
      level: best(Object.values(mime)),
    })),
  ];
}

const ORDER: readonly Level[] = ['native', 'emulated', 'dropped', 'rejected', 'unknown'];

/** Shows the best level, although some file types may have a lower one. */
const best = (levels: readonly Level[]): Level => ORDER.find((level) => levels.includes(level)) ?? 'unknown';

function limitsOf({ text }: Capabilities): string {
  return text.max === null
    ? t('anyLength')
    : t('textLimit', { count: text.max, unit: t(`unit_${text.unit}`) });
}
