import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Json } from './api-client.js';

export interface Called {
  readonly text: string;
  /** The data between the marker lines; empty if there are none. */
  readonly data: Json;
  readonly isError: boolean;
}

/** Clients of the Model Context Protocol, which are closed together. */
export class AgentClients {
  readonly #open: Client[] = [];

  async connect(transport: unknown): Promise<Client> {
    const client = new Client({ name: 'test', version: '1.0.0' });
    this.#open.push(client);
    await client.connect(transport as Transport);
    return client;
  }

  /** Over streamable HTTP, with an API key or other headers. */
  overHttp(url: string, credential: string | Readonly<Record<string, string>>): Promise<Client> {
    const headers = typeof credential === 'string' ? { 'x-api-key': credential } : { ...credential };
    return this.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((client) => client.close()));
  }
}

/** Calls a tool, and parses the data between the marker lines. */
export async function callTool(client: Client, name: string, args: Json = {}): Promise<Called> {
  const result = await client.callTool({ name, arguments: args });
  const text = (result.content as { text: string }[])[0]?.text ?? '';
  const lines = text.split('\n');
  const data = lines.length === 5 ? (JSON.parse(lines[3] ?? '') as Json) : {};
  return { text, data, isError: result.isError === true };
}

export async function toolNames(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name).sort();
}
