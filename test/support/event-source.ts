import type { ServerResponse } from 'node:http';
import type { Answering, Asked } from './stand-in.js';

/** Responds as the event stream does: `script` writes frames, and the connection stays open. The client reconnects after 1 ms. */
export function eventSource(script: (stream: EventStreamResponse, asked: Asked) => void): Answering {
  return (response, asked) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const stream = new EventStreamResponse(response);
    stream.write('retry: 1\n\n');
    script(stream, asked);
  };
}

export class EventStreamResponse {
  constructor(readonly response: ServerResponse) {}

  write(text: string | Buffer): void {
    this.response.write(text);
  }

  event(id: string, event: string, data: object = {}): void {
    const payload = { id, event, timestamp: '2026-01-01T00:00:00.000Z', data };
    this.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(payload)}\n\n`);
  }
}
