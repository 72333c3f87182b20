// Sends the forms of these pages as JSON and then opens the next page.

const SESSION = '/dashboard/api/session';
const SECOND_STEP = `${SESSION}/second-step`;
const MINUTE_S = 60;
/** The texts of this script in the language of the page. */
const texts = JSON.parse(document.body.dataset.texts);
/** Tokens for the second step, by form. A form gets one for the right password. */
const tokens = new Map();

for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit(form);
  });
  form.querySelector('button').disabled = false;
}

const looking = document.querySelector('form[data-looks-for-session]');
if (looking) void leadOn(looking.dataset.returnTo);

/**
 * Opens the next page if there is a session. After a navigation from another site, the browser did not send the cookie with
 * this page, but it sends the cookie with requests of the page.
 */
async function leadOn(path) {
  const answer = await fetch(SESSION).catch(() => undefined);
  if (answer?.ok) location.replace(path);
}

async function submit(form) {
  const button = form.querySelector('button');
  button.disabled = true;
  say(form, '');
  try {
    const answer = await ('signOut' in form.dataset ? signOut() : send(form));
    if (answer.status === 202) askForCode(form, await answer.json());
    else if (answer.ok) location.assign(form.dataset.returnTo);
    else say(form, await explain(answer));
  } catch {
    say(form, texts.noAnswer);
  }
  button.disabled = false;
}

function send(form) {
  return fetch(form.dataset.action, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...Object.fromEntries(new FormData(form)), ...tokens.get(form) }),
  });
}

/** The password was right and a code is required. The form now asks for the code instead of the password. */
function askForCode(form, { second_step: { token } }) {
  tokens.set(form, { token });
  form.dataset.action = SECOND_STEP;
  const { content } = document.querySelector('template[data-second-step]');
  form.querySelector('[data-fields]').replaceChildren(content.cloneNode(true));
  form.querySelector('input').focus();
}

async function signOut() {
  const session = await fetch(SESSION);
  // Without a session, there is nothing to end.
  if (session.status === 401) return new Response();
  const { csrf_token: token } = await session.json();
  return fetch(SESSION, { method: 'DELETE', headers: { 'x-csrf-token': token } });
}

async function explain(answer) {
  const isSecondStep = answer.url.endsWith(SECOND_STEP);
  if (answer.status === 401) return isSecondStep ? texts.lateCode : texts.wrongPassword;
  if (answer.status === 400 && isSecondStep) return texts.wrongCode;
  if (answer.status === 429) {
    const minutes = Math.ceil(Number(answer.headers.get('retry-after')) / MINUTE_S);
    return texts.tooManyAttempts.replace('{minutes}', minutes);
  }
  const { message, details } = await answer.json();
  if (details?.reason === 'already_exists') return texts.usernameTaken;
  return message;
}

function say(form, text) {
  const alert = form.querySelector('[role=alert]');
  alert.textContent = text;
  alert.hidden = text === '';
}
