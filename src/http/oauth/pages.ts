import type { OAuthScope } from '../../core/access/scopes.js';
import type { Parameters } from '../../core/oauth/authorization-request.js';
import type { Proposal } from '../../core/oauth/authorize.js';
import { Html, html } from '../pages/html.js';

/** What a scope means to the person who is asked. */
const MEANINGS: Readonly<Record<OAuthScope, string>> = {
  'user.read': 'Read your profile and those of people you have conversations with',
  'messages.read': 'Read your conversations and messages',
  'messages.write': 'Send messages as you, and edit and delete messages you sent',
  'calls.read': 'Read your call history',
  'calls.write': 'Start and end calls as you',
};

export interface Page {
  readonly text: string;
  /** Where forms of the page may lead to, redirects included, in addition to this origin. */
  readonly formTarget?: string;
}

/** Asks the user; the form brings back the request as it came, with the answer. Works without scripts. */
export function consentPage(proposal: Proposal, parameters: Parameters, csrfToken: string): Page {
  const { app, redirectUri, request } = proposal;
  const fields = [...parameters, ['csrf_token', csrfToken] as const].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const scopes = request.scopes.map((scope) => html`<li>${MEANINGS[scope]} (<code>${scope}</code>)</li>`);
  const content = html`<p><b>${app.name}</b>, registered by ${app.owner} in ${app.workspaceName}, asks to act for you:</p>
<ul>${join(scopes)}</ul>
<p>You will be sent to <code>${redirectUri}</code>.</p>
<form method="post" action="/oauth/authorize">
${join(fields)}
<p><button name="approve" value="true">Allow</button></p>
<p><button name="approve" value="false">Deny</button></p>
</form>`;
  return { text: page('Allow access?', content), formTarget: formTargetOf(redirectUri) };
}

/** Says that the app of a request is unknown; where it would lead to is not offered. */
export function unknownRequesterPage(parameter: 'client_id' | 'redirect_uri'): Page {
  const what =
    parameter === 'client_id'
      ? 'The app that sent you here is not registered.'
      : 'The app that sent you here gave an address that is not registered for it.';
  return { text: page('This link does not work', html`<p>${what}</p>`) };
}

/** Says that an answer to the form did not come from our own page. */
export function forgedAnswerPage(): Page {
  const what = 'It did not come from this session. Go back to the app and start again.';
  return { text: page('This answer was not accepted', html`<p>${what}</p>`) };
}

/**
 * Comes back to the same address by itself. A browser that was sent here by another site holds strict cookies back, and
 * sends them from our own page.
 */
export function returnPage(url: string): Page {
  const meta = html`<meta http-equiv="refresh" content="0;url=${url}">`;
  return { text: page('One moment', html``, meta) };
}

function page(title: string, content: Html, head = html``): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<title>${title} – Trunkline</title>
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

function join(parts: readonly Html[]): Html {
  return new Html(parts.map(({ text }) => text).join('\n'));
}

/** A policy names no IPv6 address, so that of such an app the scheme has to do. */
function formTargetOf(redirectUri: string): string {
  const { origin, protocol, hostname } = new URL(redirectUri);
  return hostname.startsWith('[') ? protocol : origin;
}
