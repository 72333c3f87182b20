import { useQuery } from '@tanstack/react-query';
import { pasting } from '../../../kit/attaching';
import { Checkbox } from '../../../kit/checkbox';
import { Field, Input, TextArea } from '../../../kit/field';
import { Card } from '../../../kit/page';
import { Select } from '../../../kit/select';
import type { Attached } from './attached';
import { Files } from './files';
import { chosenQuery, TEMPLATES } from './found';
import { messages as t } from './messages';
import { NamedChoice } from './named-choice';
import type { PlanProps } from './plan';

interface ContentCardProps extends PlanProps {
  /** The variables of the text. */
  readonly names: readonly string[];
  readonly attached: Attached;
}

/** The content: a text or a template, with the values of its variables. */
export function ContentCard(props: ContentCardProps) {
  const { plan, onChange, problems, attached } = props;
  return (
    <Card title={t('content')}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('name')} help={t('nameHelp')} error={problems.name}>
          <Input
            autoComplete="off"
            maxLength={256}
            value={plan.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        </Field>
        <Field label={t('category')} help={t(`${plan.category}Help`)}>
          <Select
            value={plan.category}
            onChange={(category) => onChange({ category })}
            options={{ marketing: t('marketing'), transactional: t('transactional') }}
          />
        </Field>
      </div>
      <Source {...props} />
      {plan.templateId === '' && <OwnText {...props} />}
      <Files attached={attached} problem={attachmentProblem(problems)} />
      <Variables {...props} />
    </Card>
  );
}

const attachmentProblem = (problems: PlanProps['problems']): string | undefined =>
  Object.entries(problems).find(([field]) => field.startsWith('attachments'))?.[1];

function Source({ plan, onChange, problems }: PlanProps) {
  const { templateId } = plan;
  const ids = templateId === '' ? [] : [templateId];
  const { data: [chosen] = [] } = useQuery({ ...chosenQuery(TEMPLATES, ids), enabled: templateId !== '' });
  return (
    <>
      <NamedChoice
        kind={TEMPLATES}
        label={t('source')}
        error={problems.template_id}
        placeholder={t(templateId === '' ? 'ownText' : 'replaceTemplate')}
        ids={ids}
        nameOf={({ name }) => name}
        other={t('otherTemplate')}
        onChoose={(id) => onChange({ templateId: id })}
        onRemove={() => onChange({ templateId: '' })}
      />
      {chosen?.id === templateId && (
        <p className="untrusted max-h-48 overflow-y-auto whitespace-pre-wrap break-words rounded-md bg-hover p-3 text-sm">
          {chosen.text}
        </p>
      )}
    </>
  );
}

function OwnText({ plan, onChange, problems, attached }: ContentCardProps) {
  return (
    <>
      <Field
        label={t('text')}
        help={t('textHelp', { example: '{{user.display_name}}' })}
        error={problems.text}
      >
        <TextArea
          rows={6}
          maxLength={10_000}
          value={plan.text}
          onPaste={pasting(attached.drafts.add)}
          onChange={(event) => onChange({ text: event.target.value })}
        />
      </Field>
      <Checkbox
        isChecked={plan.contentType === 'markdown'}
        onChange={(isMarkdown) => onChange({ contentType: isMarkdown ? 'markdown' : 'text' })}
      >
        {t('markdown')}
      </Checkbox>
    </>
  );
}

function Variables({ plan, onChange, names }: ContentCardProps) {
  if (names.length === 0) return null;
  const { variables } = plan;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 font-medium text-sm">{t('variables')}</legend>
      <p className="text-muted text-sm">{t('variablesHelp')}</p>
      <div className="grid gap-3 sm:grid-cols-2">
        {names.map((name) => (
          <Field key={name} label={name}>
            <Input
              autoComplete="off"
              value={variables[name] ?? ''}
              onChange={(event) => onChange({ variables: { ...variables, [name]: event.target.value } })}
            />
          </Field>
        ))}
      </div>
    </fieldset>
  );
}
