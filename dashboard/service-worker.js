/**
 * Opens the dashboard offline and shows push notifications. The worker stores the page and the files of the build, and never an
 * API response. The page itself stores drafts. The build inserts the release here.
 */
const { version, entry, files } = JSON.parse('%RELEASE%');

const ROOT = '/dashboard/';
const PAGE = `${ROOT}index.html`;
const PREFIX = 'dashboard.';
const CACHE = PREFIX + version;
/** Pages that the service renders. They require the service. */
const MADE_BY_SERVICE = /^\/dashboard\/(?:api|login|setup|invitations|oidc)(?:\/|$)/;
/** Statuses that a proxy returns while the service is down. */
const AWAY = [502, 503, 504];

/** Texts of push notifications. The page has all other texts. */
const TEXTS = {
  en: {
    message: 'New message',
    test: 'Pushes work in this browser.',
    voice: 'Incoming voice call',
    video: 'Incoming video call',
    missed: 'Missed call',
    answer: 'Answer',
    decline: 'Decline',
  },
  es: {
    message: 'Mensaje nuevo',
    test: 'Los avisos funcionan en este navegador.',
    voice: 'Llamada de voz entrante',
    video: 'Videollamada entrante',
    missed: 'Llamada perdida',
    answer: 'Responder',
    decline: 'Rechazar',
  },
  zh: {
    message: '新消息',
    test: '此浏览器可以收到推送。',
    voice: '语音来电',
    video: '视频来电',
    missed: '未接来电',
    answer: '接听',
    decline: '拒绝',
  },
};
const API = `${ROOT}api`;
/** Maximum number of notifications checked per request. */
const MAX_LOOKED_UP = 20;

const stored = new Set(files.map((file) => ROOT + file));

addEventListener('install', (event) => event.waitUntil(install()));
addEventListener('activate', (event) => event.waitUntil(activate()));
addEventListener('push', (event) => event.waitUntil(takePush(event.data?.json() ?? {})));
addEventListener('notificationclick', (event) => event.waitUntil(follow(event)));
addEventListener('message', (event) => {
  if (event.data?.closeOld === true) event.waitUntil(closeOld());
});
addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') {
    if (!MADE_BY_SERVICE.test(pathname)) event.respondWith(openPage(request));
  } else if (pathname.startsWith(`${ROOT}assets/`)) event.respondWith(readHashed(request));
  else if (stored.has(pathname)) event.respondWith(readNewest(request));
});

/** Stores all files or none. During a release, the page may have a different version than this file. The browser then retries. */
async function install() {
  try {
    const cache = await caches.open(CACHE);
    await cache.addAll([...stored]);
    const page = await fetch(PAGE, { cache: 'no-cache' });
    if (!page.ok || !(await page.clone().text()).includes(entry))
      throw new Error('The page has another version.');
    await cache.put(PAGE, page);
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
  await skipWaiting();
}

/** Keeps the files of the previous release, because open pages may still load them. */
async function activate() {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await clients.claim();
}

/** Prefers the network, because the service has the newest page. */
async function openPage(request) {
  const answer = await fetch(request).catch(() => undefined);
  if (answer !== undefined && !AWAY.includes(answer.status)) return answer;
  return (await readStored(PAGE)) ?? answer ?? Response.error();
}

/** The file name contains a hash of the contents, so a stored file is never stale. */
const readHashed = async (request) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request);

async function readNewest(request) {
  const answer = await fetch(request).catch(() => undefined);
  if (answer?.ok) return answer;
  return (await readStored(request)) ?? answer ?? Response.error();
}

const readStored = async (request) => (await caches.open(CACHE)).match(request, { ignoreVary: true });

async function takePush(push) {
  await inTurn(() => showPush(push));
  await closeOld();
}

/**
 * Notifications are listed, shown and closed one after the other. Closing one also closes a newer one with the same tag, and
 * Chromium removes a notification that is listed before it is visible.
 */
let turn = Promise.resolve();
const inTurn = (work) => {
  const done = turn.then(work);
  turn = done.catch(() => undefined);
  return done;
};

