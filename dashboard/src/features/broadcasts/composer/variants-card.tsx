import { Plus, Trash2 } from 'lucide-react';
import { Button } from '../../../kit/button';
import { Field, Input, TextArea } from '../../../kit/field';
import { Card } from '../../../kit/page';
import type { PlanProps } from './plan';
import { MAX_VARIANTS, shares, type Variant, withVariant } from './variants';
import { messages as t } from './variants-messages';

/** Several texts. Each recipient receives one of them. */
export function VariantsCard({ plan, onChange, problems }: PlanProps) {
  const { variants } = plan;
  if (variants === undefined)
    return (
      <Card title={t('title')}>
        <p className="text-muted text-sm">{t('withFiles')}</p>
      </Card>
    );
  const parts = shares(variants);
  const change = (index: number, part: Partial<Variant>) =>
    onChange({ variants: variants.map((each, at) => (at === index ? { ...each, ...part } : each)) });
  return (
    <Card title={t('title')} description={t('help')}>
      {variants.map((variant, index) => (
        <VariantFields
          key={variant.key}
          variant={variant}
          share={parts[index] ?? 0}
          problem={problems[`variants.${index}.weight`] ?? problems[`variants.${index}.text`]}
          onChange={(part) => change(index, part)}
          onRemove={() => onChange({ variants: variants.filter((_, at) => at !== index) })}
        />
      ))}
      {variants.length < MAX_VARIANTS && (
        <Button className="self-start" onClick={() => onChange({ variants: withVariant(variants) })}>
          <Plus aria-hidden className="size-4" />
          {t('add')}
        </Button>
      )}
    </Card>
  );
}

interface VariantFieldsProps {
  readonly variant: Variant;
  readonly share: number;
  readonly problem: string | undefined;
  readonly onChange: (part: Partial<Variant>) => void;
  readonly onRemove: () => void;
}

function VariantFields({ variant, share, problem, onChange, onRemove }: VariantFieldsProps) {
  const { key, weight, text } = variant;
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border border-line p-3">
      <legend className="untrusted px-1 font-medium text-sm">{t('variant', { key })}</legend>
      <Field label={t('textOf', { key })} help={t('textHelp')}>
        <TextArea
          rows={3}
          maxLength={10_000}
          value={text}
          onChange={({ target }) => onChange({ text: target.value })}
        />
      </Field>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <Field label={t('weightOf', { key })} help={t('share', { share })} error={problem}>
          <Input
            type="number"
            min={1}
            max={100}
            className="max-w-28"
            value={weight}
            onChange={({ target }) => onChange({ weight: target.value })}
          />
        </Field>
        <Button kind="danger" onClick={onRemove}>
          <Trash2 aria-hidden className="size-4" />
          {t('remove', { key })}
        </Button>
      </div>
    </fieldset>
  );
}
