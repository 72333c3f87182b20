import type { Api } from 'grammy';
import { type AdapterHost, PlatformError, type RemoteMedia } from '../../../src/contract/index.js';
import { platformErrorOf } from './errors.js';
import { clientSignal } from './transport.js';

/** Opens a received file. Its address contains the token, so it is requested and read in one step and never stored. */
export async function openFile(
  api: Api,
  host: AdapterHost,
  filesUrl: string,
  fileId: string,
  signal: AbortSignal,
): Promise<RemoteMedia> {
  const { file_path: path } = await api.raw
    .getFile({ file_id: fileId }, clientSignal(signal))
    .catch((error: unknown) => {
      throw platformErrorOf(error, false);
    });
  if (path === undefined) throw unavailable('Telegram has no file under this id any more.');
  const response = await host.fetch(`${filesUrl}/${path}`, { signal });
  if (response.status === 200 && response.body !== null) return { body: response.body };
  await response.body?.cancel();
  if (response.status === 404) throw unavailable('Telegram has no file under this id any more.');
  throw new PlatformError(
    { kind: 'unavailable', cause: 'platform_down' },
    {
      dispatched: 'no',
      message: 'The file could not be downloaded from Telegram.',
      code: String(response.status),
    },
  );
}

const unavailable = (message: string) =>
  new PlatformError({ kind: 'rejected', reason: 'media_unavailable' }, { dispatched: 'no', message });