/** Shows one notification per tag. A newer message alerts the user again. A duplicate push does not. */
async function showPush({ tag = '', id = '', title, body, path = ROOT, call }) {
  const rings = call !== undefined && !call.is_missed;
  // A visible page plays the ring tone itself.
  if (rings && (await pagesOf()).some(({ visibilityState }) => visibilityState === 'visible')) return;
  const language = navigator.languages.map((each) => each.split('-', 1)[0]).find((each) => each in TEXTS);
  const texts = TEXTS[language ?? 'en'];
  const said = call === undefined ? texts.message : texts[rings ? call.type : 'missed'];
  const [former] = await registration.getNotifications({ tag });
  await registration.showNotification(title ?? 'Trunkline', {
    body: body || (title == null ? texts.test : said),
    icon: `${ROOT}icons/192.png`,
    data: { id, path, call },
    tag,
    renotify: tag !== '' && former !== undefined && former.data?.id !== id,
    ...(rings && {
      requireInteraction: true,
      actions: ['answer', 'decline'].map((action) => ({ action, title: texts[action] })),
    }),
  });
}

/** Closes notifications of messages and calls that were read, answered or declined elsewhere. On a failed lookup they stay. */
async function closeOld() {
  const shown = await inTurn(() => registration.getNotifications());
  const calls = shown.filter(({ data }) => data?.call?.is_missed === false);
  const messages = shown.filter(
    ({ data }) => data?.call === undefined && data?.path.startsWith(`${ROOT}inbox/`),
  );
  await Promise.all([closeRead(messages), closeSilent(calls)]).catch(() => undefined);
}

async function closeRead(notifications) {
  const some = notifications.slice(-MAX_LOOKED_UP);
  if (some.length === 0) return;
  const ids = some.map(({ tag }) => tag).join('|');
  const query = new URLSearchParams({ filter: `id:${ids}`, limit: String(MAX_LOOKED_UP), cursor: '' });
  const { data } = await ask(`/openapi/conversations?${query}`);
  const unread = new Set(data.filter(({ unread_count: count }) => count > 0).map(({ id }) => id));
  await closeUnchanged(some.filter(({ tag }) => !unread.has(tag)));
}

/** Closes notifications of calls that no longer ring for the user. */
async function closeSilent(notifications) {
  if (notifications.length === 0) return;
  const { user } = await ask('/session');
  const query = new URLSearchParams({
    filter: `status:ringing|active,participant_id:${user.id}`,
    limit: String(MAX_LOOKED_UP),
    cursor: '',
  });
  const { data } = await ask(`/openapi/calls?${query}`);
  const rings = ({ participants }) =>
    participants.some(({ user_id: id, status }) => id === user.id && status === 'ringing');
  const ringing = new Set(data.filter(rings).map(({ id }) => id));
  await closeUnchanged(notifications.filter(({ tag }) => !ringing.has(tag)));
}

/** Closes these notifications, except those that a newer push has replaced since they were looked up. */
const closeUnchanged = (notifications) =>
  inTurn(async () => {
    const shown = await registration.getNotifications();
    for (const { tag, data } of notifications)
      shown.find((each) => each.tag === tag && each.data?.id === data.id)?.close();
  });

/** Sends a request with the session of this browser. */
async function ask(path, method = 'GET', headers = {}, body = undefined) {
  const answer = await fetch(API + path, { method, headers, body });
  if (!answer.ok) throw new Error(`${path.split('?', 1)[0]} answered ${answer.status}`);
  return answer.status === 204 ? undefined : answer.json();
}

async function change(path, body) {
  const { csrf_token: token } = await ask('/session');
  return ask(
    path,
    'POST',
    { 'content-type': 'application/json', 'x-csrf-token': token },
    JSON.stringify(body),
  );
}

async function follow({ notification, action }) {
  notification.close();
  const { path, call } = notification.data;
  // The call may have ended.
  if (action === 'decline')
    return change(`/openapi/calls/${call.id}/signal`, { type: 'decline' }).catch(() => undefined);
  if (action !== 'answer') return openPath(path);
  const joining = await change(`/openapi/calls/${call.id}/token`, {}).catch(() => undefined);
  if (joining === undefined) return openPath(path);
  await clients.openWindow(`/join/${encodeURIComponent(joining.token)}`);
}

const pagesOf = async () => {
  const isOurs = ({ pathname }) => `${pathname}/`.startsWith(ROOT) && !MADE_BY_SERVICE.test(pathname);
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  return pages.filter(({ url }) => isOurs(new URL(url)));
};

/** Opens the path in an open page, or in a new one. */
async function openPath(path) {
  const [page] = await pagesOf();
  if (page === undefined) return clients.openWindow(path);
  page.postMessage({ open: path });
  await page.focus().catch(() => undefined);
}
