/** The accepted licenses, as SPDX names and expressions. Read a license before you add it. */
const ACCEPTED = new Set([
  ...[
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'CC0-1.0',
    'ISC',
    'MIT',
    'Unlicense',
  ],
  ...['(MIT OR Apache-2.0)', '(MIT OR CC0-1.0)'],
]);

/** Packages whose manifest names no license, with the license that their website states. */
const READ = { '@mapbox/jsonlint-lines-primitives@2.0.2': 'MIT' };

/** The license of each component of a bill of materials, sorted by name, and those that are not accepted. */
function listLicenses({ components }) {
  const found = components.map((component) => {
    const id = `${component.name}@${component.version}`;
    return { id, license: READ[id] ?? stated(component) };
  });
  const list = [...new Map(found.map((each) => [each.id, each])).values()].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
  return { list, refused: list.filter(({ license }) => !ACCEPTED.has(license)) };
}

function stated({ licenses = [] }) {
  const names = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name);
  return names.length === 0 ? 'none' : names.join(' AND ');
}

/** The list as a text with one line for each package. Throws when it has a license that is not accepted. */
export function licenseText(bill) {
  const { list, refused } = listLicenses(bill);
  if (refused.length > 0) {
    const names = refused.map(({ id, license }) => `${id} (${license})`).join(', ');
    throw new Error(`These licenses are not in scripts/release/licenses.mjs: ${names}. Read them first.`);
  }
  return list.map(({ id, license }) => `${id}\t${license}\n`).join('');
}
