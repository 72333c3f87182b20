import axe from 'axe-core';
import type { Page } from 'playwright-core';

const FINDINGS = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 160))))`;

/** The serious and critical findings of axe on a page, each with the rule and the element. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(FINDINGS);
}
