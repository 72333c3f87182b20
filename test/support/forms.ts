import { randomUUID } from 'node:crypto';
import type { ApiAnswer, ApiClient } from './api-client.js';

/** A part of a form: a text, or a file with its name. */
export type Part = string | { readonly name: string; readonly content: string | Buffer };

/** Sends multipart/form-data. */
export function postForm(
  client: ApiClient,
  path: string,
  parts: Readonly<Record<string, Part>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiAnswer> {
  const { body, headers: own } = encoded(parts);
  return client.post(path, body, { headers: { ...own, ...headers } });
}

/** A request with a CSV file as its form. */
export const formOf = (csv: string) => encoded({ file: { name: 'people.csv', content: csv } });

function encoded(parts: Readonly<Record<string, Part>>) {
  const boundary = `form-${randomUUID()}`;
  const chunks = Object.entries(parts).flatMap(([field, part]) => {
    const file = typeof part === 'string' ? undefined : part;
    const name = file === undefined ? '' : `; filename="${file.name}"`;
    const type = file === undefined ? '' : '\r\nContent-Type: text/csv';
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"${name}${type}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(file?.content ?? (part as string)), Buffer.from('\r\n')];
  });
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}
