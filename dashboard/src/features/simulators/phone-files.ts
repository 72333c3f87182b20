import type { PhoneFile } from '../../api/simulator-paths';

/** The maximum file size that the service accepts in one request. */
const MAX_BYTES = 700_000;
const CHUNK = 8_192;
/** Longest side of a downscaled picture. */
const MAX_SIDE = 1_280;

/** Converts a file for a request. A picture that is too large is downscaled. Undefined if the file is still too large. */
export async function fitting(file: File): Promise<PhoneFile | undefined> {
  if (file.size <= MAX_BYTES) return asPhoneFile(file.name, file);
  if (!/^image\/(?:png|jpeg|webp)$/.test(file.type)) return undefined;
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const smaller = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 });
  return smaller.size <= MAX_BYTES ? asPhoneFile(file.name, smaller) : undefined;
}

/** A generated sample photo: a parcel at a door. */
export async function samplePhoto(): Promise<PhoneFile | undefined> {
  const canvas = new OffscreenCanvas(640, 420);
  const pen = canvas.getContext('2d');
  if (pen === null) return undefined;
  const fill = (colour: string, ...[x, y, width, height]: [number, number, number, number]) => {
    pen.fillStyle = colour;
    pen.fillRect(x, y, width, height);
  };
  fill('#b9cdd9', 0, 0, 640, 420);
  fill('#8c9a8f', 0, 320, 640, 100);
  fill('#37536b', 380, 40, 170, 285);
  fill('#2b4257', 400, 60, 130, 110);
  fill('#d9b24c', 520, 190, 12, 12);
  fill('#c58f52', 110, 190, 220, 150);
  fill('#b07c42', 110, 190, 220, 26);
  fill('#e6cfa6', 205, 190, 30, 150);
  fill('#ffffff', 255, 260, 56, 44);
  const blob = await canvas.convertToBlob({ type: 'image/png' });
  return asPhoneFile('parcel.png', blob);
}

async function asPhoneFile(name: string, blob: Blob): Promise<PhoneFile | undefined> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  if (bytes.length === 0) return undefined;
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(blob.type) ? blob.type : 'application/octet-stream';
  return { name: name.slice(0, 255), mime_type: type, content: btoa(binary) };
}
