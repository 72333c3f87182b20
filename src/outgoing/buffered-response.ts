type Read = 'body' | 'bodyUsed' | 'text' | 'json' | 'arrayBuffer' | 'blob' | 'formData' | 'clone';

/** The type of Response without the overridden members, because the library's types declare them as properties. */
const OpenResponse = Response as unknown as new (body: null, shape: ResponseInit) => Omit<Response, Read>;

/** A response with a buffered body. It is read without a stream unless the caller requests one. */
export class BufferedResponse extends OpenResponse {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #streamed: Response | undefined;
  #used = false;

  constructor(bytes: Uint8Array, shape: ResponseInit) {
    super(null, shape);
    this.#bytes = bytes as Uint8Array<ArrayBuffer>;
  }

  get body(): Response['body'] {
    return this.#stream().body;
  }

  get bodyUsed(): boolean {
    return this.#used || (this.#streamed?.bodyUsed ?? false);
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(this.#take());
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#take().slice().buffer;
  }

  async blob(): Promise<Blob> {
    return new Blob([this.#take()], { type: this.headers.get('content-type') ?? '' });
  }

  formData(): Promise<FormData> {
    return this.#stream().formData() as Promise<FormData>;
  }

  clone(): Response {
    if (this.bodyUsed) throw new TypeError('The body was read already.');
    return new BufferedResponse(this.#bytes, this);
  }

  #take(): Uint8Array<ArrayBuffer> {
    if (this.bodyUsed) throw new TypeError('The body was read already.');
    this.#used = true;
    return this.#bytes;
  }

  #stream(): Response {
    this.#streamed ??= new Response(this.#bytes, this);
    return this.#streamed;
  }
}
