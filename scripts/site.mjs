// Builds the documentation site into `site/` and checks it: every link, picture and anchor of every page, and every page of the
// navigation. `npm run docs:site`. With `--serve` it serves the pages as they are being written: `npm run docs:dev`.
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, createServer } from 'vitepress';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SITE = join(ROOT, 'site');
/** Files that pages link to and that are no pages. */
const FILES = ['docs/api', 'docs/grafana-dashboard.json', 'docs/screenshots'];
/** Each page exists in these forms, next to what is there for language models. */
const REQUIRED = [
  'index.html',
  'llms.txt',
  'llms-full.txt',
  'docs/configuration.md',
  'docs/configuration.html',
];

const html = (path) => readFileSync(join(SITE, path), 'utf8');
const decoded = (text) => decodeURIComponent(text.replaceAll('&amp;', '&'));

/** The faults of one page: links of it that lead to no file or to no heading. */
function faultsOf(page, anchors) {
  const links = [...html(page).matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link]) => decoded(link));
  return links.flatMap((link) => {
    if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(link)) return [];
    const [path, anchor] = link.split('#');
    const target = path === '' ? page : fileOf(path.startsWith('/') ? path : posix.join(dirname(page), path));
    if (!existsSync(join(SITE, target))) return [`${page}: no file for ${link}`];
    const named = anchor === undefined || anchor === '' || !target.endsWith('.html');
    return named || anchors.get(target)?.has(anchor) ? [] : [`${page}: no heading for ${link}`];
  });
}

/** The file that a server of static files sends for a path. */
function fileOf(path) {
  const file = join('.', path);
  if (file === '.' || file.endsWith('/')) return join(file, 'index.html');
  if (existsSync(join(SITE, file)) && statSync(join(SITE, file)).isFile()) return file;
  return `${file}.html`;
}

/** What is wrong with the site that was built. */
function check() {
  const pages = readdirSync(SITE, { recursive: true }).filter((file) => file.endsWith('.html'));
  const anchors = new Map(
    pages.map((page) => [
      page,
      new Set([...html(page).matchAll(/\sid="([^"]*)"/g)].map(([, id]) => decoded(id))),
    ]),
  );
  const faults = [
    ...REQUIRED.filter((file) => !existsSync(join(SITE, file))).map((file) => `${file} is missing`),
    ...new Set(pages.filter((page) => page !== '404.html').flatMap((page) => faultsOf(page, anchors))),
  ];
  return { pages, faults };
}

async function serve() {
  const server = await createServer(join(ROOT, 'docs'));
  await server.listen();
  server.printUrls();
}

async function buildAndCheck() {
  await build(join(ROOT, 'docs'));
  for (const file of FILES) cpSync(join(ROOT, file), join(SITE, file), { recursive: true });
  cpSync(join(ROOT, 'dashboard/public/icon.svg'), join(SITE, 'docs/icon.svg'));
  const { pages, faults } = check();
  for (const fault of faults) console.error(fault);
  console.log(`${pages.length} pages, ${faults.length} faults.`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

await (process.argv.includes('--serve') ? serve() : buildAndCheck());
