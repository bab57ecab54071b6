import { memoize } from '../../meta/memoize.ts';
import { lazyModule } from '../../package/lazy-module.ts';
import type { Catalogue, GroupInfo } from '../../registry/definition/catalogue.ts';
import type { LiveCatalogue } from '../../registry/definition/live-catalogue.ts';
import type { OpenApiStyle } from '../../scheme/open-api-schema.ts';
import { inVersion3 } from './convert-description.ts';
import { type DocumentSource, isCustomGroup, wholeSource, pathSource, versionSource } from './document-source.ts';
import { CachedPieces, type DocumentFormat } from './document-piece.ts';
import { encodeDocument, type EncodingOptions } from './encode-document.ts';
import { IdleCache } from './idle-cache.ts';
import { jsonVersion2, jsonVersion3 } from './json-document.ts';
import type { OpenApiNames } from './operation.ts';
import { type EncodedDocument, encodedYielding } from './encoded-document.ts';
import { noRemotes, type RemoteDescription, type RemoteDocuments } from './remote-documents.ts';
import { corePath, groupPath, groupsPath, publishedPath, serverVersionPath } from './discovery-paths.ts';

/** Bytes that are unused for this time are dropped: a client reads documents at its start. */
const idleMs = 5 * 60_000;

/** The types of documents. */
export type DocumentType = 'json' | 'protobuf';

/** The Content-Types of documents by the version of the OpenAPI specification. */
export const documentTypes: Readonly<Record<OpenApiStyle['version'], Readonly<Record<DocumentType, string>>>> = {
  2: { json: 'application/json', protobuf: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf' },
  3: { json: 'application/json', protobuf: 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf' },
};

/** A document of version 3, and the hash of its JSON, which is in its address in the index. */
interface IndexedDocument {
  readonly document: EncodedDocument;
  readonly indexHash: string;
}

/**
 * A kept document, which is current as long as the catalogue has its owner. It does not keep the
 * owner: the group of a removed definition has its compiled schemas and its cache.
 */
interface Entry {
  readonly owner: WeakRef<object>;
  readonly document: Promise<EncodedDocument>;
}

/** The documents of the catalogue, made on first use and dropped when they are unused. */
export class OpenApiDocuments {
  readonly #catalogue: LiveCatalogue;
  readonly #names: OpenApiNames;
  readonly #remotes: Pick<RemoteDocuments, 'version2'>;
  /** One value for all that the whole document depends on. */
  readonly #wholes = memoize((_catalogue: Catalogue) => memoize((_remotes: readonly RemoteDescription[]) => ({})));
  readonly #entries = new IdleCache<string, Entry>(idleMs);
  /** The pieces of the documents of version 2, which describe the whole server. */
  readonly #pieces = new IdleCache<DocumentType, CachedPieces>(idleMs);
  readonly #version3: (catalogue: Catalogue) => ReadonlyMap<string, Version3Document>;
  /** The hashes of documents by owner and path. They outlive the bytes: the index has them all. */
  readonly #hashes = memoize((_owner: object) => new Map<string, Promise<string>>());
  #index: Promise<unknown> = Promise.resolve();

  constructor(catalogue: LiveCatalogue, names: OpenApiNames, remotes: Pick<RemoteDocuments, 'version2'> = noRemotes) {
    this.#remotes = remotes;
    this.#catalogue = catalogue;
    this.#names = names;
    this.#version3 = memoize(
      (current) => new Map(version3Documents(current, names).map((document) => [document.path, document])),
    );
  }

  /** Returns the document of version 2. */
  async version2(type: DocumentType): Promise<EncodedDocument> {
    const { current } = this.#catalogue;
    const remotes = await this.#remotes.version2();
    const owner = this.#wholes(current)(remotes);
    const kept = this.#pieces.get(type, () => new CachedPieces());
    return this.#kept(`v2 ${type}`, owner, () =>
      this.#encode(wholeSource(current, this.#names), 2, type, { remotes, kept }),
    );
  }

  /** Reports whether there is a document of version 3 at a path below `/openapi/v3/`. */
  has(path: string): boolean {
    return this.#version3(this.#catalogue.current).has(path);
  }

  /**
   * Returns the document of version 3 at a path below `/openapi/v3/`; undefined if there is none.
   */
  async version3(path: string, type: DocumentType = 'json'): Promise<IndexedDocument | undefined> {
    const described = this.#version3(this.#catalogue.current).get(path);
    if (!described) return undefined;
    const { owner, source } = described;
    const document = await this.#kept(`v3 ${type} ${path}`, owner, () => this.#encode(source(), 3, type));
    return { document, indexHash: type === 'json' ? document.hash : await this.#hashOf(described) };
  }

  /** Returns a document of version 3 for a server that describes itself in version 2 only. */
  async converted(path: string, description: RemoteDescription, type: DocumentType): Promise<IndexedDocument> {
    const encode = (as: DocumentType) => this.#encodeConverted(description, as);
    const document = await this.#kept(`v3 ${type} ${path}`, description, () => encode(type));
    return { document, indexHash: type === 'json' ? document.hash : await this.convertedHash(path, description) };
  }

  /** Returns the hash of such a document. */
  convertedHash(path: string, description: RemoteDescription): Promise<string> {
    return this.#knownHash(description, path, () => this.#encodeConverted(description, 'json'));
  }

  #encodeConverted(description: RemoteDescription, type: DocumentType): Promise<EncodedDocument> {
    return this.#encode(nothing, 3, type, { remotes: [inVersion3(description)] });
  }

  /** Returns the hashes of all documents of version 3 of this server, by path. */
  index(): Promise<ReadonlyMap<string, string>> {
    const { current } = this.#catalogue;
    // One document at a time, also for several requests: each works for up to a whole turn of the
    // event loop.
    const index = this.#index.then(async () => {
      const hashes = new Map<string, string>();
      for (const [path, document] of this.#version3(current)) hashes.set(path, await this.#hashOf(document));
      return hashes;
    });
    this.#index = index.catch(() => undefined);
    return index;
  }

  #hashOf(document: Version3Document): Promise<string> {
    const { path, owner, source } = document;
    return this.#knownHash(owner, path, () => this.#encode(source(), 3, 'json'));
  }

  #knownHash(owner: object, path: string, encode: () => Promise<EncodedDocument>): Promise<string> {
    const hashes = this.#hashes(owner);
    let hash = hashes.get(path);
    if (!hash) {
      // The bytes are not kept: most clients read few of the documents.
      hash = encode().then((document) => document.hash);
      hashes.set(path, hash);
      hash.catch(() => hashes.delete(path));
    }
    return hash;
  }

  async #encode(
    source: DocumentSource,
    version: OpenApiStyle['version'],
    type: DocumentType,
    options: EncodingOptions = {},
  ): Promise<EncodedDocument> {
    const body = await encodeDocument(source, await formats[version][type](), this.#names, options);
    return encodedYielding(body, documentTypes[version][type]);
  }

  #kept(key: string, owner: object, make: () => Promise<EncodedDocument>): Promise<EncodedDocument> {
    const entry = (): Entry => ({ owner: new WeakRef(owner), document: make() });
    let kept = this.#entries.get(key, entry);
    if (kept.owner.deref() !== owner) {
      this.#entries.delete(key);
      kept = this.#entries.get(key, entry);
    }
    kept.document.catch(() => this.#entries.delete(key));
    return kept.document;
  }
}

