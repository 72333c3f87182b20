const INTRODUCTION = `# Benchmarks

Written by \`npm run bench -- --write\`. [bench/README.md](../bench/README.md) explains what is measured and how to read it. Each
ratio comes from one run on one machine, where both sides took turns. Absolute figures are those of this machine.`;

/** The results as a page of the documentation. */
export function report(lines, machine) {
  const rows = lines.map(
    ({ what, ours, limit, figure, required, met }) =>
      `| ${what} | ${ours} | ${limit} | **${figure}** | ${required} | ${met ? 'yes' : '**no**'} |`,
  );
  return [
    INTRODUCTION,
    '',
    `Machine: ${machine}.`,
    '',
    '| What | Trunkline | Limit | Ratio or figure | Wanted | Met |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
