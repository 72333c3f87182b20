const UNRELEASED = '## Unreleased\n';

/** Turns the unreleased part of the changelog into that of a version, and adds an empty unreleased part above it. */
export function releasedChangelog(text, version, date) {
  const [before, rest, more] = text.split(`\n${UNRELEASED}`);
  if (rest === undefined || more !== undefined)
    throw new Error('CHANGELOG.md needs one part "## Unreleased".');
  const [part = ''] = rest.split(/^## /m);
  if (!/^- /m.test(part)) throw new Error('The unreleased part of CHANGELOG.md has no entry.');
  if (rest.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has a part for ${version} already.`);
  return `${before}\n${UNRELEASED}\n## ${version} - ${date}\n${rest}`;
}
