import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type {
  Translated,
  TranslationCache,
  TranslationRequest,
} from '../../core/extras/translations/ports.js';

type Kept = Translated & { readonly provider: string };

/** Translations in PostgreSQL, kept for 30 days under the hash of their text. */
export class PostgresTranslations implements TranslationCache {
  constructor(private readonly pool: Pool) {}

  async find(workspaceId: string, request: TranslationRequest): Promise<Kept | undefined> {
    const { rows } = await this.pool.query<Kept>(
      `SELECT text, detected_language AS "detectedLanguage", provider FROM translations
       WHERE workspace_id = $1 AND text_hash = $2 AND target_language = $3 AND source_language = $4
         AND created_at > now() - interval '30 days'`,
      keyOf(workspaceId, request),
    );
    return rows[0];
  }

  async keep(workspaceId: string, request: TranslationRequest, made: Kept): Promise<void> {
    await this.pool.query(
      `INSERT INTO translations (workspace_id, text_hash, target_language, source_language, text, detected_language, provider)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (workspace_id, text_hash, target_language, source_language) DO UPDATE SET text = excluded.text,
         detected_language = excluded.detected_language, provider = excluded.provider, created_at = now()`,
      [...keyOf(workspaceId, request), made.text, made.detectedLanguage, made.provider],
    );
  }

  async purge(): Promise<void> {
    await this.pool.query(
      `DELETE FROM translations WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM translations WHERE created_at <= now() - interval '30 days' LIMIT 1000))`,
    );
  }
}

function keyOf(workspaceId: string, { text, targetLanguage, sourceLanguage }: TranslationRequest): unknown[] {
  return [workspaceId, createHash('sha256').update(text).digest(), targetLanguage, sourceLanguage ?? ''];
}
