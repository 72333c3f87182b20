import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { UsageError } from '../usage-error.js';

export interface BridgeOptions {
  readonly url: string;
  readonly key: string | undefined;
}

const INTERNAL_ERROR = -32_603;

/**
 * Relays messages of the Model Context Protocol between standard input and output and `/mcp` of a service. It ends when
 * standard input ends. Standard output contains nothing else.
 */
export async function bridge({ url, key }: BridgeOptions): Promise<number> {
  if (key === undefined) throw new UsageError('TRUNKLINE_API_KEY must contain an API key.');
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new UsageError(`${url} is not an address.`);
  const endpoint = new URL(`${url.replace(/\/$/, '')}/mcp`);
  const service = new StreamableHTTPClientTransport(endpoint, {
    requestInit: { headers: { 'x-api-key': key } },
  });
  const client = new StdioServerTransport();
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  const open = new Set<Promise<void>>();
  service.onmessage = (message) => {
    learnVersion(service, message);
    void client.send(message);
  };
  client.onmessage = (message) => {
    const sent = service.send(message).catch((error: unknown) => refuse(client, message, error));
    open.add(sent);
    void sent.finally(() => open.delete(sent));
  };
  client.onerror = ({ message }) => process.stderr.write(`trunkline: ${message}\n`);
  await service.start();
  await client.start();
  await ended;
  await Promise.all(open);
  await service.close();
  await client.close();
  return 0;
}

/** Every request after the first must have the protocol version that the service chose. */
function learnVersion(service: StreamableHTTPClientTransport, message: JSONRPCMessage): void {
  if (!('result' in message)) return;
  const { protocolVersion } = message.result;
  if (typeof protocolVersion === 'string') service.setProtocolVersion(protocolVersion);
}

/** Sends an error response, because the client waits for a response to each request. */
async function refuse(client: StdioServerTransport, message: JSONRPCMessage, error: unknown): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`trunkline: ${reason}\n`);
  if (!('id' in message && 'method' in message)) return;
  const { id } = message;
  await client.send({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: reason.slice(0, 500) } });
}
