import { csrfHeaders, signInAgain } from './client';
import { ApiError, errorOf } from './errors';

const PATH = '/dashboard/api/openapi/attachments';

/** Uploads a file and returns the id that a message refers to. `fetch` does not report upload progress. */
export function uploadFile(
  file: File,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const form = new FormData();
  form.set('name', file.name);
  form.set('file', file);
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    request.open('POST', PATH);
    for (const [name, value] of Object.entries(csrfHeaders())) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onerror = () => reject(new ApiError(0));
    request.onload = () => {
      if (request.status === 401) return signInAgain();
      const body = parsed(request.responseText);
      const isStored = request.status === 201 && typeof body?.id === 'string';
      return isStored ? resolve(String(body.id)) : reject(errorOf(responseOf(request), body));
    };
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

/** A proxy may respond with something other than JSON. */
function parsed(text: string): { readonly id?: unknown } | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function responseOf(request: XMLHttpRequest): Response {
  const names = ['retry-after', 'x-request-id'];
  const headers = names.map((name) => [name, request.getResponseHeader(name) ?? ''] as [string, string]);
  return new Response(null, { status: request.status, headers: headers.filter(([, value]) => value !== '') });
}
