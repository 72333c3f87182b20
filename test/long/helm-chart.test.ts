import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const CHART = 'deploy/helm/trunkline';
// biome-ignore lint/suspicious/noExplicitAny: objects of Kubernetes, which the tests look into.
type Resource = any;
type Values = { readonly [key: string]: unknown };

const yaml = (path: string) => parse(readFileSync(path, 'utf8'));
const chart = yaml(`${CHART}/Chart.yaml`);

/** Merges values as Helm does: maps are merged, `null` removes a key, and other values replace. */
function merged(base: Values, over: Values): Values {
  const isMap = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const former = base[key];
    if (value === null) delete result[key];
    else result[key] = isMap(former) && isMap(value) ? merged(former, value) : value;
  }
  return result;
}

function render(over: Values) {
  const input = {
    Values: merged(yaml(`${CHART}/values.yaml`), over),
    Chart: { AppVersion: chart.appVersion },
    Release: { Name: 'bridge', Service: 'Helm' },
  };
  return spawnSync('go', ['run', 'test/support/render-chart.go', `${CHART}/templates`], {
    input: JSON.stringify(input),
    env: { ...process.env, GO111MODULE: 'off' },
    encoding: 'utf8',
  });
}

/** The resources of a chart with these values, by kind and name. */
function resources(over: Values): Map<string, Resource> {
  const { status, stdout, stderr } = render({ ...needed, ...over });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const found = new Map<string, Resource>();
  for (const document of parseAllDocuments(stdout)) {
    expect(document.errors).toEqual([]);
    const resource = document.toJS();
    if (resource !== null) found.set(`${resource.kind} ${resource.metadata.name}`, resource);
  }
  return found;
}

const needed = { publicUrl: 'https://bridge.example', existingSecret: 'bridge-secrets' };
const hasGo = spawnSync('go', ['version']).status === 0;

describe('the metadata of the chart', () => {
  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(chart).toMatchObject({ apiVersion: 'v2', name: 'trunkline', version, appVersion: version });
  });
});

describe.runIf(hasGo)('the chart', () => {
  it('is one Deployment with a Service and a claim by default', () => {
    const all = resources({});
    expect([...all.keys()].sort()).toEqual([
      'Deployment bridge-trunkline-all',
      'PersistentVolumeClaim bridge-trunkline-data',
      'Service bridge-trunkline',
    ]);
    const { template, selector } = all.get('Deployment bridge-trunkline-all').spec;
    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    expect(template.metadata.labels).toMatchObject(all.get('Service bridge-trunkline').spec.selector);
    const [container] = template.spec.containers;
    expect(container.image).toBe(`trunkline:${chart.appVersion}`);
    expect(container.env).toContainEqual({ name: 'PUBLIC_URL', value: 'https://bridge.example' });
    expect(container.env).toContainEqual({ name: 'TRUNKLINE_ROLES', value: 'api,worker,gateway' });
    expect(container.envFrom).toEqual([{ secretRef: { name: 'bridge-secrets' } }]);
    expect(template.spec.volumes[0].persistentVolumeClaim.claimName).toBe('bridge-trunkline-data');
  });

  it('runs as an unprivileged user on a read-only file system', () => {
    const { spec } = resources({}).get('Deployment bridge-trunkline-all').spec.template;
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    const [container] = spec.containers;
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const paths = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
    expect(paths).toEqual(['/data', '/tmp']);
  });

  it('probes the health endpoints, and waits longer than the service drains', () => {
    const { spec } = resources({}).get('Deployment bridge-trunkline-all').spec.template;
    const [{ startupProbe, livenessProbe, readinessProbe }] = spec.containers;
    expect(startupProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
    expect(livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
    expect(readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' });
    const drain = /DRAIN_LIMIT_MS = (\d+)_000;/.exec(readFileSync('src/cli/service.ts', 'utf8'))?.[1];
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(drain));
  });

  it('can run the roles separately, and routes requests to the role api only', () => {
    const process = (role: string, replicas: number) => ({ roles: [role], replicas, resources: {} });
    const all = resources({
      processes: {
        all: null,
        ...{ api: process('api', 2), worker: process('worker', 3), gateway: process('gateway', 1) },
      },
      persistence: { existingClaim: 'shared-files' },
    });
    expect([...all.keys()].sort()).toEqual([
      ...['api', 'gateway', 'worker'].map((name) => `Deployment bridge-trunkline-${name}`),
      'Service bridge-trunkline',
    ]);
    const { selector } = all.get('Service bridge-trunkline').spec;
    const behind = [...all.values()].filter(({ kind, spec }) => {
      const labels = spec.template?.metadata.labels ?? {};
      return kind === 'Deployment' && Object.keys(selector).every((key) => labels[key] === selector[key]);
    });
    expect(behind.map(({ metadata }) => metadata.name)).toEqual(['bridge-trunkline-api']);
    const worker = all.get('Deployment bridge-trunkline-worker').spec;
    expect(worker.replicas).toBe(3);
    expect(worker.template.spec.volumes[0].persistentVolumeClaim.claimName).toBe('shared-files');
  });

  it('lets versions overlap only on a claim that several machines can use', () => {
    const strategy = (over: Values) => resources(over).get('Deployment bridge-trunkline-all').spec.strategy;
    expect(strategy({})).toEqual({ type: 'Recreate' });
    expect(strategy({ persistence: { accessModes: ['ReadWriteMany'] } })).toEqual({ type: 'RollingUpdate' });
  });

  it('has an Ingress with TLS on request', () => {
    const ingress = { enabled: true, className: 'nginx', host: 'bridge.example', tlsSecret: 'bridge-tls' };
    const { spec } = resources({ ingress }).get('Ingress bridge-trunkline');
    expect(spec.ingressClassName).toBe('nginx');
    expect(spec.tls).toEqual([{ hosts: ['bridge.example'], secretName: 'bridge-tls' }]);
    expect(spec.rules[0].host).toBe('bridge.example');
    expect(spec.rules[0].http.paths[0].backend.service).toEqual({
      name: 'bridge-trunkline',
      port: { name: 'http' },
    });
  });

  it('keeps values with special characters of YAML unchanged', () => {
    const value = 'a: "b" #c\n- d';
    const { spec } = resources({ env: { LOG_LEVEL: value } }).get('Deployment bridge-trunkline-all').spec
      .template;
    expect(spec.containers[0].env).toContainEqual({ name: 'LOG_LEVEL', value });
  });

  it.each(['publicUrl', 'existingSecret'])('is refused without %s', (name) => {
    const { status, stderr } = render({ ...needed, [name]: '' });
    expect(stderr).toContain(`${name} is required`);
    expect(status).not.toBe(0);
  });
});
