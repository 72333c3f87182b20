import { describe, expect, it } from 'vitest';
// @ts-expect-error The scripts are plain JavaScript.
import { releasedChangelog } from '../../scripts/release/changelog.mjs';
// @ts-expect-error The scripts are plain JavaScript.
import { licenseText } from '../../scripts/release/licenses.mjs';
// @ts-expect-error The scripts are plain JavaScript.
import { checkVersion } from '../../scripts/release/version.mjs';

describe('the changelog of a release', () => {
  const text =
    '# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.1.0 - 2026-01-01\n\n- The first.\n';

  it('moves the unreleased part to the version', () => {
    expect(releasedChangelog(text, '0.2.0', '2026-11-28')).toBe(
      text.replace('## Unreleased\n', '## Unreleased\n\n## 0.2.0 - 2026-11-28\n'),
    );
  });

  it.each([
    ['has no unreleased part', text.replace('Unreleased', 'Next')],
    ['has an empty one', text.replace('### Added\n\n- A thing.\n\n', '')],
    ['has two of them', `${text}\n## Unreleased\n\n- More.\n`],
  ])('is refused when it %s', (_, changed) => {
    expect(() => releasedChangelog(changed, '0.2.0', '2026-11-28')).toThrow('nreleased');
  });

  it('is refused when it already has a part for the version', () => {
    expect(() => releasedChangelog(text, '0.1.0', '2026-11-28')).toThrow('has a part for 0.1.0 already');
  });
});

describe('the version of a release', () => {
  it.each(['0.2.0', '0.1.10', '1.0.0', '0.10.0'])('can be %s after 0.1.9', (version) => {
    expect(() => checkVersion(version, '0.1.9')).not.toThrow();
  });

  it.each(['0.1.9', '0.1.8', '0.0.10', 'v0.2.0', '0.2', '0.2.0-rc.1', '0.2.0; rm -rf .'])(
    'cannot be %s after 0.1.9',
    (version) => expect(() => checkVersion(version, '0.1.9')).toThrow(/is not (?:a version|after)/),
  );
});

describe('the list of licenses', () => {
  const component = (name: string, licenses?: object[]) => ({ name, version: '1.0.0', licenses });

  it('is sorted, and has each package once', () => {
    const components = [
      component('b', [{ expression: '(MIT OR CC0-1.0)' }]),
      component('a', [{ license: { id: 'MIT' } }]),
      component('a', [{ license: { id: 'MIT' } }]),
    ];
    expect(licenseText({ components })).toBe('a@1.0.0\tMIT\nb@1.0.0\t(MIT OR CC0-1.0)\n');
  });

  it.each([
    ['none', undefined],
    ['GPL-3.0-only', [{ license: { id: 'GPL-3.0-only' } }]],
    ['SEE LICENSE IN FILE', [{ license: { name: 'SEE LICENSE IN FILE' } }]],
    ['MIT AND AGPL-3.0-only', [{ license: { id: 'MIT' } }, { license: { id: 'AGPL-3.0-only' } }]],
  ])('fails for a package with the license %s', (license, licenses) => {
    const components = [component('a', [{ license: { id: 'MIT' } }]), component('odd', licenses)];
    expect(() => licenseText({ components })).toThrow(`odd@1.0.0 (${license})`);
  });
});
