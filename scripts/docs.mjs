// Writes the generated files: the OpenAPI descriptions and the types of the client library from the routes, the tables of
// capabilities from the adapters, and the catalogue of events. Tests compare all of them with the code.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { buildProgram } from './build.mjs';
import { CLIENT_SCHEMAS, clientSchema } from './client-schema.mjs';

const ROOT = new URL('../', import.meta.url);
const DASHBOARD_SCHEMA = 'dashboard/src/api/schema.gen.ts';
const DASHBOARD_EVENTS = 'dashboard/src/features/developers/events.gen.ts';
const FOLDER = new URL('docs/api/', ROOT);

const schemas = Object.entries(CLIENT_SCHEMAS).map(([version, file]) => ({
  version,
  file: new URL(file, ROOT),
}));

// A merge conflict in these files must not stop the build that generates them.
for (const { file } of schemas) {
  if (/^<{7} /m.test(await readFile(file, 'utf8'))) await writeFile(file, '');
}
await buildProgram();
const { apiDocument } = await import('../dist/src/app/documents/api-document.js');
const { capabilityPage } = await import('../dist/src/app/documents/capability-page.js');
const { eventPage, eventModule } = await import('../dist/src/app/documents/event-page.js');
await mkdir(FOLDER, { recursive: true });
for (const [version, file] of [
  ['1.0', 'openapi.json'],
  ['2.0', 'openapi-2.0.json'],
]) {
  await writeFile(new URL(file, FOLDER), `${JSON.stringify(apiDocument(version), null, 2)}\n`);
  console.log(`docs/api/${file}`);
}
await writeFile(new URL('docs/capabilities.md', ROOT), capabilityPage());
console.log('docs/capabilities.md');
await writeFile(new URL('docs/events-catalogue.md', ROOT), eventPage());
console.log('docs/events-catalogue.md');
for (const { version, file } of schemas) {
  await writeFile(file, await clientSchema(apiDocument(version)));
  console.log(CLIENT_SCHEMAS[version]);
}
// The dashboard imports nothing from src, so it has a copy.
await copyFile(new URL(CLIENT_SCHEMAS['1.0'], ROOT), new URL(DASHBOARD_SCHEMA, ROOT));
console.log(DASHBOARD_SCHEMA);
await writeFile(new URL(DASHBOARD_EVENTS, ROOT), eventModule());
console.log(DASHBOARD_EVENTS);
