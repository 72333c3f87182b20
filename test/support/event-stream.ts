import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { eventually, type Json } from './api-client.js';
import { problemsOfEvent } from './event-check.js';

/** One frame between two empty lines. Comments and the retry time are frames without data. */
export interface StreamFrame {
  readonly text: string;
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: Json | undefined;
}

export interface StreamOptions {
  readonly key: string;
  /** The query, with its question mark. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly method?: string;
}

/** A client of the event stream that keeps every frame unchanged. */
export class TestStream {
  readonly frames: StreamFrame[] = [];
  isEnded = false;

  private constructor(
    readonly status: number,
    readonly headers: IncomingHttpHeaders,
    private readonly outgoing: ClientRequest,
    private readonly response: IncomingMessage,
  ) {
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n\n');
      rest = parts.pop() ?? '';
      this.frames.push(...parts.map(parseFrame));
    });
    for (const event of ['end', 'close', 'error']) {
      response.on(event, () => {
        this.isEnded = true;
      });
    }
  }

  static open(
    url: string,
    { key, query = '', headers, path, method = 'GET' }: StreamOptions,
  ): Promise<TestStream> {
    return new Promise((resolve, reject) => {
      const target = `${url}${path ?? '/openapi/events/stream'}${query}`;
      const outgoing = request(target, { method, headers: { 'x-api-key': key, ...headers }, agent: false });
      outgoing.on('response', (response) =>
        resolve(new TestStream(response.statusCode ?? 0, response.headers, outgoing, response)),
      );
      outgoing.on('error', reject);
      outgoing.end();
    });
  }

  /** Frames that carry an event. */
  get events(): StreamFrame[] {
    return this.frames.filter(({ event, id }) => event !== undefined && id !== undefined);
  }

  /** Waits for an event. Fails with the received frames. */
  async event(wanted: (frame: StreamFrame) => boolean): Promise<StreamFrame> {
    await this.until((frames) => frames.some(wanted));
    return this.frames.find(wanted)!;
  }

  until(wanted: (frames: readonly StreamFrame[]) => boolean): Promise<readonly StreamFrame[]> {
    return eventually(async () => this.frames, wanted);
  }

  /** Differences between the events so far and the OpenAPI description. */
  get problems(): string[] {
    return this.events.flatMap(({ data }) => problemsOfEvent(data));
  }

  ended(): Promise<boolean> {
    return eventually(async () => this.isEnded, Boolean);
  }

  /** Stops reading: further data stays in the buffers of the connection. */
  pause(): void {
    this.response.pause();
  }

  close(): void {
    this.outgoing.destroy();
  }
}

function parseFrame(text: string): StreamFrame {
  const field = (name: string) =>
    text
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  const data = field('data');
  return {
    text,
    id: field('id'),
    event: field('event'),
    data: data === undefined ? undefined : JSON.parse(data),
  };
}
