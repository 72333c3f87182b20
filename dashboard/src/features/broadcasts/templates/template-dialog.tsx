import { type FormEvent, useState } from 'react';
import { ApiError, explain } from '../../../api/errors';
import { Button } from '../../../kit/button';
import { Checkbox } from '../../../kit/checkbox';
import { Dialog } from '../../../kit/dialog';
import { Field, Input, TextArea } from '../../../kit/field';
import { messages as t } from './messages';
import { type Template, type TemplateBody, useSaveTemplate } from './queries';

const FORM = 'template';

interface TemplateDialogProps {
  /** Absent for a new template. */
  readonly template?: Template;
  readonly onClose: () => void;
}

/** Edits a template. Attachments added by an API client are kept. */
export function TemplateDialog({ template, onClose }: TemplateDialogProps) {
  const save = useSaveTemplate(template?.id);
  const [values, setValues] = useState<TemplateBody>({
    name: template?.name ?? '',
    text: template?.text ?? '',
    content_type: template?.content_type ?? 'text',
  });
  const { name, text } = values;
  const problems = save.error instanceof ApiError ? save.error.fields : {};
  const hasContent = text.trim() !== '' || (template?.attachments.length ?? 0) > 0;
  const isReady = name.trim() !== '' && hasContent && !save.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    save.mutate({ ...values, name: name.trim() }, { onSuccess: onClose });
  };
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind="primary" type="submit" form={FORM} disabled={!isReady}>
        {t(template === undefined ? 'create' : 'save')}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={t(template === undefined ? 'new' : 'edit')} actions={actions}>
      <form id={FORM} noValidate className="flex flex-col gap-4" onSubmit={submit}>
        <Fields values={values} problems={problems} onChange={setValues} />
        {save.isError && Object.keys(problems).length === 0 && (
          <p role="alert" className="text-danger text-sm">
            {explain(save.error).advice}
          </p>
        )}
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  readonly values: TemplateBody;
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (values: TemplateBody) => void;
}

function Fields({ values, problems, onChange }: FieldsProps) {
  return (
    <>
      <Field label={t('name')} error={problems.name}>
        <Input
          autoComplete="off"
          maxLength={256}
          value={values.name}
          onChange={(event) => onChange({ ...values, name: event.target.value })}
        />
      </Field>
      <Field
        label={t('text')}
        help={t('textHelp', { example: '{{user.display_name}}' })}
        error={problems.text}
      >
        <TextArea
          rows={6}
          maxLength={10_000}
          value={values.text}
          onChange={(event) => onChange({ ...values, text: event.target.value })}
        />
      </Field>
      <Checkbox
        isChecked={values.content_type === 'markdown'}
        onChange={(isMarkdown) => onChange({ ...values, content_type: isMarkdown ? 'markdown' : 'text' })}
      >
        {t('markdown')}
      </Checkbox>
    </>
  );
}
