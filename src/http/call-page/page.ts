import type { Place } from '../../core/calls/seats.js';
import { type Html, html } from '../pages/html.js';

/** What the script of the page needs; it reads it from the page's `data-call`. */
export interface CallPage {
  readonly callId: string;
  readonly type: string;
  /** Of the WebSocket. */
  readonly url: string;
  readonly places: readonly (Place & { readonly iceServers: readonly object[] })[];
}

/** The page of a call: who may join is asked when the link is not one person's own. */
export function callPage(assets: string, page: CallPage): string {
  const kind = page.type === 'video' ? 'Video call' : 'Voice call';
  const choices = page.places.map(
    ({ name }, index) =>
      html`<li><button type="button" data-place="${String(index)}">Join as ${name}</button></li>
        `,
  );
  return document(
    assets,
    kind,
    html`<main id="call" data-call="${JSON.stringify(page)}">
      <h1>${kind}</h1>
      <p id="status" role="status">Your browser will ask for the microphone${page.type === 'video' ? ' and the camera' : ''}.</p>
      <ul id="places">
        ${choices}
      </ul>
      <section id="people" hidden></section>
      <p id="controls" hidden>
        <button type="button" id="mute" aria-pressed="false">Mute</button>
        <button type="button" id="leave">Leave</button>
      </p>
      <noscript>This page needs JavaScript.</noscript>
    </main>
    <script type="module" src="${assets}/call.js"></script>`,
  );
}

/** What a link that leads nowhere shows. */
export function goneNotice(assets: string): string {
  return document(
    assets,
    'Call',
    html`<main><h1>This link is not valid</h1><p>The call is over, or the link has expired.</p></main>`,
  );
}

function document(assets: string, title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} – Trunkline</title>
    <link rel="stylesheet" href="${assets}/call.css">
  </head>
  <body>
    ${body}
  </body>
</html>
`.text;
}
