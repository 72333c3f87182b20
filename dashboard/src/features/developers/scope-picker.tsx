import { Checkbox } from '../../kit/checkbox';
import { Field } from '../../kit/field';
import { Select } from '../../kit/select';
import { messages as t } from './messages';
import { AREAS, type Area, type Preset, presetOf, SCOPE_AREAS, scopesOfPreset } from './scopes';

interface ScopePickerProps {
  readonly scopes: readonly string[];
  readonly onChange: (scopes: string[]) => void;
  readonly error: string | undefined;
}

/** Selects a preset, or single scopes with their descriptions. */
export function ScopePicker({ scopes, onChange, error }: ScopePickerProps) {
  const preset = presetOf(scopes);
  const presets: Readonly<Record<Preset, string>> = {
    messaging: t('preset_messaging'),
    agent: t('preset_agent'),
    readOnly: t('preset_readOnly'),
    all: t('preset_all'),
    custom: t('preset_custom'),
  };
  return (
    <div className="flex flex-col gap-2">
      <Field label={t('scopes')} help={t('scopesHelp')} error={error}>
        <Select
          value={preset}
          onChange={(next) => onChange([...scopesOfPreset(next, scopes)])}
          options={presets}
        />
      </Field>
      <ul className="flex max-h-64 flex-col overflow-y-auto rounded-md border border-line">
        {AREAS.map((area) => (
          <AreaRow key={area} area={area} scopes={scopes} onChange={onChange} />
        ))}
      </ul>
    </div>
  );
}

interface AreaRowProps {
  readonly area: Area;
  readonly scopes: readonly string[];
  readonly onChange: (scopes: string[]) => void;
}

function AreaRow({ area, scopes, onChange }: AreaRowProps) {
  const change = (scope: string, isChosen: boolean) =>
    onChange(isChosen ? [...scopes, scope] : scopes.filter((each) => each !== scope));
  return (
    <li className="flex items-center justify-between gap-4 border-line border-b px-3 py-2 last:border-b-0">
      <span className="min-w-0">
        <span className="block font-medium text-sm">{t(`area_${area}`)}</span>
        <span className="block text-muted text-xs">{t(`areaHelp_${area}`)}</span>
      </span>
      <span className="grid shrink-0 grid-cols-[4.5rem_4.5rem] gap-2">
        {(['read', 'write', 'draft'] as const).map((right) => {
          const scope = `${area}:${right}`;
          if (!(SCOPE_AREAS[area] as readonly string[]).includes(right))
            return right === 'draft' ? null : <span key={right} />;
          return (
            <Checkbox
              key={right}
              isChecked={scopes.includes(scope)}
              onChange={(isChosen) => change(scope, isChosen)}
            >
              <span className="sr-only">{`${t(`area_${area}`)}: `}</span>
              {t(right)}
            </Checkbox>
          );
        })}
      </span>
    </li>
  );
}
