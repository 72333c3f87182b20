import { type Html, html } from './html.js';

/** The pages that come before the dashboard. `returnTo` is where they lead. */

function page(title: string, content: Html, head = html``): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">${head}
<title>${title} – Trunkline</title>
<link rel="icon" href="/dashboard/pages/icon.svg">
<link rel="stylesheet" href="/dashboard/pages/pages.css">
<script type="module" src="/dashboard/pages/pages.js"></script>
</head>
<body>
<main>
<p class="brand">Trunkline</p>
<h1>${title}</h1>
${content}
<noscript><p role="alert">This page needs JavaScript, which it loads from this server alone.</p></noscript>
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

interface FormOptions {
  /** Further attributes of the form. */
  readonly more?: Html;
  /** What went wrong before the page was shown. */
  readonly problem?: string | undefined;
}

function form(
  action: string,
  returnTo: string,
  fields: Html,
  button: string,
  { more = html``, problem }: FormOptions = {},
): Html {
  return html`<form method="post" data-action="${action}" data-return-to="${returnTo}"${more}>
<div data-fields>${fields}</div>
<p role="alert"${problem === undefined ? html` hidden` : html``}>${problem ?? ''}</p>
<button type="submit">${button}</button>
</form>`;
}

const email = field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' });
const newPassword = field({
  name: 'password',
  label: 'Password, 8 characters or more',
  type: 'password',
  autocomplete: 'new-password',
  rule: html`minlength="8" maxlength="256"`,
});
const displayName = field({
  name: 'display_name',
  label: 'Your name',
  type: 'text',
  autocomplete: 'name',
  rule: html`maxlength="128"`,
});
const username = field({
  name: 'username',
  label: 'Username: a–z, 0–9, dot, hyphen, underscore',
  type: 'text',
  autocomplete: 'nickname',
  rule: html`pattern="[a-z0-9_.\\-]{3,64}"`,
});

const code = html`<p>Enter the six digits that your authenticator app shows. A recovery code works as well, once.</p>
${field({ name: 'code', label: 'Code', type: 'text', autocomplete: 'one-time-code', rule: html`minlength="6" maxlength="64" autocapitalize="none" spellcheck="false"` })}`;

/** The way to the provider of sign-ins. */
export interface ProviderButton {
  readonly label: string;
  readonly href: string;
}

function providerLink(button: ProviderButton | undefined): Html {
  if (button === undefined) return html``;
  return html`
<p class="or">or</p>
<p><a class="button" href="${button.href}">${button.label}</a></p>`;
}

export interface SignInOptions {
  /** The browser may have a cookie that it did not send; the page looks whether there is a session. */
  readonly isCookieHidden?: boolean;
  readonly button?: ProviderButton | undefined;
  readonly problem?: string;
}

export function signInPage(returnTo: string, { isCookieHidden, button, problem }: SignInOptions): string {
  const password = field({
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'current-password',
  });
  const fields = html`${email}${password}`;
  const more = isCookieHidden ? html` data-looks-for-session` : html``;
  return page(
    'Sign in',
    html`${form('/dashboard/api/session', returnTo, fields, 'Sign in', { more, problem })}
<template data-second-step>${code}</template>${providerLink(button)}`,
  );
}

const setupToken = field({
  name: 'setup_token',
  label: 'Setup token, printed when the service started',
  type: 'text',
  autocomplete: 'off',
  rule: html`maxlength="128" spellcheck="false"`,
});

/** `asksForToken`: others than this machine can reach the page. */
export function setupPage(returnTo: string, asksForToken: boolean): string {
  const fields = html`${displayName}${email}${newPassword}${asksForToken ? setupToken : html``}`;
  const content = html`<p>This installation has no users yet. You become its owner and operator.</p>
${form('/dashboard/api/setup', returnTo, fields, 'Begin')}`;
  return page('Welcome', content);
}

export function invitationPage(token: string, returnTo: string, button: ProviderButton | undefined): string {
  const fields = html`${displayName}${username}${newPassword}`;
  const action = `/dashboard/api/invitations/${encodeURIComponent(token)}`;
  return page('You are invited', html`${form(action, returnTo, fields, 'Join')}${providerLink(button)}`);
}

export function closedInvitationPage(): string {
  return page(
    'No invitation',
    html`<p>This invitation was used already, or is too old. Ask for another one.</p>`,
  );
}

export function signedInPage(name: string, workspace: string): string {
  const content = html`<p>You are signed in as <b>${name}</b> in <b>${workspace}</b>.</p>
<p><a href="/dashboard">Open the dashboard</a></p>
<form method="post" data-sign-out data-return-to="/dashboard/login">
<p role="alert" hidden></p>
<button type="submit">Sign out</button>
</form>`;
  return page('Signed in', content);
}

/** A strict cookie that was set on the way from another site is sent from the next page on. */
export function leadOnPage(returnTo: string): string {
  const content = html`<p><a href="${returnTo}">Continue</a></p>`;
  return page(
    'Signed in',
    content,
    html`
<meta http-equiv="refresh" content="0; url=${returnTo}">`,
  );
}
