import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Codec } from '../../codec/codec.ts';
import { documentOfJson } from '../../codec/document.ts';
import { memoize } from '../../meta/memoize.ts';
import type { Catalogue } from '../../registry/definition/catalogue.ts';
import type { ConnectDefinition } from '../../registry/definition/connect-definition.ts';
import type { LiveCatalogue } from '../../registry/definition/live-catalogue.ts';
import { methodNotAllowed, notServed } from '../../status/status-error.ts';
import type { Exchange } from '../request/exchange.ts';
import { sendNoSuchPage } from '../respond/answer-error.ts';
import { parseAccept } from '../../http-protocol/messages/parse-accept.ts';
import { plainRepresentationOf } from '../respond/representation.ts';
import { respondDocument } from '../respond/respond-object.ts';
import { sendBytes, sendAsItIs } from '../../http-protocol/responses/send-bytes.ts';
import { type AggregatedVersion, aggregatedGroup, aggregatedKind, aggregatedVersions } from './aggregated-discovery.ts';
import { cataloguedGroups, type DiscoveredGroup, type RemoteResources } from './discovered-groups.ts';
import { type DiscoveryDocument, discoveryDocuments, type MergeGroups } from './discovery-documents.ts';
import type { Formats } from '../request/formats.ts';
import { isSince } from '../../scheme/api-release.ts';

type Handler = (exchange: Exchange) => Promise<void> | void;

/**
 * The handlers of discovery. As in kube-apiserver, the documents of groups are answered to every
 * method, the others only to GET.
 */
export interface Discovery {
  /** `/api` */
  readonly core: Handler;
  /** `/apis` */
  readonly groups: Handler;
  /** `/apis/{group}` */
  readonly group: Handler;
  /** `/api/{version}` and `/apis/{group}/{version}` */
  readonly resources: Handler;
}

/** The inputs of discovery besides the catalogue. */
interface DiscoveryOptions {
  readonly groupsOf?: (catalogue: Catalogue) => readonly DiscoveredGroup[];
  readonly remotes?: RemoteResources;
  /** The supported versions of the aggregated document; absent: all. */
  readonly versions?: readonly AggregatedVersion[];
  /** The formats of the documents. */
  readonly formats: Formats;
  /** The emulated release. */
  readonly release: string;
  /** Returns the merge of peers' groups, for v2; absent: discovery shows no peers. */
  readonly peers?: () => MergeGroups;
}

/**
 * Creates the handlers of discovery. The documents are created once for each state of the
 * catalogue.
 */
export function handleDiscovery(
  catalogue: LiveCatalogue,
  identifiers: Identifiers,
  connects: readonly ConnectDefinition[],
  options: DiscoveryOptions,
): Discovery {
  const { groupsOf = cataloguedGroups, remotes = noRemotes, versions = aggregatedVersions, formats, release } = options;
  const writesNoCreation = !isSince(release, '1.34');
  const documentsBy = memoize((groups: readonly DiscoveredGroup[]) =>
    memoize((known: RemoteResources['current']) =>
      memoize((current: Catalogue) =>
        discoveryDocuments(current, { identifiers, connects, groups, remotes: known, writesNoCreation }),
      ),
    ),
  );
  const documentsOf = (current: Catalogue) => documentsBy(groupsOf(current))(remotes.current)(current);
  const aggregated = (exchange: Exchange, core: boolean): DiscoveryDocument | undefined => {
    const wanted = aggregatedOf(exchange, { identifiers, versions, formats });
    if (!wanted) return undefined;
    const { version, codec, profile } = wanted;
    const merge = core || version !== 'v2' || profile === 'nopeer' ? undefined : options.peers?.();
    return documentsOf(catalogue.current).aggregated(version, core, merge).in(codec);
  };
  const inFormats =
    (handler: Handler): Handler =>
    (exchange) => {
      exchange.formats = formats;
      return handler(exchange);
    };
  return {
    core: inFormats((exchange) => {
      requireGet(exchange);
      const document = aggregated(exchange, true);
      return document
        ? sendTagged(exchange, document)
        : sendDocument(exchange, apiVersions(exchange, documentsOf(catalogue.current)));
    }),
    groups: inFormats((exchange) => {
      const document = aggregated(exchange, false);
      return document
        ? sendTagged(exchange, document)
        : sendDocument(exchange, documentsOf(catalogue.current).groupList().body);
    }),
    group: inFormats((exchange) => {
      const [, , name = ''] = exchange.path.decoded.split('/');
      const document = documentsOf(catalogue.current).group(name);
      return document ? sendDocument(exchange, document.body) : sendNoSuchPage(exchange);
    }),
    resources: inFormats((exchange) => {
      const [, root, ...rest] = exchange.path.decoded.split('/');
      const [group = '', version = ''] = root === 'api' ? ['', rest[0]] : rest;
      const documents = documentsOf(catalogue.current);
      const document = documents.resources(group, version);
      if (document) return sendToGet(exchange, document.body);
      if (group && !documents.group(group)) return sendNoSuchPage(exchange);
      throw notServed();
    }),
  };
}

