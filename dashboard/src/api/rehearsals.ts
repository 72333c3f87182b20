import { api, must } from './client';
import { ApiError } from './errors';

/** How a broadcast would go. As in session-paths.ts, this is written by hand. */

interface Billed {
  readonly unit: string;
  readonly count: number;
}

interface Refused {
  readonly code: string;
  readonly message: string;
}

export interface RehearsedConnection {
  readonly connection_id: string | null;
  readonly platform: string;
  readonly name: string | null;
  /** false: the figures follow from the definition of the platform. */
  readonly is_live: boolean;
  /** Null: unlimited. */
  readonly rate_per_second: number | null;
  readonly recipients: number;
  readonly new_chats: number;
  readonly parts: number;
  readonly calls: number;
  readonly billed: Billed | null;
  readonly refused: number;
  readonly first_after_seconds: number | null;
  readonly duration_seconds: number;
  readonly limited_by: 'account' | 'throttle' | 'schedule' | null;
}

/** A format of a stretch of text, from `start` to before `end`. Spans nest and do not cross. */
export interface TextSpan {
  readonly mark:
    | 'bold'
    | 'italic'
    | 'underline'
    | 'strike'
    | 'code'
    | 'code_block'
    | 'quote'
    | 'link'
    | 'list'
    | 'heading'
    | 'mention'
    | 'spoiler';
  readonly start: number;
  readonly end: number;
  readonly value?: string;
}

export interface RehearsalPreview {
  readonly user_id: string;
  /** Of a chat that is new. */
  readonly address: string | null;
  readonly connection_id: string | null;
  readonly platform: string | null;
  readonly variant: string | null;
  readonly reason:
    | 'refused'
    | 'missing_variable'
    | 'longest'
    | 'loss'
    | 'variant'
    | 'new_chat'
    | 'shortest'
    | 'typical';
  readonly texts: string[];
  /** Of each text; absent where the platform shows no format. */
  readonly spans?: TextSpan[][];
  readonly files: string[];
  readonly parts: number;
  readonly degradations: string[];
  readonly billed: Billed | null;
  readonly refusal: Refused | null;
  readonly missing: string[];
}

export interface Rehearsal {
  readonly recipients: number;
  readonly skips: Readonly<Record<string, number>>;
  readonly parts: number;
  readonly duration_seconds: number;
  readonly preparation_seconds: number;
  readonly without_zone: number;
  readonly connections: RehearsedConnection[];
  readonly refusals: (Refused & { readonly platform: string; readonly recipients: number })[];
  readonly degradations: {
    readonly platform: string;
    readonly degradation: string;
    readonly recipients: number;
  }[];
  readonly previews: RehearsalPreview[];
}

export interface RehearsalProgress {
  readonly stage: 'planning' | 'sending';
  readonly done: number;
  readonly total: number;
}

type Line = RehearsalProgress | { readonly rehearsal: Rehearsal };

/** Plays a broadcast at the service, which tells how far it is. */
export async function rehearse(
  body: object,
  onProgress: (progress: RehearsalProgress) => void,
  signal: AbortSignal,
): Promise<Rehearsal> {
  const sent = api.POST('/broadcasts/rehearsal', { body: body as never, parseAs: 'stream', signal });
  for await (const line of linesOf(await must(sent))) {
    const entry = JSON.parse(line) as Line;
    if ('rehearsal' in entry) return entry.rehearsal;
    onProgress(entry);
  }
  // The answer was broken off.
  throw new ApiError(0);
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>;
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done) return;
    const lines = (rest + (value ?? '')).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
