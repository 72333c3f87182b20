import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, must, type Schemas } from '../../api/client';

export type Message = Schemas['Message'];

/** Messages in the order of the list, the newest first, and where to go on. A null cursor says that nothing is left on that side. */
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
/** On each side of a message that the person jumps to. */
const AROUND = 25;

/** One message, for quotes and for jumps. */
export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ['message', id],
    queryFn: ({ signal }) => must(api.GET('/openapi/messages/{id}', { params: { path: { id } }, signal })),
    staleTime: 60_000,
    retry: false,
  });

/** The messages of a conversation, page by page in both directions. They begin at the newest one, or around the anchor. */
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
