import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Caller } from '../../src/core/access/caller.js';
import { hourlyRateLimiter, type RequestCounts } from '../../src/core/access/rate-limit.js';
import { authenticateClient } from '../../src/core/authentication/authenticate.js';
import { conflict, notFound } from '../../src/core/common/errors.js';
import type {
  Claim,
  ClaimOutcome,
  IdempotencyStore,
  IdempotentRequest,
  StoredAnswer,
} from '../../src/core/common/idempotency.js';
import { listInMemory } from '../../src/core/listing/list-in-memory.js';
import { recordList } from '../../src/core/listing/list-spec.js';
import { metadata, uuid } from '../../src/core/schema/scalars.js';
import { apiMount } from '../../src/http/endpoint.js';
import { listRoute, type Route, route } from '../../src/http/route.js';
import { buildServer, type ServerOptions } from '../../src/http/server.js';
import { DiskFiles } from '../../src/media/disk-files.js';
import { silentLog } from './log.js';

const files = new DiskFiles(join(tmpdir(), `trunkline-notes-${process.pid}`));

/** Idempotency keys in memory. */
export class MemoryIdempotency implements IdempotencyStore {
  private readonly rows = new Map<string, { claim: Claim; answer?: StoredAnswer; lapsed?: boolean }>();

  async claim(request: IdempotentRequest): Promise<ClaimOutcome> {
    const { credentialId: credential_id, method, path, key, fingerprint } = request;
    const name = { credential_id, method, path, key };
    const row = this.rows.get(JSON.stringify(name));
    if (row === undefined) {
      const claim = { name, request, resourceId: randomUUID() };
      this.rows.set(JSON.stringify(name), { claim });
      return { kind: 'claimed', claim };
    }
    if (!row.claim.request.fingerprint.equals(fingerprint)) return { kind: 'reused' };
    if (row.lapsed === true && row.answer === undefined) {
      row.lapsed = false;
      return { kind: 'claimed', claim: row.claim };
    }
    return row.answer === undefined ? { kind: 'running' } : { kind: 'finished', answer: row.answer };
  }

  async extend(): Promise<void> {
    return undefined;
  }

  async complete(claim: Claim, answer: StoredAnswer): Promise<boolean> {
    const row = this.rows.get(JSON.stringify(claim.name));
    if (row === undefined || row.answer !== undefined) return false;
    row.answer = JSON.parse(JSON.stringify(answer)) as StoredAnswer;
    return true;
  }

  async release(claim: Claim): Promise<boolean> {
    return this.rows.delete(JSON.stringify(claim.name));
  }

  async lapse(claim: Claim): Promise<void> {
    const row = this.rows.get(JSON.stringify(claim.name));
    if (row !== undefined) row.lapsed = true;
  }
}

/** Request counts in memory. */
export class MemoryRequestCounts implements RequestCounts {
  private readonly used = new Map<string, number>();

  take(bucket: string, hour: number, limit: number): number | undefined {
    const name = `${bucket} ${hour}`;
    const used = (this.used.get(name) ?? 0) + 1;
    if (used > limit) return undefined;
    this.used.set(name, used);
    return used;
  }
}

const WORKSPACE = '019b76da-a800-7000-8000-000000000001';

export function callerWith(scopes: readonly string[], more: Partial<Caller> = {}): Caller {
  return {
    workspaceId: WORKSPACE,
    userId: '019b76da-a800-7000-8000-0000000000e1',
    environment: 'live',
    credential: { kind: 'api_key', id: '019b76da-a800-7000-8000-0000000000f1' },
    scopes: new Set(scopes),
    rateLimit: 0,
    onlyOwnConversations: false,
    ...more,
  };
}

export interface Note {
  id: string;
  text: string;
  size: number | null;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}

