import { Checkbox } from '../../kit/checkbox';
import { EVENTS } from './events.gen';
import { messages as t } from './webhook-messages';

const CATEGORIES = [...new Set(EVENTS.flatMap(({ category }) => category ?? []))];

interface EventPickerProps {
  readonly events: readonly string[];
  readonly onChange: (events: string[]) => void;
  readonly error: string | undefined;
}

/** Selects all events, whole categories, or single events with their descriptions. */
export function EventPicker({ events, onChange, error }: EventPickerProps) {
  const isAll = events.includes('*');
  const toggle = (name: string) => (isOn: boolean) =>
    onChange(isOn ? [...events, name] : events.filter((each) => each !== name));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium text-sm">{t('events')}</legend>
      <Checkbox isChecked={isAll} onChange={(isOn) => onChange(isOn ? ['*'] : ['messages'])}>
        {t('allEvents')}
      </Checkbox>
      {!isAll && (
        <div className="flex max-h-64 flex-col gap-2 overflow-y-auto rounded-md border border-line p-3">
          {CATEGORIES.map((category) => (
            <Category key={category} category={category} events={events} toggle={toggle} />
          ))}
        </div>
      )}
      {error !== undefined && (
        <p role="alert" className="text-danger text-sm">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface CategoryProps {
  readonly category: string;
  readonly events: readonly string[];
  readonly toggle: (name: string) => (isOn: boolean) => void;
}

function Category({ category, events, toggle }: CategoryProps) {
  const isWhole = events.includes(category);
  const own = EVENTS.filter((event) => event.category === category);
  return (
    <div className="flex flex-col gap-1">
      <Checkbox isChecked={isWhole} onChange={toggle(category)}>
        <span className="font-medium">{t('category', { name: category, count: own.length })}</span>
      </Checkbox>
      {!isWhole && (
        <ul className="flex flex-col gap-1 pl-6">
          {own.map(({ name, when }) => (
            <li key={name}>
              <Checkbox isChecked={events.includes(name)} onChange={toggle(name)}>
                <span>
                  <code className="text-xs">{name}</code>
                  <span className="block text-muted text-xs">{when}</span>
                </span>
              </Checkbox>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
