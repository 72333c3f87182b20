/** Draws the icons of the installed dashboard from dashboard/public/icon.svg: node scripts/icons.mjs. Needs Chromium. */
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const PUBLIC = fileURLToPath(new URL('../dashboard/public/', import.meta.url));
const BLUE = '#2f5fe0';
/** Systems crop a maskable icon to their own shape. Only the middle four fifths are always visible. */
const ICONS = [
  { name: '192', size: 192, scale: 1, background: 'transparent' },
  { name: '512', size: 512, scale: 1, background: 'transparent' },
  { name: 'maskable', size: 512, scale: 0.8, background: BLUE },
  { name: 'apple', size: 180, scale: 0.9, background: BLUE },
];

const svg = await readFile(`${PUBLIC}icon.svg`, 'utf8');
await mkdir(`${PUBLIC}icons`, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
for (const { name, size, scale, background } of ICONS) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const style = `*{margin:0;padding:0}body{background:${background};display:grid;place-items:center;height:100vh}
    svg{width:${size * scale}px;height:${size * scale}px}`;
  await page.setContent(`<style>${style}</style>${svg}`);
  await page.screenshot({ path: `${PUBLIC}icons/${name}.png`, omitBackground: true });
  await page.close();
}
await browser.close();
