import type { Caller } from '../../access/caller.js';
import { scopeOf } from '../../access/message-scope.js';
import { invalidField, notFound, unavailable } from '../../common/errors.js';
import type { MessageStore } from '../../messages/ports.js';
import { FairShares } from '../../shares/fair-shares.js';
import type { Translated, TranslationCache, TranslationRequest, Translator } from './ports.js';
import type { TranslateBody, TranslationRecord } from './record.js';

/** Maximum number of requests to the provider at once. More would only wait there. */
const AT_ONCE = 32;
const MAX_WAIT_MS = 10_000;

/** Translates a text or a message of the caller's workspace. Repeated requests are answered from the cache. */
export class Translate {
  readonly #shares = new FairShares({ capacity: AT_ONCE });

  constructor(
    private readonly messages: MessageStore,
    private readonly translator: Translator,
    private readonly cache: TranslationCache,
  ) {}

  /**
   * Raises `not_found` for the message, `service_unavailable` (`no_provider`) without a translator or when it fails,
   * and `backlog` if the workspace has too many requests in progress.
   */
  async execute(caller: Caller, body: TranslateBody): Promise<TranslationRecord> {
    const request: TranslationRequest = {
      text: body.text ?? (await this.#textOf(caller, body.message_id ?? '')),
      targetLanguage: body.target_language,
      sourceLanguage: body.source_language ?? undefined,
    };
    const { provider } = this.translator;
    if (provider === undefined) throw unavailable('no_provider', 'No translation provider is configured.');
    const kept = await this.cache.find(caller.workspaceId, request);
    const made = kept ?? { ...(await this.#ask(caller, request)), provider };
    if (kept === undefined) await this.cache.keep(caller.workspaceId, request, made);
    return {
      text: made.text,
      detected_language: made.detectedLanguage,
      target_language: request.targetLanguage,
      provider: made.provider,
      cached: kept !== undefined,
    };
  }

  /** One workspace must not use all requests, because a provider may take seconds for each. */
  async #ask({ workspaceId }: Caller, request: TranslationRequest): Promise<Translated> {
    const translate = () => this.translator.translate(request);
    const made = await this.#shares.within(workspaceId, translate, MAX_WAIT_MS);
    if (made === undefined)
      throw unavailable('backlog', 'Too many translations of this workspace are in progress.');
    return made;
  }

  async #textOf(caller: Caller, messageId: string): Promise<string> {
    const message = await this.messages.find(scopeOf(caller), messageId);
    if (message === undefined) throw notFound('The message', 'message_id');
    if (message.text === '') throw invalidField('message_id', 'invalid_value', 'The message has no text.');
    return message.text;
  }
}