const NoteRecord = z
  .object({
    id: z.string(),
    text: z.string(),
    size: z.int().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Note' });

const noteList = recordList({
  sort: ['size'],
  filter: { text: { type: 'string' }, size: { type: 'int', nullable: true } },
  metadata: true,
});
const id = z.object({ id: uuid });
const write = {
  tag: 'Notes',
  scopes: ['messages:write'],
  oauth: 'messages.write',
  response: NoteRecord,
} as const;

/** Notes in memory: the smallest resource that uses every part of the framework. */
export class Notes {
  readonly items: Note[] = [];
  /** Called before a note is stored. */
  beforeCreate: () => Promise<void> = async () => undefined;

  add(text: string, more: Partial<Note> = {}): Note {
    const at = new Date(Date.UTC(2026, 0, 1) + this.items.length).toISOString();
    const id = `019b76da-a800-7000-8000-${String(this.items.length).padStart(12, '0')}`;
    const note = { id, text, size: null, metadata: {}, created_at: at, updated_at: at, ...more };
    this.items.push(note);
    return note;
  }

  routes(): Route[] {
    return [
      listRoute({
        path: '/openapi/notes',
        summary: 'List notes',
        tag: 'Notes',
        scopes: ['messages:read'],
        oauth: 'messages.read',
        response: NoteRecord,
        list: noteList,
        query: z.object({ about: uuid.optional() }),
        handler: async ({ list }) => listInMemory(this.items, noteList, list),
      }),
      route({
        method: 'GET',
        path: '/openapi/notes/{id}',
        summary: 'Read a note',
        tag: 'Notes',
        scopes: { anyOf: ['messages:read', 'messages:write'] },
        oauth: null,
        params: id,
        success: 200,
        response: NoteRecord,
        expand: { author: { scopes: [], oauth: 'any' } },
        handler: async ({ params }) => this.get(params.id),
      }),
      route({
        ...write,
        method: 'POST',
        path: '/openapi/notes',
        summary: 'Write a note',
        body: z.object({
          text: z.string().min(1).max(20),
          size: z.int().min(0).max(10).optional(),
          color: z.enum(['red', 'blue']).optional(),
          tags: z
            .array(z.object({ name: z.string() }))
            .max(2)
            .optional(),
          metadata: metadata.optional(),
        }),
        success: 201,
        handler: async ({ body, resourceId }) => {
          await this.beforeCreate();
          if (body.text === 'taken') throw conflict('already_exists', 'There is such a note.');
          const found = this.items.find((note) => note.text === body.text && body.size === 7);
          if (found !== undefined) return { status: 200, record: found };
          return this.add(body.text, {
            id: resourceId,
            metadata: body.metadata ?? {},
            size: body.size ?? null,
          });
        },
      }),
      route({
        ...write,
        method: 'PATCH',
        path: '/openapi/notes/{id}',
        summary: 'Change a note',
        params: id,
        body: z.object({ text: z.string().optional() }),
        success: 200,
        handler: async ({ params, body }) => Object.assign(this.get(params.id), body),
      }),
      route({
        ...write,
        method: 'DELETE',
        path: '/openapi/notes/{id}',
        summary: 'Delete a note',
        params: id,
        success: 204,
        handler: async ({ params }) => {
          this.items.splice(this.items.indexOf(this.get(params.id)), 1);
          return undefined;
        },
      }),
      route({
        method: 'POST',
        path: '/openapi/notes/import',
        summary: 'Import a note',
        tag: 'Notes',
        scopes: ['messages:write'],
        oauth: null,
        upload: {
          streamed: {
            part: 'file',
            maxBytes: 1_000,
            stage: (source, maxBytes) => files.stage(source, maxBytes),
            discard: (file) => files.discard(file),
          },
        },
        body: z.object({ name: z.string() }),
        success: 200,
        handler: async ({ body, file }) => ({
          fields: body,
          file: { name: file?.name, mimeType: file?.mimeType, size: file?.sizeBytes },
        }),
      }),
      route({
        method: 'GET',
        path: '/api/broken',
        summary: 'Fail',
        tag: 'Notes',
        scopes: [],
        oauth: 'any',
        success: 200,
        handler: async () => {
          throw new Error('secret detail', { cause: new Error('postgres://user:password@host') });
        },
      }),
    ];
  }

  private get(noteId: string): Note {
    const note = this.items.find((one) => one.id === noteId);
    if (note === undefined) throw notFound('The note');
    return note;
  }
}

/** A server with example routes. Keys are the names in `callers`, and tokens begin with `token-`. */
export function testServer(
  routes: readonly Route[],
  callers: Readonly<Record<string, Caller>> = {},
  more: Partial<ServerOptions> = {},
): FastifyInstance {
  const authenticate = authenticateClient(
    async (key) => callers[key],
    async (token) => callers[token],
  );
  return buildServer({
    mounts: [apiMount(routes, authenticate)],
    rateLimit: hourlyRateLimiter(new MemoryRequestCounts(), more.now),
    idempotency: new MemoryIdempotency(),
    cursorSecret: Buffer.alloc(32, 7),
    log: silentLog,
    publicUrl: 'http://localhost:8080',
    health: async () => undefined,
    checkResponses: true,
    ...more,
  });
}

export const ALL = callerWith(['messages:read', 'messages:write']);
