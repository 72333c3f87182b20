import { api, must } from './client';
import { ApiError } from './errors';

/** Simulation of a broadcast. As in session-paths.ts, these types are written by hand. */

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
  /** False if the figures come from the platform's definition. */
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

/** Formatting of a text range from `start` (inclusive) to `end` (exclusive). Spans nest and do not overlap partially. */
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
  /** Address of a new chat. */
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
  /** The spans of each text. Absent if the platform shows no formatting. */
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

/** Runs a simulation of the broadcast in the service and reports its progress. */
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
  // The response ended early.
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
