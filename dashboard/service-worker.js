/**
 * Opens the dashboard without a network, and shows pushes. It stores the files of the build and the page, and never an answer
 * of the API. What people write is kept by the page itself. The build puts the release here.
 */
const { version, entry, files } = JSON.parse('%RELEASE%');

const ROOT = '/dashboard/';
const PAGE = `${ROOT}index.html`;
const PREFIX = 'dashboard.';
const CACHE = PREFIX + version;
/** The service makes these pages, and they need it. */
const MADE_BY_SERVICE = /^\/dashboard\/(?:api|login|setup|invitations|oidc)(?:\/|$)/;
/** What a proxy answers while the service is away. */
const AWAY = [502, 503, 504];

/** Texts of pushes. The page has all others. */
const TEXTS = {
  en: { message: 'New message', test: 'Pushes work in this browser.' },
  es: { message: 'Mensaje nuevo', test: 'Los avisos funcionan en este navegador.' },
  zh: { message: '新消息', test: '此浏览器可以收到推送。' },
};

const stored = new Set(files.map((file) => ROOT + file));

addEventListener('install', (event) => event.waitUntil(install()));
addEventListener('activate', (event) => event.waitUntil(activate()));
addEventListener('push', (event) => event.waitUntil(showPush(event.data?.json() ?? {})));
addEventListener('notificationclick', (event) => event.waitUntil(openPushed(event.notification)));
addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') {
    if (!MADE_BY_SERVICE.test(pathname)) event.respondWith(openPage(request));
  } else if (pathname.startsWith(`${ROOT}assets/`)) event.respondWith(readHashed(request));
  else if (stored.has(pathname)) event.respondWith(readNewest(request));
});

/** All files or none. During a release the page may be of another version than this file; the browser then tries again. */
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

/** The files of the release before this one stay, for pages that are still open and load more of them. */
async function activate() {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await clients.claim();
}

/** The service has the newest page. */
async function openPage(request) {
  const answer = await fetch(request).catch(() => undefined);
  if (answer !== undefined && !AWAY.includes(answer.status)) return answer;
  return (await readStored(PAGE)) ?? answer ?? Response.error();
}

/** The name holds a hash of the contents, so that a stored file is never old. */
const readHashed = async (request) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request);

async function readNewest(request) {
  const answer = await fetch(request).catch(() => undefined);
  if (answer?.ok) return answer;
  return (await readStored(request)) ?? answer ?? Response.error();
}

const readStored = async (request) => (await caches.open(CACHE)).match(request, { ignoreVary: true });

/** One notification for each tag. A newer message is announced, and a push that arrives a second time is not. */
async function showPush({ tag = '', id = '', title, body, path = ROOT }) {
  const language = navigator.languages.map((each) => each.split('-', 1)[0]).find((each) => each in TEXTS);
  const texts = TEXTS[language ?? 'en'];
  const [former] = await registration.getNotifications({ tag });
  await registration.showNotification(title ?? 'Trunkline', {
    body: body || (title == null ? texts.test : texts.message),
    icon: `${ROOT}icons/192.png`,
    data: { id, path },
    tag,
    renotify: tag !== '' && former !== undefined && former.data?.id !== id,
  });
}

/** In a page that is open, or in a new one. */
async function openPushed(notification) {
  notification.close();
  const { path } = notification.data;
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const isOurs = ({ pathname }) => `${pathname}/`.startsWith(ROOT) && !MADE_BY_SERVICE.test(pathname);
  const page = pages.find(({ url }) => isOurs(new URL(url)));
  if (page === undefined) return clients.openWindow(path);
  page.postMessage({ open: path });
  await page.focus().catch(() => undefined);
}
