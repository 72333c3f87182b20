import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Authenticate, Credentials } from '../../core/authentication/authenticate.js';
import type { Mount } from '../endpoint.js';
import { agentResourcePath } from '../oauth/metadata.js';
import { type Context, route, TakeOver } from '../route.js';
import { offeredTools, type ToolParts } from './offered-tools.js';

export interface McpParts extends ToolParts {
  readonly authenticate: Authenticate;
  /**
   * Throws for a page of another origin, including a page whose host name was made to resolve to this service (DNS rebinding).
   */
  readonly admit: (credentials: Credentials) => void;
  readonly version: string;
  readonly publicUrl: () => string;
}

const SHARED = { tag: 'Agents', scopes: [], oauth: 'any', success: 200, dashboard: true } as const;

/** The Model Context Protocol over streamable HTTP without sessions: one message per request, one JSON response. */
export function mcpMount(parts: McpParts): Mount {
  const { authenticate, admit } = parts;
  const nothing = (method: 'GET' | 'DELETE') =>
    route({
      ...SHARED,
      method,
      path: '/mcp',
      summary: 'Not offered: there are no sessions and no stream of the server',
      handler: async () => new TakeOver((response) => response.writeHead(405, { allow: 'POST' }).end()),
    });
  const post = route({
    ...SHARED,
    method: 'POST',
    path: '/mcp',
    summary: 'Take a message of the Model Context Protocol',
    body: z.record(z.string(), z.unknown()),
    handler: async (context) => new TakeOver((response) => void answer(parts, context, response)),
  });
  return {
    prefixes: [''],
    covers: /^\/mcp$/,
    authenticate,
    admit,
    challenge: () => `resource_metadata="${parts.publicUrl()}${agentResourcePath}"`,
    routes: [post, nothing('GET'), nothing('DELETE')],
  };
}

async function answer(parts: McpParts, context: Context, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    const { answerMessage } = await import('./mcp-answer.js');
    const headers = new Headers({ 'content-type': 'application/json' });
    for (const name of ['accept', 'mcp-protocol-version']) {
      const value = context.header(name);
      if (value !== undefined) headers.set(name, value);
    }
    const request = new Request('http://localhost/mcp', { method: 'POST', headers, signal: gone.signal });
    const answered = await answerMessage(request, context.body, parts.version, offeredTools(parts, context));
    const text = await answered.text();
    response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(text);
  } catch (err) {
    if (!gone.signal.aborted) parts.log.error({ err, request_id: context.requestId }, 'mcp.failed');
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
}
