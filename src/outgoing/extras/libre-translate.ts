import { z } from 'zod';
import { invalidField, unavailable } from '../../core/common/errors.js';
import type { Log, LogFields } from '../../core/common/log.js';
import { type OutgoingAnswer, OutgoingError, type OutgoingRequests } from '../../core/common/outgoing.js';
import type { Translated, TranslationRequest, Translator } from '../../core/extras/translations/ports.js';

export interface TranslationServer {
  /** URL of a LibreTranslate server, without `/translate`. Undefined: there is no translator. */
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
}

/** 10,000 characters, each written as two JSON escapes, doubled because a translation may be longer. */
const ANSWER_BYTES = 256 * 1024;

const answerSchema = z.object({
  translatedText: z.string(),
  detectedLanguage: z
    .object({ language: z.string().min(1) })
    .optional()
    .catch(undefined),
});

/** Translates with a server that implements the LibreTranslate API (https://docs.libretranslate.com/). */
export class LibreTranslate implements Translator {
  readonly provider: string | undefined;

  constructor(
    private readonly server: TranslationServer,
    private readonly requests: OutgoingRequests,
    private readonly log: Log,
  ) {
    this.provider = server.url === undefined ? undefined : 'libretranslate';
  }

  async translate(request: TranslationRequest): Promise<Translated> {
    const answer = await this.#ask(request);
    const parsed = answerSchema.safeParse(bodyOf(answer));
    if (answer.status === 400) {
      throw invalidField(
        'target_language',
        'unsupported',
        'Expected languages that the provider translates.',
      );
    }
    if (answer.status !== 200 || !parsed.success) throw this.#failed({ status: answer.status });
    const { translatedText: text, detectedLanguage } = parsed.data;
    return {
      text: storable(text),
      detectedLanguage: detectedLanguage?.language ?? request.sourceLanguage ?? 'und',
    };
  }

  async #ask({ text, targetLanguage, sourceLanguage }: TranslationRequest): Promise<OutgoingAnswer> {
    const { url, apiKey } = this.server;
    const body = {
      q: text,
      source: sourceLanguage === undefined ? 'auto' : languageCode(sourceLanguage),
      target: languageCode(targetLanguage),
      format: 'text',
      ...(apiKey === undefined ? {} : { api_key: apiKey }),
    };
    try {
      return await this.requests.request({
        url: `${url}/translate`,
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(body),
        answerBytes: ANSWER_BYTES,
      });
    } catch (error) {
      if (error instanceof OutgoingError) throw this.#failed({ problem: error.problem });
      throw error;
    }
  }

  #failed(why: LogFields) {
    this.log.warn(why, 'translation.failed');
    return unavailable('no_provider', 'The translation provider failed.');
  }
}

/** The server supports languages without regions. Traditional Chinese is a separate language. */
function languageCode(tag: string): string {
  const locale = localeOf(tag)?.maximize();
  // For an invalid locale, the first part is sent. The server reports whether it is a language.
  if (locale === undefined) return tag.split('-', 1)[0]?.toLowerCase() ?? tag;
  const { language, script } = locale;
  return language === 'zh' && script === 'Hant' ? 'zt' : language;
}

function localeOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Removes characters that PostgreSQL cannot store. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

function bodyOf({ body }: OutgoingAnswer): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
