import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, must, type Schemas } from '../../api/client';

export type Message = Schemas['Message'];

/**
 * Messages, newest first, with the cursors of both directions. A null cursor means that there are no more messages in that
 * direction.
 */
export interface MessagePage {
  readonly data: Message[];
  readonly older: string | null;
  readonly newer: string | null;
}

interface Place {
  readonly side: 'start' | 'older' | 'newer';
  readonly cursor: string;
}

const PAGE = 50;
/** Number of messages on each side of a jump target. */
const AROUND = 25;

/** A single message, for quotes and jumps. */
export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ['message', id],
    queryFn: ({ signal }) => must(api.GET('/openapi/messages/{id}', { params: { path: { id } }, signal })),
    staleTime: 60_000,
    retry: false,
  });

/** The messages of a conversation, paged in both directions. Starts at the newest message, or around the anchor. */
export const messagesQuery = (conversationId: string, anchor?: Message) =>
  infiniteQueryOptions({
    queryKey: ['messages', conversationId, ...(anchor === undefined ? [] : [anchor.id])],
    initialPageParam: { side: 'start', cursor: '' } as Place,
    queryFn: ({ pageParam, signal }) => new Pages(conversationId, anchor, signal).read(pageParam),
    getNextPageParam: ({ older }): Place | undefined =>
      older === null ? undefined : { side: 'older', cursor: older },
    getPreviousPageParam: ({ newer }): Place | undefined =>
      newer === null ? undefined : { side: 'newer', cursor: newer },
  });

class Pages {
  constructor(
    private readonly conversationId: string,
    private readonly anchor: Message | undefined,
    private readonly signal: AbortSignal,
  ) {}

  async read({ side, cursor }: Place): Promise<MessagePage> {
    if (side === 'older') return { ...(await this.#older(cursor, PAGE)), newer: null };
    if (side === 'newer') return { ...(await this.#newer(cursor)), older: null };
    if (this.anchor === undefined) return { ...(await this.#older('', PAGE)), newer: null };
    const [older, newer] = await Promise.all([this.#older('', AROUND), this.#newer('')]);
    return { data: [...newer.data, ...older.data], older: older.older, newer: newer.newer };
  }

  async #older(cursor: string, limit: number): Promise<Pick<MessagePage, 'data' | 'older'>> {
    const { data, pagination } = await this.#list('<=', 'desc', cursor, limit);
    return { data, older: pagination?.nextCursor ?? null };
  }

  async #newer(cursor: string): Promise<Pick<MessagePage, 'data' | 'newer'>> {
    const { data, pagination } = await this.#list('>', 'asc', cursor, AROUND);
    return { data: data.reverse(), newer: pagination?.nextCursor ?? null };
  }

  #list(than: '<=' | '>', order: 'asc' | 'desc', cursor: string, limit: number) {
    const filter = this.anchor === undefined ? [] : [`created_at:${than}${this.anchor.created_at}`];
    const query = { conversation_id: this.conversationId, filter, order, limit, cursor };
    return must(api.GET('/openapi/messages', { params: { query }, signal: this.signal }));
  }
}
