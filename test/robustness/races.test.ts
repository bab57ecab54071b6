import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type ApiResponse, ApiClient } from './api-client.ts';
import type { Finding } from './history.ts';
import { randomFrom } from './random.ts';
import { type RacedObject, racePath } from './races/race.ts';
import { startRaces } from './races/start-races.ts';
import { until } from '../http/until.ts';
import { createNamespace } from './run-scenario.ts';

type Send = ApiClient['send'];
type Request = Parameters<Send>;

/** A client that is told what a server with a bug would tell. */
class DeceivedClient extends ApiClient {
  deceive: (send: Send, request: Request) => Promise<ApiResponse> = (send, request) => send(...request);

  /** Requests that have been answered. */
  answered = 0;

  override async send(...request: Request): Promise<ApiResponse> {
    const response = await this.#deceived(request);
    this.answered++;
    return response;
  }

  #deceived(request: Request): Promise<ApiResponse> {
    return this.deceive((...sent) => super.send(...sent), request);
  }
}

/** A bug, and the promise that it breaks. */
interface Bug {
  readonly name: string;
  readonly promise: string;
  readonly deceive: DeceivedClient['deceive'];
}

const bodyOf = (response: ApiResponse): RacedObject => response.body as RacedObject;

/** Of an object, without the version under which it was read. */
function unconditional([method, path, body, type]: Request): Request {
  const { metadata, ...rest } = body as { readonly metadata: object };
  return [method, path, { ...rest, metadata: { ...metadata, resourceVersion: undefined } }, type];
}

/** Waits until an object is there and is so. Returns false if that does not come, for its writer may have failed. */
async function isThere(
  send: Send,
  path: string,
  isSo: (metadata: RacedObject['metadata']) => boolean,
): Promise<boolean> {
  for (let tries = 0; tries < 200; tries++) {
    const response = await send('GET', path);
    if (response.status === 200 && isSo(bodyOf(response).metadata)) return true;
    await sleep(20);
  }
  return false;
}

/** Objects that a deletion took in place of the ones that it names. */
const harmed = new Set<string>();

const bugs: readonly Bug[] = [
  {
    name: 'acknowledges every other update and forgets it',
    promise: 'P2',
    deceive: async (send, request) => {
      const [method, path] = request;
      const forgets = method === 'PUT' && Math.random() < 0.5;
      return forgets ? await send('GET', path) : await send(...request);
    },
  },
  {
    name: 'takes a merge patch for one without a version',
    promise: 'P2',
    deceive: async (send, request) => {
      const [method, path, , type] = request;
      if (method !== 'PATCH' || type !== 'application/merge-patch+json' || !path.includes('count-by')) {
        return send(...request);
      }
      await sleep(300);
      return await send(...unconditional(request));
    },
  },
  {
    name: 'creates what is there already',
    promise: 'P3',
    deceive: async (send, request) => {
      const response = await send(...request);
      const isRefusal = request[0] === 'POST' && request[1] === racePath && response.status === 409;
      return isRefusal ? { ...response, status: 201, body: { metadata: { uid: 'another' } } } : response;
    },
  },
  {
    name: 'does not look at the uid of a deletion',
    promise: 'P4',
    deceive: async (send, request) => {
      const [method, path, body] = request;
      if (method !== 'DELETE' || body === undefined || harmed.has(path)) return send(...request);
      const { uid } = (body as { readonly preconditions: { readonly uid: string } }).preconditions;
      const isSuccessor = await isThere(send, path, (metadata) => metadata.uid !== uid || harmed.has(path));
      if (!isSuccessor || harmed.has(path)) return send(...request);
      harmed.add(path);
      return await send('DELETE', path);
    },
  },
  {
    name: 'deletes in spite of a finalizer',
    promise: 'P4',
    deceive: async (send, request) => {
      const [method, path, body, ...rest] = request;
      const isFinalized = JSON.stringify(body ?? '').includes('example.com/stay');
      if (method !== 'POST' || !isFinalized) return send(...request);
      const { name } = (body as RacedObject).metadata;
      return await send(method, path, { ...(body as object), metadata: { name } }, ...rest);
    },
  },
  {
    name: 'writes when an apply changes nothing',
    promise: 'P24',
    deceive: async (send, request) => {
      const response = await send(...request);
      const isRepeated = request[1].includes('/only-of-') && response.status === 200;
      if (!isRepeated) return response;
      const { metadata } = bodyOf(response);
      return { ...response, body: { metadata: { ...metadata, resourceVersion: `${metadata.resourceVersion}1` } } };
    },
  },
];

/** The races last until so many requests were answered: each race has had several turns. */
const racingRequests = 150;

describe('The races of writers', function () {
  let server: TestServer;
  beforeEach(async () => {
    server = await startServer();
  });
  afterEach(() => server.stop());

  async function findingsOf(deceive?: DeceivedClient['deceive']): Promise<readonly Finding[]> {
    const client = new DeceivedClient(server);
    try {
      await createNamespace(client, 'other');
      if (deceive) client.deceive = deceive;
      const races = startRaces([client], randomFrom(3));
      await until('the races', () => client.answered >= racingRequests);
      await races.stop();
      return await races.verify();
    } finally {
      await client.close();
    }
  }

  it('find nothing on a server that keeps its promises', async () => {
    assert.deepEqual(await findingsOf(), []);
  });

  for (const { name, promise, deceive } of bugs) {
    it(`catch a server that ${name}`, async () => {
      const findings = await findingsOf(deceive);
      const caught = findings.some((finding) => finding.promise === promise);
      assert.ok(caught, JSON.stringify(findings.slice(0, 5)));
    });
  }
});