/** The source of documents about other servers alone. */
const nothing: DocumentSource = { sections: () => [], kinds: () => [] };

type FormatLoader = () => DocumentFormat | Promise<DocumentFormat>;

/** Protobuf is loaded on demand: few clients ask for it, and it would slow down the start. */
const loadProtobuf2 = lazyModule(() => import('./protobuf-version-2.ts'));
const loadProtobuf3 = lazyModule(() => import('./protobuf-version-3.ts'));

const formats: Readonly<Record<OpenApiStyle['version'], Readonly<Record<DocumentType, FormatLoader>>>> = {
  2: {
    json: () => jsonVersion2,
    protobuf: async () => (await loadProtobuf2()).protobufVersion2,
  },
  3: {
    json: () => jsonVersion3,
    protobuf: async () => (await loadProtobuf3()).protobufVersion3,
  },
};

/** A document of version 3. */
interface Version3Document {
  /** The path of the document below `/openapi/v3/`. */
  readonly path: string;
  /** The document changes only together with this value. */
  readonly owner: object;
  readonly source: () => DocumentSource;
}

/**
 * Returns the documents of version 3: one for each path of discovery, and one for each document
 * outside the API.
 */
function version3Documents(catalogue: Catalogue, names: OpenApiNames): readonly Version3Document[] {
  const common = [
    { path: 'api', owner: names, source: () => pathSource(corePath(names), names) },
    { path: 'apis', owner: names, source: () => pathSource(groupsPath(names), names) },
    { path: 'version', owner: names, source: () => pathSource(serverVersionPath(), names) },
    ...names.documents.map((document) => ({
      path: document.path.slice(1),
      owner: names,
      source: () => pathSource(publishedPath(document), names),
    })),
  ];
  const documents = catalogue.groups.flatMap((group) => groupDocuments(group, catalogue, names));
  return [...common, ...documents].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function groupDocuments(group: GroupInfo, catalogue: Catalogue, names: OpenApiNames): readonly Version3Document[] {
  const root = group.group === '' ? 'api' : `apis/${group.group}`;
  const versions = group.versions.map((version) => ({
    path: `${root}/${version}`,
    owner: group,
    source: () => versionSource({ group, version }, catalogue, names),
  }));
  if (group.group === '' || isCustomGroup(group)) return versions;
  return [{ path: root, owner: group, source: () => pathSource(groupPath(group.group, names), names) }, ...versions];
}
