import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CONTRACT_VERSION } from '../../src/contract/index.js';

interface Description {
  readonly platform: string;
  readonly displayName: string;
  readonly contractVersion?: number;
  /** Code of members that replace those of the adapter. `host` is in scope. */
  readonly hooks?: string;
  /** Code of members that replace those of the definition. */
  readonly definition?: string;
  /** Code that runs while the package is loaded. */
  readonly whenLoaded?: string;
}

/** The code of an adapter that accepts everything and stores nothing, as in a third-party package. */
export function plainPlatform({
  platform,
  displayName,
  contractVersion = CONTRACT_VERSION,
  hooks = '',
  definition = '',
  whenLoaded = '',
}: Description): string {
  const contract = pathToFileURL(resolve('dist/src/contract/index.js')).href;
  const zod = pathToFileURL(resolve('node_modules/zod/index.js')).href;
  return `
import { adapterModule, formats, ops, secret } from '${contract}';
import { z } from '${zod}';

${whenLoaded}

const capabilities = {
  text: { max: null, unit: 'codepoint', formats: formats('dropped') },
  ops: ops('rejected'),
  media: {},
  edit: null,
  delete: null,
  react: null,
};

export default adapterModule({
  contractVersion: ${contractVersion},
  platform: '${platform}',
  displayName: '${displayName}',
  version: '1.0.0',
  ingress: ['poll'],
  defaultApiBaseUrl: 'https://127.0.0.1:8443',
  credentials: z.object({ token: secret(z.string()) }),
  settings: z.object({}),
  lookup: false,
  capabilities,
  rate: { per_second: null, per_chat_per_second: null },
  create: async (_config, host) => ({
    identify: async () => ({ externalId: 'me' }),
    start: async () => {},
    decode: () => [],
    capabilities: () => capabilities,
    plan: ({ content }) => ({
      steps: [{ action: 'create', index: 0, kind: 'text', payload: { text: content.text } }],
      degradations: [],
    }),
    execute: async (_step, { key }) => ({ remoteId: key }),
    stop: async () => {},
    ${hooks}
  }),
  ${definition}
});
`;
}
