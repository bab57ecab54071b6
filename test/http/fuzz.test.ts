import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { identifiersOf } from '../../src/identifiers/identifiers.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HostileRequest, hostileRequests } from './hostile-requests.ts';
import { type HttpResponse, request } from './http-client.ts';

/** `FUZZ_SEED` repeats a run; `FUZZ_SECONDS` makes it longer. Without them every run is the same. */
const seed = Number(process.env['FUZZ_SEED'] ?? 20_231_121);
const seconds = Number(process.env['FUZZ_SECONDS'] ?? 6);

/** An answer that takes longer, on the busiest machine, has hung. */
const hangsMs = 120_000;

describe(`hostile requests (FUZZ_SEED=${seed})`, function () {
  this.timeout((seconds + 20) * 1000);
  let server: TestServer;
  before(async () => {
    // Flow control would write the status of a flow schema some time after the request that created it.
    const options = { identifiers: 'kubernetes', priorityAndFairness: false } as const;
    server = await startServer({ ...options, store: 'memory', logLevel: 'silent' });
  });
  after(() => server.stop());

  it('are answered with an object or a Status, and what is refused leaves no trace', async () => {
    let revision = await revisionOf(server);
    const property = fc.asyncProperty(hostileRequests(identifiersOf('kubernetes')), async (sent) => {
      const response = await answered(request(server, sent.method, sent.path, sent.body, sent.headers));
      checkResponse(sent, response);
      checkPrototypes();
      const now = await revisionOf(server);
      // A service's address is taken before its name turns out to be, and given back.
      const reserves = sent.path.includes('/services');
      if (response.status >= 300 && !reserves)
        assert.equal(now, revision, `${response.status}, but something was written`);
      revision = now;
    });
    await fc.assert(property, {
      seed,
      numRuns: seconds * 1000,
      interruptAfterTimeLimit: seconds * 1000,
      markInterruptAsFailure: false,
      endOnFailure: process.env['FUZZ_SECONDS'] === undefined,
    });
  });
});

/** The revision that the store is at: any write moves it. */
async function revisionOf(server: TestServer): Promise<string> {
  const { body } = await request(server, 'GET', '/api/v1/namespaces?limit=1');
  return (body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}

/** What kube-apiserver 1.23 answers 500 to as well: values of a wrong type in an applied configuration. */
const declared500 = /"message": ?"failed to create typed patch object/;

function checkResponse({ method }: HostileRequest, response: HttpResponse): void {
  const said = `${response.status}: ${response.text.slice(0, 400)}`;
  assert.ok(response.status < 500 || declared500.test(response.text), said);
  assert.match(String(response.headers['audit-id']), /./);
  assert.equal(response.headers['cache-control'], 'no-cache, private');
  if (method === 'HEAD') return assert.equal(response.text, '');
  const type = String(response.headers['content-type']);
  if (type.startsWith('application/vnd.kubernetes.protobuf')) {
    return assert.ok(response.text.startsWith('k8s\0') || type.includes('stream'), said);
  }
  if (type.startsWith('application/yaml') || response.headers['content-encoding'] === 'gzip') return;
  // The path is of no resource: a page of its own, as kube-apiserver has it.
  if (response.status === 404 && type.startsWith('text/plain')) return;
  const body = response.body as { kind?: unknown; code?: unknown; status?: unknown; message?: unknown };
  assert.equal(typeof body.kind, 'string', said);
  if (response.status < 300) return;
  assert.equal(body.kind, 'Status', said);
  assert.equal(body.code, response.status, said);
  assert.equal(body.status, 'Failure', said);
  assert.equal(typeof body.message, 'string', said);
  return undefined;
}

const untouched = { object: Reflect.ownKeys(Object.prototype).length, list: Reflect.ownKeys(Array.prototype).length };

function checkPrototypes(): void {
  assert.equal(Reflect.ownKeys(Object.prototype).length, untouched.object, 'Object.prototype was polluted');
  assert.equal(Reflect.ownKeys(Array.prototype).length, untouched.list, 'Array.prototype was polluted');
}

/** Waits for an answer, and fails where there is none, so that the request at fault is shown. */
async function answered(response: Promise<HttpResponse>): Promise<HttpResponse> {
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('there was no answer')), hangsMs);
  });
  try {
    return await Promise.race([response, hung]);
  } finally {
    clearTimeout(timer);
  }
}
