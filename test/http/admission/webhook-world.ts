import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { startServer, type TestServer, type TestServerOptions } from '../../../src/testing/index.ts';
import { answer, startTlsServer, type TlsServer } from '../../unit/outbound/start-tls-server.ts';
import { request } from '../http-client.ts';

/** The group of webhook configurations and reviews of a test server. */
const configurations = '/apis/admissionregistration.cl.io/v1';

/** The request in a review. */
export interface ReviewRequest {
  readonly uid: string;
  readonly operation: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly subResource?: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly requestKind: ReviewRequest['kind'];
  readonly requestResource: ReviewRequest['resource'];
  readonly object: ReviewedObject | null;
  readonly oldObject: ReviewedObject | null;
  readonly options: Readonly<Record<string, unknown>> | null;
  readonly dryRun: boolean;
  readonly userInfo: Readonly<Record<string, unknown>>;
}

/** An object in a review. */
export interface ReviewedObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: {
    readonly name?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** A review as a webhook gets it. */
export interface SeenReview {
  readonly path: string;
  readonly apiVersion: string;
  readonly request: ReviewRequest;
}

/** Answers the reviews at a path. */
type ReviewAnswer = (review: SeenReview, response: ServerResponse) => void | Promise<void>;

/** A server under test with a server of webhooks. */
export interface WebhookWorld extends AsyncDisposable {
  readonly server: TestServer;
  readonly hooks: TlsServer;
  /** All reviews, in the order of their arrival. */
  readonly seen: SeenReview[];
  /** Sets the answer of a path; all others allow. */
  at(path: string, answer: ReviewAnswer): void;
  /** Creates a configuration whose webhooks are called at `/<name of the webhook>`, and waits until it takes effect. */
  configure(kind: 'mutating' | 'validating', name: string, ...webhooks: readonly WebhookFields[]): Promise<void>;
}

/** Fields of a webhook; the others match all writes of ConfigMaps. */
export interface WebhookFields extends Readonly<Record<string, unknown>> {
  readonly name: string;
}

/** Answers with fields of the response besides the uid. */
export function respond(fields: object): ReviewAnswer {
  return ({ apiVersion, request: { uid } }, response) =>
    answer(response, 200, { kind: 'AdmissionReview', apiVersion, response: { uid, allowed: true, ...fields } });
}

/** Answers with a patch. */
export function patchWith(...operations: readonly object[]): ReviewAnswer {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return respond({ patchType: 'JSONPatch', patch });
}

const allow = respond({});

/** A rule that matches all operations on resources of a group. */
export function rule(group: string, ...resources: readonly string[]): object {
  return { operations: ['*'], apiGroups: [group], apiVersions: ['*'], resources };
}

/** Options of the server under test. */
interface WorldOptions extends TestServerOptions {
  /** Names of the server of webhooks besides its address. */
  readonly names?: readonly string[];
  /** A server that has been started, in place of another. */
  readonly server?: TestServer;
}

/** Starts both servers. */
export async function startWebhookWorld({ names = [], ...options }: WorldOptions = {}): Promise<WebhookWorld> {
  const hooks = await startTlsServer(...names);
  const server = options.server ?? (await startServer({ store: 'memory', ...options }));
  const answers = new Map<string, ReviewAnswer>();
  const seen: SeenReview[] = [];
  hooks.handle = (asked, response) => {
    // The body is a review of the server under test.
    const body = JSON.parse(asked.body) as Omit<SeenReview, 'path'>;
    const review = { ...body, path: asked.url.replace(/\?.*/, '') };
    seen.push(review);
    return (answers.get(review.path) ?? allow)(review, response);
  };
  return {
    server,
    hooks,
    seen,
    at: (path, given) => void answers.set(path, given),
    async configure(kind, name, ...webhooks) {
      const resource = `${configurations}/${kind}webhookconfigurations`;
      const body = { metadata: { name }, webhooks: webhooks.map((fields) => webhookOf(hooks, fields)) };
      const created = await request(server, 'POST', resource, body);
      assert.equal(created.status, 201, created.text);
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await hooks.stop();
    },
  };
}

function webhookOf(hooks: TlsServer, { name, ...fields }: WebhookFields): object {
  const { server, ca = '' } = hooks.settings;
  return {
    name: `${name}.example.com`,
    rules: [rule('', 'configmaps')],
    clientConfig: { url: `${server}/${name}`, caBundle: Buffer.from(ca).toString('base64') },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...fields,
  };
}