const noRemotes: RemoteResources = Object.freeze({ current: new Map() });

/** The requested form of the aggregated document. */
interface AggregatedForm {
  readonly version: AggregatedVersion;
  readonly codec: Codec;
  /** The profile, such as `nopeer`; '' if there is none. */
  readonly profile: string;
}

type AggregatedForms = Pick<DiscoveryOptions, 'formats'> & {
  readonly identifiers: Identifiers;
  readonly versions: readonly AggregatedVersion[];
};

/**
 * Returns the aggregated form that the client prefers; undefined if it prefers a plain document.
 */
function aggregatedOf(
  { request }: Exchange,
  { identifiers, versions, formats }: AggregatedForms,
): AggregatedForm | undefined {
  const { accept } = request.headers;
  if (!accept?.includes(aggregatedKind)) return undefined;
  const group = aggregatedGroup(identifiers);
  for (const range of parseAccept(accept)) {
    const { parameters } = range;
    const codec = formats.find(range);
    if (!codec) continue;
    const as = parameters.get('as');
    if (as === undefined) return undefined;
    if (as !== aggregatedKind || parameters.get('g') !== group) continue;
    const version = versions.find((known) => known === parameters.get('v'));
    if (version) return { version, codec, profile: parameters.get('profile') ?? '' };
  }
  return undefined;
}

/**
 * Returns the document of `/api`, which includes the address of the server: the local address of
 * this request.
 */
function apiVersions({ request }: Exchange, { coreVersions }: { readonly coreVersions: readonly string[] }): Buffer {
  const { localAddress = '', localPort = 0 } = request.socket ?? {};
  const serverAddress = `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
  return Buffer.from(
    JSON.stringify({
      kind: 'APIVersions',
      versions: coreVersions,
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
    }),
  );
}

function sendToGet(exchange: Exchange, json: Buffer): Promise<void> | void {
  requireGet(exchange);
  return sendDocument(exchange, json);
}

function sendDocument(exchange: Exchange, json: Buffer): Promise<void> | void {
  exchange.audit?.responseObject(() => json);
  return respondDocument(exchange, plainRepresentationOf(exchange), 200, documentOfJson(json));
}

const noBody = Buffer.alloc(0);

function sendTagged(exchange: Exchange, { body, contentType, etag = '' }: DiscoveryDocument): Promise<void> | void {
  const headers = { ETag: etag, Vary: 'Accept' };
  const cacheControl = 'public';
  if (exchange.request.headers['if-none-match'] === etag) {
    return sendAsItIs(exchange, { status: 304, contentType, body: noBody, headers, cacheControl });
  }
  return sendBytes(exchange, { status: 200, contentType, body, headers, cacheControl });
}

function requireGet({ request }: Exchange): void {
  if (request.method !== 'GET') throw methodNotAllowed();
}
