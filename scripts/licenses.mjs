// Prints the license of each package in an installation. Fails if one is not accepted. `npm run licenses`.
import { fileURLToPath } from 'node:url';
import { buildDashboard } from './dashboard.mjs';
import { makeBill } from './release/bill.mjs';
import { licenseText } from './release/licenses.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

await buildDashboard();
const today = new Date().toISOString().slice(0, 10);
try {
  process.stdout.write(licenseText(await makeBill(ROOT, today)));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
