import type { Place } from '../../core/calls/seats.js';

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
  const choices = page.places
    .map(
      ({ name }, index) =>
        `<li><button type="button" data-place="${index}">Join as ${escapeHtml(name)}</button></li>`,
    )
    .join('\n        ');
  return document(
    assets,
    kind,
    `<main id="call" data-call="${escapeHtml(JSON.stringify(page))}">
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
    '<main><h1>This link is not valid</h1><p>The call is over, or the link has expired.</p></main>',
  );
}

function document(assets: string, title: string, body: string): string {
  return `<!doctype html>
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
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
