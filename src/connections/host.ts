import { openAsBlob } from 'node:fs';
import {
  type AdapterHost,
  type AdapterLog,
  type Envelope,
  type HealthReport,
  type MediaFile,
  PlatformError,
} from '../contract/index.js';
import { fileName } from '../core/media/file-type.js';
import type { OpenedMedia } from '../core/media/open-media.js';
import type { ConnectionRuntime } from '../core/ports/connections.js';
import type { Log } from '../core/ports/log.js';
import { OutgoingError } from '../core/ports/outgoing.js';

/** What every host needs and no connection owns. */
export interface HostServices {
  readonly runtime: ConnectionRuntime;
  readonly receive: (connectionId: string, envelope: Envelope, platform: string) => Promise<void>;
  readonly fetch: typeof fetch;
  readonly assertTarget: AdapterHost['assertTarget'];
  /** A stored copy that belongs to the connection's workspace. */
  readonly openMedia: (connectionId: string, ref: string) => Promise<OpenedMedia | undefined>;
  readonly log: Log;
  readonly publicUrl: () => string;
}

export interface HostedConnection {
  readonly id: string;
  readonly platform: string;
  readonly secrets: readonly string[];
}

const LONGEST_STATE_BYTES = 4096;
/** Levels of a log field that are written; what is deeper is left out. */
const DEEPEST_FIELD = 5;

/** The bridge as one live adapter sees it. */
export function createHost(
  services: HostServices,
  connection: HostedConnection,
  onHealth: (report: HealthReport) => void,
): AdapterHost {
  const { id } = connection;
  return {
    webhookUrl: `${services.publicUrl()}/hooks/${connection.platform}/${id}`,
    receive: (envelope) => services.receive(id, envelope, connection.platform),
    health: onHealth,
    state: {
      load: (name) => services.runtime.loadState(id, name),
      save: async (name, value) => {
        if (value !== null && Buffer.byteLength(value) > LONGEST_STATE_BYTES) {
          throw new RangeError(`State ${name} is longer than ${LONGEST_STATE_BYTES} bytes.`);
        }
        await services.runtime.saveState(id, name, value);
      },
    },
    fetch: (input, init) => services.fetch(input, init).catch(toPlatformError),
    openMedia: async (ref) => mediaFile(await services.openMedia(id, ref)),
    assertTarget: (url) => services.assertTarget(url).catch(toPlatformError),
    log: redactingLog(services.log, connection),
  };
}

async function mediaFile(media: OpenedMedia | undefined): Promise<MediaFile> {
  if (media === undefined) {
    throw new PlatformError(
      { kind: 'rejected', reason: 'media_unavailable' },
      { dispatched: 'no', message: 'The stored copy of an attachment is gone.' },
    );
  }
  const mimeType = media.mimeType ?? 'application/octet-stream';
  const blob = await openAsBlob(media.path, { type: mimeType });
  const name = fileName(media.name) ?? `file.${extensionOf(mimeType)}`;
  return { name, mimeType, sizeBytes: media.sizeBytes, blob };
}

/** Platforms judge files by their names. */
function extensionOf(mimeType: string): string {
  const [kind, subtype = ''] = mimeType.split('/');
  if (subtype === 'jpeg') return 'jpg';
  if (subtype === 'mpeg' && kind === 'audio') return 'mp3';
  if (subtype === 'quicktime') return 'mov';
  if (subtype === 'plain') return 'txt';
  return /^[a-z0-9]{2,5}$/.test(subtype) ? subtype : 'bin';
}

/** The guard's errors in the adapter's terms; the code is the one SDK mappings know for the same certainty. */
function toPlatformError(error: unknown): never {
  if (!(error instanceof OutgoingError)) throw error;
  if (error.problem === 'forbidden_target') {
    throw new PlatformError(
      { kind: 'misconfigured' },
      {
        dispatched: 'no',
        message: 'The bridge may not connect to the address of the platform.',
        fix: 'Correct api_base_url, or let its network through with ALLOW_PRIVATE_TARGETS.',
        code: 'ECONNREFUSED',
      },
    );
  }
  throw new PlatformError(
    { kind: 'unavailable', cause: 'network' },
    {
      dispatched: error.dispatched,
      message: error.message,
      code: error.dispatched === 'no' ? 'ECONNREFUSED' : 'ECONNRESET',
    },
  );
}

function redactingLog(log: Log, connection: HostedConnection): AdapterLog {
  const write =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (event: string, fields = {}) =>
      log[level](
        {
          connection_id: connection.id,
          platform: connection.platform,
          ...redact(fields, connection.secrets),
        },
        event,
      );
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/** A copy of log fields in which no secret of the connection is left, whatever the adapter put in. */
export function redact(
  fields: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
): Record<string, unknown> {
  return redactEntries(fields, secrets, DEEPEST_FIELD);
}

function redactEntries(fields: object, secrets: readonly string[], depth: number): Record<string, unknown> {
  const entries = Object.entries(fields);
  return Object.fromEntries(
    entries.map(([key, value]) => [redactText(key, secrets), redactValue(value, secrets, depth)]),
  );
}

/** Walks instead of reading JSON: a secret may look like JSON, and what an adapter logs may go round in circles. */
function redactValue(value: unknown, secrets: readonly string[], depth: number): unknown {
  if (value instanceof Error) return { name: value.name, message: redactText(value.message, secrets) };
  if (typeof value === 'string') return redactText(value, secrets);
  if (typeof value === 'bigint' || typeof value === 'symbol') return redactText(String(value), secrets);
  if (value === null || typeof value !== 'object') return typeof value === 'function' ? '[function]' : value;
  if (depth === 0) return '[…]';
  if (value instanceof Date || value instanceof URL) return redactText(String(value), secrets);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, secrets, depth - 1));
  return redactEntries(value, secrets, depth - 1);
}

/** The longest secrets first: one may be a part of another. Also as they stand in a URL. */
export function redactText(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())]);
  return forms
    .filter((form) => form !== '')
    .sort((a, b) => b.length - a.length)
    .reduce((clean, form) => clean.replaceAll(form, '***'), text);
}
