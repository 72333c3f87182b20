import { open } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { disableTypes } from 'image-size';
import { imageSizeFromFile } from 'image-size/fromFile';
import type { FileFacts } from '../core/media/ports.js';

/** Size of the part of a file that is checked to detect text. */
const HEAD_BYTES = 4_096;

// The author of an SVG can declare any dimensions.
disableTypes(['svg']);

/** Detects the type of a file by its content only. */
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

/** The dimensions as displayed. The metadata of a photo may rotate it. */
async function pixelsOf(path: string): Promise<{ width: number; height: number } | undefined> {
  try {
    const { width, height, orientation } = await imageSizeFromFile(path);
    return orientation !== undefined && orientation >= 5
      ? { width: height, height: width }
      : { width, height };
  } catch (error) {
    // The dimensions of a damaged image or an unsupported format are unknown.
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
