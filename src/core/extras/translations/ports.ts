/** A text in another language, and the language it was in. */
export interface Translated {
  readonly text: string;
  /** A BCP 47 tag; `und` when it is unknown. */
  readonly detectedLanguage: string;
}

export interface TranslationRequest {
  readonly text: string;
  readonly targetLanguage: string;
  /** Absent: the translator finds out. */
  readonly sourceLanguage: string | undefined;
}

/** A translation service. */
export interface Translator {
  /** Shown with each translation; absent when no translator is configured. */
  readonly provider: string | undefined;
  /** Raises `invalid_request` (`unsupported`) for a language it does not know, `service_unavailable` when it fails. */
  translate(request: TranslationRequest): Promise<Translated>;
}

/** Translations that were made, kept for a while. */
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
  /** Removes a batch of those that are too old. */
  purge(): Promise<void>;
}
