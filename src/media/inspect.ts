import { open } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { disableTypes } from 'image-size';
import { imageSizeFromFile } from 'image-size/fromFile';
import type { FileFacts } from '../core/media/ports.js';

/** How much of a file is looked at to tell text from anything else. */
const HEAD_BYTES = 4_096;

// Dimensions of markup are what its author likes to claim.
disableTypes(['svg']);

/** What a file is, judged by its content alone. */
export async function inspectFile(path: string): Promise<FileFacts> {
  const found = await fileTypeFromFile(path);
  const mimeType = found?.mime ?? null;
  const pixels = mimeType?.startsWith('image/') ? await pixelsOf(path) : undefined;
  return {
    mimeType,
    isText: mimeType === null || mimeType === 'application/xml' ? isText(await headOf(path)) : false,
    width: pixels?.width ?? null,
    height: pixels?.height ?? null,
  };
}

/** As it is shown: a rotated photo says so in its metadata. */
async function pixelsOf(path: string): Promise<{ width: number; height: number } | undefined> {
  try {
    const { width, height, orientation } = await imageSizeFromFile(path);
    return orientation !== undefined && orientation >= 5
      ? { width: height, height: width }
      : { width, height };
  } catch (error) {
    // A damaged image, or a format whose dimensions can't be read, is a file like any other.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function isText(head: Buffer): boolean {
  return !head.includes(0);
}
