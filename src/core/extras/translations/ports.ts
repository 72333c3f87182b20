/** A translated text, and the language of the original. */
export interface Translated {
  readonly text: string;
  /** A BCP 47 tag; `und` if unknown. */
  readonly detectedLanguage: string;
}

export interface TranslationRequest {
  readonly text: string;
  readonly targetLanguage: string;
  /** Absent: the translator detects the language. */
  readonly sourceLanguage: string | undefined;
}

/** A translation service. */
export interface Translator {
  /** Shown with each translation. Absent if no translator is configured. */
  readonly provider: string | undefined;
  /** Raises `invalid_request` (`unsupported`) for an unknown language, and `service_unavailable` if the service fails. */
  translate(request: TranslationRequest): Promise<Translated>;
}

/** Translations, kept for a limited time. */
export interface TranslationCache {
  find(
    workspaceId: string,
    request: TranslationRequest,
  ): Promise<(Translated & { readonly provider: string }) | undefined>;
  keep(
    workspaceId: string,
    request: TranslationRequest,
    made: Translated & { readonly provider: string },
  ): Promise<void>;
  /** Deletes a batch of expired translations. */
  purge(): Promise<void>;
}
