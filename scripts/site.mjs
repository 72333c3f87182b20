// Builds the documentation site into `site/` and checks every link, picture and anchor of every page: `npm run docs:site`. With
// `--serve` it serves the pages while you write them: `npm run docs:dev`.
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, createServer } from 'vitepress';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SITE = join(ROOT, 'site');
/** Linked files that are not pages. */
const FILES = ['docs/api', 'docs/grafana-dashboard.json', 'docs/screenshots'];
/** The first page, and the files for language models. Each page also exists as Markdown. */
const REQUIRED = ['index.html', 'llms.txt', 'llms-full.txt', 'AGENTS.html'];

const html = (path) => readFileSync(join(SITE, path), 'utf8');
const decoded = (text) => decodeURIComponent(text.replaceAll('&amp;', '&'));

/** The links of one page whose file or heading does not exist. */
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

/** The file that a static file server sends for a path. */
function fileOf(path) {
  const file = join('.', path);
  if (file === '.' || file.endsWith('/')) return join(file, 'index.html');
  if (existsSync(join(SITE, file)) && statSync(join(SITE, file)).isFile()) return file;
  return `${file}.html`;
}

/** The pages of the built site, and their faults. */
function check() {
  const pages = readdirSync(SITE, { recursive: true }).filter((file) => file.endsWith('.html'));
  const anchors = new Map(
    pages.map((page) => [
      page,
      new Set([...html(page).matchAll(/\sid="([^"]*)"/g)].map(([, id]) => decoded(id))),
    ]),
  );
  const markdown = pages.filter((page) => page !== '404.html').map((page) => page.replace(/\.html$/, '.md'));
  const faults = [
    ...[...REQUIRED, ...markdown]
      .filter((file) => !existsSync(join(SITE, file)))
      .map((file) => `${file} is missing`),
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
