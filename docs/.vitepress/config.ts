import { defineConfig } from 'vitepress';
import llmstxt from 'vitepress-plugin-llms';
import { linkOf, NAVIGATION, type NavigationPage, TOP_BAR } from './navigation.js';

const DESCRIPTION =
  'A self-hosted messaging bridge: one API and one inbox for Telegram, Discord, Slack and SMS.';

const item = ({ text, page }: NavigationPage) => ({ text, link: linkOf(page) });

const sidebar = NAVIGATION.map(({ text, pages }) => ({ text, collapsed: false, items: pages.map(item) }));

/** Ids of headings as GitHub makes them, so that a link to a heading works in both places. */
const slugify = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

// The site has the same folders as the repository, so that relative links work in both places.
export default defineConfig({
  srcDir: '..',
  outDir: '../site',
  cacheDir: '../node_modules/.cache/vitepress',
  srcExclude: [
    '{.ci,.git,bin,coverage,dashboard,data,scripts,site,src,test}/**',
    '{adapters,bench,examples,faults,packages}/**/!(README).md',
    'README.md',
  ],
  rewrites: { 'docs/index.md': 'index.md' },
  lang: 'en',
  title: 'Trunkline',
  description: DESCRIPTION,
  head: [['link', { rel: 'icon', href: '/docs/icon.svg' }]],
  ignoreDeadLinks: false,
  markdown: { anchor: { slugify } },
  themeConfig: {
    nav: TOP_BAR.map(item),
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
  },
  vite: {
    publicDir: false,
    // Its types are those of the newer Vite that builds the dashboard. It runs in the Vite of VitePress.
    plugins: [llmstxt({ sidebar, description: DESCRIPTION, excludeIndexPage: false }) as never],
    build: { chunkSizeWarningLimit: 2000 },
  },
});
