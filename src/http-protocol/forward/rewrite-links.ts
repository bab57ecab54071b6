import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** The attributes of HTML elements that have URLs. */
const urlAttributes: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    a: ['href'],
    applet: ['codebase'],
    area: ['href'],
    audio: ['src'],
    base: ['href'],
    blockquote: ['cite'],
    body: ['background'],
    button: ['formaction'],
    command: ['icon'],
    del: ['cite'],
    embed: ['src'],
    form: ['action'],
    frame: ['longdesc', 'src'],
    head: ['profile'],
    html: ['manifest'],
    iframe: ['longdesc', 'src'],
    img: ['longdesc', 'src', 'usemap'],
    input: ['formaction', 'src', 'usemap'],
    ins: ['cite'],
    link: ['href'],
    object: ['classid', 'codebase', 'data', 'usemap'],
    q: ['cite'],
    script: ['src'],
    source: ['src'],
    video: ['poster', 'src'],
  }),
);

/** A longer value is passed on unchanged, for example an image in a `data:` URL. */
const longestValue = 16 * 1024;

/** Names of elements and attributes that are longer are not of interest. */
const longestName = 64;

/**
 * Rewrites the URLs in the attributes of an HTML page, chunk by chunk; everything else is passed on
 * byte by byte. Pages of any encoding that contains ASCII are accepted: a byte is read as one
 * character.
 */
export async function* rewriteLinks(
  page: AsyncIterable<Buffer>,
  rewrite: (url: string) => string,
): AsyncGenerator<Buffer> {
  const links = new LinkFinder();
  // The text that is not passed on yet, and its position in the page.
  let text = '';
  let start = 0;
  for await (const chunk of page) {
    const piece = chunk.toString('latin1');
    text += piece;
    let passed = '';
    for (const { from, to } of links.findIn(piece)) {
      passed += text.slice(0, from - start) + rewrite(text.slice(from - start, to - start));
      text = text.slice(to - start);
      start = to;
    }
    const rest = links.openFrom === undefined ? text.length : links.openFrom - start;
    passed += text.slice(0, rest);
    text = text.slice(rest);
    start += rest;
    if (passed !== '') yield Buffer.from(passed, 'latin1');
  }
  if (text !== '') yield Buffer.from(text, 'latin1');
}

/** A range of characters in a page, by their positions in it. */
interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Finds the values of URL attributes in a page that arrives in pieces. */
class LinkFinder {
  /** The beginning of a value whose end has not arrived; undefined outside of values. */
  openFrom: number | undefined;
  readonly #tokenizer: Tokenizer;
  #found: TextRange[] = [];
  /** The current piece and the end of the one before it, and their position in the page. */
  #seen = '';
  #seenFrom = 0;
  /** The URL attributes of the current element. */
  #attributes: readonly string[] = [];
  #isUrl = false;

  constructor() {
    this.#tokenizer = new Tokenizer({ decodeEntities: false }, this.#callbacks());
  }

  /** Returns the values that end in the next piece, in their order. */
  findIn(piece: string): readonly TextRange[] {
    const kept = this.#seen.slice(-longestName);
    this.#seenFrom += this.#seen.length - kept.length;
    this.#seen = kept + piece;
    this.#found = [];
    this.#tokenizer.write(piece);
    const end = this.#seenFrom + this.#seen.length;
    if (this.openFrom !== undefined && end - this.openFrom > longestValue) this.#endValue();
    return this.#found;
  }

  #endValue(): void {
    this.openFrom = undefined;
    this.#isUrl = false;
  }

  #nameAt(from: number, to: number): string {
    return from < this.#seenFrom ? '' : this.#seen.slice(from - this.#seenFrom, to - this.#seenFrom).toLowerCase();
  }

  #callbacks(): TokenizerCallbacks {
    return {
      ...ignored,
      onopentagname: (from, to) => {
        this.#attributes = urlAttributes.get(this.#nameAt(from, to)) ?? [];
      },
      onattribname: (from, to) => {
        this.#isUrl = this.#attributes.includes(this.#nameAt(from, to));
      },
      onattribdata: (from) => {
        if (this.#isUrl) this.openFrom ??= from;
      },
      onattribend: (quote, end) => {
        const isQuoted = quote === QuoteType.Double || quote === QuoteType.Single;
        if (this.openFrom !== undefined) this.#found.push({ from: this.openFrom, to: isQuoted ? end - 1 : end });
        this.#endValue();
      },
    };
  }
}

function ignore(): void {}

/** The other parts of a page. */
const ignored: TokenizerCallbacks = {
  onattribdata: ignore,
  onattribentity: ignore,
  onattribend: ignore,
  onattribname: ignore,
  oncdata: ignore,
  onclosetag: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onopentagend: ignore,
  onopentagname: ignore,
  onprocessinginstruction: ignore,
  onselfclosingtag: ignore,
  ontext: ignore,
  ontextentity: ignore,
};
