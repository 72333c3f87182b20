import type { Joiner } from '../../core/calls/seats.js';
import { filled, type Html, html } from '../pages/html.js';
import { LANGUAGE_TAGS, type PageLanguage } from '../pages/language.js';
import { CALL_TEXTS, type CallTexts } from './texts.js';

/** Data for the script of the page, which reads it from `data-call`. */
export interface CallPage {
  readonly callId: string;
  readonly type: string;
  /** URL of the WebSocket. */
  readonly url: string;
  readonly places: readonly (Joiner & { readonly iceServers: readonly object[] })[];
}

/** The page of a call. If the link is not personal, the page asks who is joining. */
export function callPage(assets: string, page: CallPage, language: PageLanguage): string {
  const texts = CALL_TEXTS[language];
  const isVideo = page.type === 'video';
  const kind = isVideo ? texts.video : texts.voice;
  const choices = page.places.map(
    ({ name }, index) =>
      html`<li><button type="button" data-place="${String(index)}">${filled(texts.joinAs, { name: html`${name}` })}</button></li>
        `,
  );
  const content = html`<main id="call" data-call="${JSON.stringify({ ...page, texts })}">
      <h1>${kind}</h1>
      <p id="status" role="status">${isVideo ? texts.asksVideo : texts.asksVoice}</p>
      <ul id="places">
        ${choices}
      </ul>
      <section id="people" hidden></section>
      ${controls(texts, isVideo)}
      <template id="quality"><span class="quality" data-level="none"><span class="bars" aria-hidden="true"><i></i><i></i><i></i></span><span class="level">${texts.connecting}</span></span></template>
      <noscript>${texts.needsScript}</noscript>
    </main>
    <script type="module" src="${assets}/call.js"></script>`;
  return document(assets, { language, title: kind, content });
}

function controls(texts: CallTexts, isVideo: boolean): Html {
  const camera = html`<button type="button" id="camera" aria-pressed="false">${texts.cameraOff}</button>`;
  return html`<section id="controls" hidden>
        <div class="buttons">
          <button type="button" id="mute" aria-pressed="false">${texts.mute}</button>
          ${isVideo ? camera : html``}
          <button type="button" id="leave">${texts.hangUp}</button>
        </div>
        <div class="devices">
          ${choice('audioinput', texts.microphone)}
          ${isVideo ? choice('videoinput', texts.camera) : html``}
          ${choice('audiooutput', texts.speaker)}
        </div>
      </section>`;
}

/** A selection of devices. The script fills it once the browser names the devices. */
function choice(kind: 'audioinput' | 'videoinput' | 'audiooutput', name: string): Html {
  return html`<label hidden>${name} <select data-kind="${kind}" data-name="${name}"></select></label>`;
}

/** The page for an invalid link. */
export function goneNotice(assets: string, language: PageLanguage): string {
  const { invalid, invalidHelp, voice } = CALL_TEXTS[language];
  const content = html`<main><h1>${invalid}</h1><p>${invalidHelp}</p></main>`;
  return document(assets, { language, title: voice, content });
}

interface Document {
  readonly language: PageLanguage;
  readonly title: string;
  readonly content: Html;
}

function document(assets: string, { language, title, content }: Document): string {
  return html`<!doctype html>
<html lang="${LANGUAGE_TAGS[language]}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} – Trunkline</title>
    <link rel="stylesheet" href="${assets}/call.css">
  </head>
  <body>
    ${content}
  </body>
</html>
`.text;
}
