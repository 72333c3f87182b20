import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksToRun } from '../support/code-blocks.js';
import { readSources } from '../support/source-rules.js';

const read = (path: string) => readFileSync(path, 'utf8');
const sources = readSources('src', 'adapters').filter(({ path }) => !/\.gen\.ts$|\/simulator\//.test(path));
const all = sources.map(({ text }) => text).join('\n');

describe('the runbook', () => {
  const page = read('docs/runbook.md');
  const lines = [...page.matchAll(/^\| ((?:`[a-z_]+\.[a-z_]+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) =>
    cell.replaceAll('`', '').split(', '),
  );

  it('names each line once, and only lines that the sources log', () => {
    expect(lines.length).toBeGreaterThan(50);
    expect(lines).toEqual([...new Set(lines)]);
    expect(lines.filter((line) => !all.includes(`'${line}'`))).toEqual([]);
  });

  it.each([
    ['an error', /(?:\blog\.error\(|[wW]riteLine\('error')[^;]{0,300}?'([a-z_]+\.[a-z_]+)'/g],
    ['a warning', /(?:\blog\.warn\(|[wW]riteLine\('warn')[^;]{0,300}?'([a-z_]+\.[a-z_]+)'/g],
  ])('has every line that is logged as %s', (_level, calls) => {
    const logged = [...all.matchAll(calls)].map(([, line = '']) => line);
    expect(logged.length).toBeGreaterThan(20);
    expect([...new Set(logged)].filter((line) => !lines.includes(line))).toEqual([]);
  });

  it('has every alert', () => {
    const alerts = [...read('deploy/prometheus/trunkline.rules.yml').matchAll(/alert: (\w+)/g)];
    expect(alerts.length).toBeGreaterThan(10);
    expect(alerts.map(([, name]) => name).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('the rules for Prometheus', () => {
  const rules = read('deploy/prometheus/trunkline.rules.yml');

  it('use only metrics that the service has', () => {
    const metrics = sources
      .filter(({ path }) => /^src\/(telemetry\/|app\/observability)/.test(path))
      .map(({ text }) => text)
      .join('\n');
    const named = [...rules.matchAll(/\btrunkline_([a-z_]+?)(?:_bucket)?(?=[^a-z_])/g)].map(
      ([, name]) => name,
    );
    expect(new Set(named).size).toBeGreaterThan(6);
    expect(named.filter((name) => !new RegExp(`['_]${name}'`).test(metrics))).toEqual([]);
  });

  const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
  it.runIf(hasPromtool)('are valid, and raise their alerts without traffic', () => {
    const commands = blocksToRun('docs/deployment.md', 'sh').join('').trim().split('\n');
    expect(commands).toHaveLength(2);
    for (const command of commands) {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
      expect(`${stdout}${stderr}`).toContain('SUCCESS');
      expect(status).toBe(0);
    }
  });

  it.runIf(hasPromtool).each(['docs/deployment.md', 'docs/operations.md'])(
    'are loaded by a Prometheus with the configuration of %s',
    (page) => {
      const folder = mkdtempSync(join(tmpdir(), 'trunkline-prometheus-'));
      const [block = ''] = blocksToRun(page, 'yaml');
      const file = join(folder, 'prometheus.yml');
      writeFileSync(file, block.replace('/etc/prometheus', resolve('deploy/prometheus')));
      const { status, stderr } = spawnSync('promtool', ['check', 'config', file], { encoding: 'utf8' });
      rmSync(folder, { recursive: true });
      expect(status, stderr).toBe(0);
      expect(block).toContain('job_name: trunkline\n');
    },
  );
});

describe('the systemd unit', () => {
  const unit = read('deploy/systemd/trunkline.service');

  it('allows more time to stop than the service needs to drain, and signals only the main process', () => {
    const drain = /DRAIN_LIMIT_MS = (\d+)_000;/.exec(read('src/cli/service.ts'))?.[1];
    const wait = /^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1];
    expect(Number(wait)).toBeGreaterThan(Number(drain));
    expect(unit).toMatch(/^KillMode=mixed$/m);
  });

  it.each([
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'PrivateTmp=yes',
    'CapabilityBoundingSet=',
    'LimitCORE=0',
  ])('has %s', (line) => {
    expect(unit.split('\n')).toContain(line);
  });

  const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;
  it.runIf(hasAnalyze)('is rated at most 2.0 by systemd-analyze', () => {
    const { status, stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['security', '--offline=true', '--threshold=20', 'deploy/systemd/trunkline.service'],
      { encoding: 'utf8' },
    );
    expect(status, `${stdout}${stderr}`).toBe(0);
  });

  it('names only settings that exist', () => {
    const names = [...read('deploy/systemd/trunkline.env').matchAll(/^#? ?([A-Z_]+)=/gm)].map(
      ([, name]) => name,
    );
    const known = read('src/environment.ts');
    expect(names.length).toBeGreaterThan(6);
    expect(names.filter((name) => !known.includes(`  ${name}: `))).toEqual([]);
  });
});

describe('the deployment page', () => {
  it('names only files that exist, and the package contains them', () => {
    const named = [
      ...read('docs/deployment.md').matchAll(/`(deploy\/[\w/.-]+\.\w+|deploy\/caddy\/Caddyfile)`/g),
    ];
    expect(named.length).toBeGreaterThan(3);
    expect(named.map(([, path = '']) => path).filter((path) => !existsSync(path))).toEqual([]);
    expect(JSON.parse(read('package.json')).files).toContain('deploy');
  });
});
