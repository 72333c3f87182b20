import { z } from 'zod';
import { CONTRACT_VERSION, defineAdapter } from '../../src/contract/index.js';
import { sandboxCapabilities } from './capabilities.js';

/** The platform of test workspaces. It has no account and no network, and the address selects the outcome. */
export const sandboxDefinition = defineAdapter<object, object>({
  contractVersion: CONTRACT_VERSION,
  platform: 'sandbox',
  displayName: 'Sandbox',
  version: '1.0.0',
  // Nothing is polled. Messages of people arrive through the API.
  ingress: ['poll'],
  // Never called; RFC 2606 reserves the name.
  defaultApiBaseUrl: 'https://sandbox.invalid',
  credentials: z.object({}),
  settings: z.object({}),
  lookup: true,
  capabilities: sandboxCapabilities,
  rate: { per_second: null, per_chat_per_second: null },
  create: async (_config, host) => {
    const { SandboxAdapter } = await import('./adapter.js');
    return new SandboxAdapter(host);
  },
});
