import { filled, html } from './html.js';
import type { PageLanguage } from './language.js';
import { fields, form, type ProviderButton, page, providerLink } from './parts.js';
import { TEXTS } from './texts/index.js';

/** The pages before the dashboard. `returnTo` is the page that follows. */

export interface SignInOptions {
  /** The browser may have a cookie that it did not send, so the page checks for a session. */
  readonly isCookieHidden?: boolean;
  readonly button?: ProviderButton | undefined;
  readonly problem?: string;
}

export function signInPage(
  language: PageLanguage,
  returnTo: string,
  { isCookieHidden, button, problem }: SignInOptions,
): string {
  const texts = TEXTS[language];
  const signIn = form({
    action: '/dashboard/api/session',
    returnTo,
    fields: html`${fields.email(texts)}${fields.password(texts)}`,
    button: texts.signIn,
    more: isCookieHidden ? html` data-looks-for-session` : html``,
    problem,
  });
  const secondStep = html`<p>${texts.codeHelp}</p>
${fields.code(texts)}`;
  return page(
    language,
    texts.signIn,
    html`${signIn}
<template data-second-step>${secondStep}</template>${providerLink(texts, button)}`,
  );
}

/** `asksForToken`: other machines can also reach the page. */
export function setupPage(language: PageLanguage, returnTo: string, asksForToken: boolean): string {
  const texts = TEXTS[language];
  const setUp = form({
    action: '/dashboard/api/setup',
    returnTo,
    fields: html`${fields.displayName(texts)}${fields.email(texts)}${fields.newPassword(texts)}${
      asksForToken ? fields.setupToken(texts) : html``
    }`,
    button: texts.begin,
  });
  return page(
    language,
    texts.welcome,
    html`<p>${texts.firstUser}</p>
${setUp}`,
  );
}

export function invitationPage(
  language: PageLanguage,
  token: string,
  returnTo: string,
  button: ProviderButton | undefined,
): string {
  const texts = TEXTS[language];
  const join = form({
    action: `/dashboard/api/invitations/${encodeURIComponent(token)}`,
    returnTo,
    fields: html`${fields.displayName(texts)}${fields.username(texts)}${fields.newPassword(texts)}`,
    button: texts.join,
  });
  return page(language, texts.invited, html`${join}${providerLink(texts, button)}`);
}

export function closedInvitationPage(language: PageLanguage): string {
  const { noInvitation, closedInvitation } = TEXTS[language];
  return page(language, noInvitation, html`<p>${closedInvitation}</p>`);
}

export function signedInPage(language: PageLanguage, name: string, workspace: string): string {
  const { signedIn, signedInAs, openDashboard, signOut } = TEXTS[language];
  const content = html`<p>${filled(signedInAs, { name: html`<b>${name}</b>`, workspace: html`<b>${workspace}</b>` })}</p>
<p><a href="/dashboard">${openDashboard}</a></p>
<form method="post" data-sign-out data-return-to="/dashboard/login">
<p role="alert" hidden></p>
<button type="submit" disabled>${signOut}</button>
</form>`;
  return page(language, signedIn, content);
}

/** A strict cookie that was set after a navigation from another site is sent only with the next page. */
export function leadOnPage(language: PageLanguage, returnTo: string): string {
  const { signedIn, proceed } = TEXTS[language];
  const head = html`
<meta http-equiv="refresh" content="0; url=${returnTo}">`;
  return page(language, signedIn, html`<p><a href="${returnTo}">${proceed}</a></p>`, head);
}
