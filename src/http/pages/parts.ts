import { type Html, html } from './html.js';
import { LANGUAGE_TAGS, type PageLanguage } from './language.js';
import { TEXTS } from './texts/index.js';
import type { PageTexts } from './texts/page-texts.js';

/** The components of the pages before the dashboard. */

export function page(language: PageLanguage, title: string, content: Html, head = html``): string {
  const { needsScript, script } = TEXTS[language];
  return html`<!doctype html>
<html lang="${LANGUAGE_TAGS[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">${head}
<title>${title} – Trunkline</title>
<link rel="icon" href="/dashboard/pages/icon.svg">
<link rel="stylesheet" href="/dashboard/pages/pages.css">
<script type="module" src="/dashboard/pages/pages.js"></script>
</head>
<body data-texts="${JSON.stringify(script)}">
<main>
<p class="brand">Trunkline</p>
<h1>${title}</h1>
${content}
<noscript><p role="alert">${needsScript}</p></noscript>
</main>
</body>
</html>
`.text;
}

interface FieldOptions {
  readonly name: string;
  readonly label: string;
  readonly type: 'email' | 'password' | 'text';
  readonly autocomplete: string;
  readonly rule?: Html;
}

function field({ name, label, type, autocomplete, rule = html`` }: FieldOptions): Html {
  return html`<label>${label}
<input name="${name}" type="${type}" autocomplete="${autocomplete}" required ${rule}></label>
`;
}

/** The fields of the forms. */
export const fields = {
  email: ({ email: label }: PageTexts) =>
    field({ name: 'email', label, type: 'email', autocomplete: 'username' }),
  password: ({ password: label }: PageTexts) =>
    field({ name: 'password', label, type: 'password', autocomplete: 'current-password' }),
  newPassword: ({ newPassword: label }: PageTexts) =>
    field({
      ...{ name: 'password', label, type: 'password', autocomplete: 'new-password' },
      rule: html`minlength="8" maxlength="256"`,
    }),
  displayName: ({ displayName: label }: PageTexts) =>
    field({
      ...{ name: 'display_name', label, type: 'text', autocomplete: 'name' },
      rule: html`maxlength="128"`,
    }),
  username: ({ username: label }: PageTexts) =>
    field({
      ...{ name: 'username', label, type: 'text', autocomplete: 'nickname' },
      rule: html`pattern="[a-z0-9_.\\-]{3,64}"`,
    }),
  code: ({ code: label }: PageTexts) =>
    field({
      ...{ name: 'code', label, type: 'text', autocomplete: 'one-time-code' },
      rule: html`minlength="6" maxlength="64" autocapitalize="none" spellcheck="false"`,
    }),
  setupToken: ({ setupToken: label }: PageTexts) =>
    field({
      ...{ name: 'setup_token', label, type: 'text', autocomplete: 'off' },
      rule: html`maxlength="128" spellcheck="false"`,
    }),
} as const;

interface FormOptions {
  readonly action: string;
  readonly returnTo: string;
  readonly fields: Html;
  readonly button: string;
  /** Additional attributes of the form. */
  readonly more?: Html;
  /** A problem that occurred before the page was shown. */
  readonly problem?: string | undefined;
}

/**
 * A form. Its button is disabled until the script can send it, because the content security policy forbids that the browser
 * sends it.
 */
export function form({ action, returnTo, fields, button, more = html``, problem }: FormOptions): Html {
  return html`<form method="post" data-action="${action}" data-return-to="${returnTo}"${more}>
<div data-fields>${fields}</div>
<p role="alert"${problem === undefined ? html` hidden` : html``}>${problem ?? ''}</p>
<button type="submit" disabled>${button}</button>
</form>`;
}

/** The link to the sign-in provider. */
export interface ProviderButton {
  readonly label: string;
  readonly href: string;
}

export function providerLink({ or }: PageTexts, button: ProviderButton | undefined): Html {
  if (button === undefined) return html``;
  return html`
<p class="or">${or}</p>
<p><a class="button" href="${button.href}">${button.label}</a></p>`;
}
