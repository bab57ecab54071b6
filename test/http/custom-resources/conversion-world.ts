import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt, stringAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer, type TestServerOptions } from '../../../src/testing/index.ts';
import { answer, startTlsServer, type TlsServer } from '../../unit/outbound/start-tls-server.ts';

/** A ConversionReview as a webhook gets it. */
export interface SeenConversion {
  readonly url: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly JsonObject[];
  };
  readonly response?: JsonObject;
}

/** Answers a review. */
type ConversionAnswer = (review: SeenConversion, response: ServerResponse) => void | Promise<void>;

/** A server under test with a server that converts gears between v1 (`size`) and v2 (`width`). */
export interface ConversionWorld extends AsyncDisposable {
  readonly server: TestServer;
  readonly hooks: TlsServer;
  /** All reviews, in the order of their arrival. */
  readonly seen: SeenConversion[];
  /** The answer to all reviews from now on; undefined: they are converted. */
  answer: ConversionAnswer | undefined;
}

/** The group of gears. */
export const group = 'conversion.example.com';

/** The path of gears, or of one of them. */
export function gears(version: string, name = ''): string {
  return `/apis/${group}/${version}/namespaces/default/gears${name && `/${name}`}`;
}

/** A gear; `size` is its size or its width. */
export function gear(version: string, name: string, size: number): JsonObject {
  const field = version === 'v1' ? 'size' : 'width';
  return { apiVersion: `${group}/${version}`, kind: 'Gear', metadata: { name }, spec: { [field]: size } };
}

/** Fields of the definition besides its versions. */
interface GearsOptions {
  readonly stored?: string;
  readonly reviews?: readonly string[];
  readonly client?: JsonObject;
}

/** A definition of gears in two versions whose objects the server of webhooks converts. */
export function gearsDefinition({ settings }: TlsServer, options: GearsOptions = {}): JsonObject {
  const { stored = 'v1', reviews = ['v1', 'v1beta1'], client } = options;
  const caBundle = Buffer.from(settings.ca ?? '').toString('base64');
  const clientConfig = { ...(client ?? { url: `${settings.server}/convert` }), caBundle };
  return {
    metadata: { name: `gears.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'gears', kind: 'Gear' },
      versions: [gearVersion('v1', 'size', stored === 'v1'), gearVersion('v2', 'width', stored === 'v2')],
      conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: [...reviews], clientConfig } },
    },
  };
}

function gearVersion(name: string, field: string, storage: boolean): JsonObject {
  const spec: JsonObject = {
    type: 'object',
    properties: {
      [field]: { type: 'integer', maximum: name === 'v1' ? 5 : 100 },
      color: { type: 'string', default: name },
      hue: { type: 'string' },
    },
  };
  const status: JsonObject = { type: 'object', properties: { ready: { type: 'integer' } } };
  return {
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
    subresources: { status: {}, scale: { specReplicasPath: `.spec.${field}`, statusReplicasPath: '.status.ready' } },
    additionalPrinterColumns: [{ name: field, type: 'integer', jsonPath: `.spec.${field}` }],
  };
}

/** Starts both servers; gears are not defined yet. */
export async function startConversionWorld(options: TestServerOptions = {}): Promise<ConversionWorld> {
  const hooks = await startTlsServer('gears.default.svc');
  const server = await startServer({ store: 'memory', ...options });
  const world: ConversionWorld = {
    server,
    hooks,
    seen: [],
    answer: undefined,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await hooks.stop();
    },
  };
  hooks.handle = (asked, response) => {
    // The body is a review of the server under test.
    const review = { ...(JSON.parse(asked.body) as Omit<SeenConversion, 'url'>), url: asked.url };
    world.seen.push(review);
    return (world.answer ?? respondConverted(convertGear))(review, response);
  };
  return world;
}

/** Answers with objects that are made from those of the review. */
export function respondConverted(convert: (object: JsonObject, apiVersion: string) => JsonObject): ConversionAnswer {
  return (review, response) => {
    const { desiredAPIVersion, objects } = review.request;
    respond(review, response, { convertedObjects: objects.map((object) => convert(object, desiredAPIVersion)) });
  };
}

/** Answers with fields of the response besides the uid and success. */
export function respond({ kind, apiVersion, request }: SeenConversion, response: ServerResponse, fields: object): void {
  const result = { status: 'Success' };
  answer(response, 200, { kind, apiVersion, response: { uid: request.uid, result, ...fields } });
}

/** Renames the field; a field that no schema knows is added. */
export function convertGear(object: JsonObject, apiVersion: string): JsonObject {
  const { size, width, ...rest } = objectAt(object, 'spec');
  const field = apiVersion.endsWith('/v1') ? 'size' : 'width';
  const value = size ?? width;
  const { labels = {}, ...metadata } = objectAt(object, 'metadata');
  const from = stringAt(object, 'apiVersion').replace(/.*\//, '');
  return {
    ...object,
    apiVersion,
    metadata: { ...metadata, labels: { ...(labels as JsonObject), from } },
    spec: { ...rest, ...(value === undefined ? {} : { [field]: value }), unknown: 1 },
  };
}
