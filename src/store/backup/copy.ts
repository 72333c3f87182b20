import { Readable } from 'node:stream';
import type pg from 'pg';

/** The driver's connection, as it is passed to a statement that handles the protocol itself. */
interface Wire {
  readonly stream: NodeJS.WritableStream & { pause(): void; resume(): void; writableNeedDrain: boolean };
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

type Submittable = Parameters<pg.Client['query']>[0];

/**
 * Streams the output of a COPY … TO STDOUT and calls `done` with the number of its rows. The server waits while the stream is not
 * read.
 */
export function copyOut(client: pg.Client, text: string, done: (rows: number) => void): Readable {
  let wire: Wire | undefined;
  let failed = false;
  const rows = new Readable({ read: () => wire?.stream.resume() });
  client.query({
    submit: (connection: unknown) => {
      wire = connection as Wire;
      wire.query(text);
    },
    handleCopyData: ({ chunk }: { chunk: Buffer }) => {
      // The driver reuses the memory of a message.
      if (!rows.push(Buffer.from(chunk))) wire?.stream.pause();
    },
    handleCommandComplete: (message: { text: string }) => done(Number(message.text.split(' ').at(-1))),
    handleError: (error: Error) => {
      failed = true;
      rows.destroy(error);
    },
    handleReadyForQuery: () => {
      if (!failed) rows.push(null);
    },
  } as unknown as Submittable);
  return rows;
}

/** Sends the chunks to a COPY … FROM STDIN. Resolves with the number of rows. */
export function copyIn(client: pg.Client, text: string, chunks: AsyncIterable<Buffer>): Promise<number> {
  return new Promise((resolve, reject) => {
    let rows = 0;
    let failure: Error | undefined;
    client.query({
      submit: (connection: unknown) => (connection as Wire).query(text),
      handleCopyInResponse: (connection: unknown) => {
        void send(connection as Wire, chunks, () => failure !== undefined).catch((error: Error) => {
          failure = error;
          (connection as Wire).sendCopyFail('The file could not be read.');
        });
      },
      handleCommandComplete: (message: { text: string }) => {
        rows = Number(message.text.split(' ').at(-1));
      },
      handleError: (error: Error) => {
        failure ??= error;
        reject(failure);
      },
      handleReadyForQuery: () => (failure === undefined ? resolve(rows) : reject(failure)),
    } as unknown as Submittable);
  });
}

async function send(wire: Wire, chunks: AsyncIterable<Buffer>, hasFailed: () => boolean): Promise<void> {
  for await (const chunk of chunks) {
    if (hasFailed()) return;
    wire.sendCopyFromChunk(chunk);
    if (wire.stream.writableNeedDrain) await drained(wire);
  }
  wire.endCopyFrom();
}

function drained({ stream }: Wire): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}
