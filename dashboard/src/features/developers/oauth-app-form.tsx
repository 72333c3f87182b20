import { type FormEvent, useState } from 'react';
import type { NewOAuthApp } from '../../api/developer-paths';
import { ApiError, explain } from '../../api/errors';
import { Button } from '../../kit/button';
import { Checkbox } from '../../kit/checkbox';
import { Dialog } from '../../kit/dialog';
import { Field, Input, TextArea } from '../../kit/field';
import { Select } from '../../kit/select';
import { messages as t } from './oauth-app-messages';

const FORM = 'oauth-app';
/** The scopes that an app may request, in the order of docs/oauth.md. */
const SCOPES = ['user.read', 'messages.read', 'messages.write', 'calls.read', 'calls.write'] as const;

interface AppFormProps {
  readonly title: string;
  readonly description: string;
  readonly action: string;
  readonly initial: NewOAuthApp;
  /** The type of an app is permanent. */
  readonly isNew: boolean;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onSubmit: (app: NewOAuthApp) => void;
  readonly onClose: () => void;
}

/** Name, type, redirect URIs, and the scopes that the app may request. */
export function AppForm(props: AppFormProps) {
  const { title, description, action, isPending, onClose } = props;
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind="primary" type="submit" form={FORM} disabled={isPending}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={title} description={description} actions={actions}>
      <Fields {...props} />
    </Dialog>
  );
}

function Fields({ initial, isNew, error, onSubmit }: AppFormProps) {
  const [name, setName] = useState(initial.name);
  const [type, setType] = useState(initial.type);
  const [redirects, setRedirects] = useState(initial.redirect_uris.join('\n'));
  const [scopes, setScopes] = useState(initial.scopes);
  const [isTried, setTried] = useState(false);
  const app = { name: name.trim(), type, redirect_uris: linesOf(redirects), scopes };
  const missing = isTried ? missingOf(app) : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(missingOf(app)).length === 0) onSubmit(app);
  };
  return (
    <form id={FORM} noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <Field label={t('name')} help={t('nameHelp')} error={missing.name}>
        <Input
          autoComplete="off"
          maxLength={256}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      {isNew && <TypeChoice type={type} onChange={setType} />}
      <Field
        label={t('redirects')}
        help={t('redirectsHelp')}
        error={missing.redirects ?? refusedRedirect(error)}
      >
        <TextArea
          rows={2}
          spellCheck={false}
          placeholder="https://app.example/callback"
          value={redirects}
          onChange={(event) => setRedirects(event.currentTarget.value)}
        />
      </Field>
      <ScopeChoice scopes={scopes} onChange={setScopes} error={missing.scopes} />
      {error !== null && refusedRedirect(error) === undefined && (
        <p role="alert" className="text-danger text-sm">
          {explain(error).advice}
        </p>
      )}
    </form>
  );
}

interface TypeChoiceProps {
  readonly type: AppFormProps['initial']['type'];
  readonly onChange: (type: AppFormProps['initial']['type']) => void;
}

function TypeChoice({ type, onChange }: TypeChoiceProps) {
  return (
    <Field label={t('type')} help={t(`typeHelp_${type}`)}>
      <Select
        value={type}
        onChange={onChange}
        options={{ confidential: t('type_confidential'), public: t('type_public') }}
      />
    </Field>
  );
}

interface ScopeChoiceProps {
  readonly scopes: readonly string[];
  readonly onChange: (scopes: string[]) => void;
  readonly error: string | undefined;
}

function ScopeChoice({ scopes, onChange, error }: ScopeChoiceProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium text-sm">{t('scopes')}</legend>
      <p className="text-muted text-sm">{t('scopesHelp')}</p>
      <div className="flex flex-col gap-2 rounded-md border border-line p-3">
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            isChecked={scopes.includes(scope)}
            onChange={(isOn) => onChange(isOn ? [...scopes, scope] : scopes.filter((each) => each !== scope))}
          >
            <span>
              <code className="text-xs">{scope}</code>
              <span className="block text-muted text-xs">{t(`scope_${scope}`)}</span>
            </span>
          </Checkbox>
        ))}
      </div>
      {error !== undefined && (
        <p role="alert" className="text-danger text-sm">
          {error}
        </p>
      )}
    </fieldset>
  );
}

const linesOf = (text: string): string[] => text.split(/\s+/).filter((each) => each !== '');

interface Missing {
  readonly name?: string;
  readonly redirects?: string;
  readonly scopes?: string;
}

function missingOf(app: NewOAuthApp): Missing {
  return {
    ...(app.name === '' && { name: t('nameMissing') }),
    ...(app.redirect_uris.length === 0 && { redirects: t('redirectsMissing') }),
    ...(app.scopes.length === 0 && { scopes: t('scopesMissing') }),
  };
}

/** The service validates the redirect URIs. Its response names the first invalid one. */
function refusedRedirect(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const field = Object.keys(error.fields).find((each) => each.startsWith('redirect_uris'));
  if (field === undefined) return undefined;
  const number = /\d+/.exec(field)?.[0];
  return number === undefined ? t('redirectsTooMany') : t('redirectInvalid', { number: Number(number) + 1 });
}
