import type { Parameters } from '../../core/oauth/authorization-request.js';
import type { Proposal } from '../../core/oauth/authorize.js';
import { filled, type Html, html } from '../pages/html.js';
import { LANGUAGE_TAGS, type PageLanguage } from '../pages/language.js';
import { CONSENT_TEXTS } from './texts.js';

export interface Page {
  readonly text: string;
  /** Where forms of the page may lead in addition to this origin. This includes redirects. */
  readonly formTarget?: string;
}

/** Asks the user for consent. The form repeats the request unchanged, together with the decision. It works without scripts. */
export function consentPage(
  language: PageLanguage,
  proposal: Proposal,
  parameters: Parameters,
  csrfToken: string,
): Page {
  const texts = CONSENT_TEXTS[language];
  const { app, redirectUri, request } = proposal;
  const fields = [...parameters, ['csrf_token', csrfToken] as const].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const scopes = request.scopes.map((scope) => html`<li>${texts.scopes[scope]} (<code>${scope}</code>)</li>`);
  const content = html`<p>${filled(texts.asks, {
    app: html`<b>${app.name}</b>`,
    owner: html`${app.owner}`,
    workspace: html`${app.workspaceName}`,
  })}</p>
<ul>${scopes}</ul>
<p>${filled(texts.leadsTo, { address: html`<code>${redirectUri}</code>` })}</p>
<form method="post" action="/oauth/authorize">
${fields}
<p><button name="approve" value="true">${texts.allow}</button></p>
<p><button name="approve" value="false">${texts.deny}</button></p>
</form>`;
  return { text: page(language, texts.title, content), formTarget: formTargetOf(redirectUri) };
}

/** The page for an unknown app or redirect URI. It offers no link to the address in the request. */
export function unknownRequesterPage(language: PageLanguage, parameter: 'client_id' | 'redirect_uri'): Page {
  const texts = CONSENT_TEXTS[language];
  const what = parameter === 'client_id' ? texts.unknownApp : texts.unknownAddress;
  return { text: page(language, texts.deadLink, html`<p>${what}</p>`) };
}

/** The page for a form that was not sent from our own page. */
export function forgedAnswerPage(language: PageLanguage): Page {
  const { notAccepted, otherSession } = CONSENT_TEXTS[language];
  return { text: page(language, notAccepted, html`<p>${otherSession}</p>`) };
}

/**
 * Loads the same address again. If another site led to this page, the browser did not send strict cookies. It sends them when
 * our own page leads there.
 */
export function returnPage(language: PageLanguage, url: string): Page {
  const meta = html`<meta http-equiv="refresh" content="0;url=${url}">`;
  return { text: page(language, CONSENT_TEXTS[language].oneMoment, html``, meta) };
}

function page(language: PageLanguage, title: string, content: Html, head = html``): string {
  return html`<!doctype html>
<html lang="${LANGUAGE_TAGS[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<title>${title} – Trunkline</title>
<link rel="icon" href="/dashboard/pages/icon.svg">
<link rel="stylesheet" href="/dashboard/pages/pages.css">
</head>
<body>
<main>
<p class="brand">Trunkline</p>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;
}

/** A content security policy can't name an IPv6 address, so the scheme is used for such an app. */
function formTargetOf(redirectUri: string): string {
  const { origin, protocol, hostname } = new URL(redirectUri);
  return hostname.startsWith('[') ? protocol : origin;
}
