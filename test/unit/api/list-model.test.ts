import assert from 'node:assert/strict';
import net from 'node:net';
import { type Fixture, startFixture } from './fixture.ts';
import { type ListClient, openListClients } from './list-clients.ts';
import { type Form, forms, seeded, type Selection, selections, storedItems } from './list-model.ts';

/**
 * LIST_MODEL_STEPS: reads of each client; more find more. LIST_MODEL_SEED: what a failure says, to
 * see it again.
 */
const steps = Number(process.env['LIST_MODEL_STEPS'] ?? 20);
const firstSeed = Number(process.env['LIST_MODEL_SEED'] ?? Date.now() % 1_000_000);
const namespaces = ['', 'ns', 'other'];
const names = Array.from({ length: 150 }, (_, index) => `m${String(index).padStart(3, '0')}`);
type Random = ReturnType<typeof seeded>;

const collection = (namespace: string): string =>
  namespace === '' ? '/api/v1/configmaps' : `/api/v1/namespaces/${namespace}/configmaps`;

function pick<T>(random: Random, values: readonly T[]): T {
  const value = values[random(values.length)];
  assert.ok(value !== undefined);
  return value;
}

/**
 * An object of 300 bytes up to 12 KB: runs of selected ones are often longer than 64 KB, and than
 * 512 KB.
 */
function someObject(random: Random, name: string): object {
  const labels = { tier: pick(random, ['a', 'b', 'c', 'c', 'c']), ...(random(30) === 0 ? { canary: 'yes' } : {}) };
  return { metadata: { name, labels }, data: { text: pick(random, ['x', 'é', '"', 'a\n']).repeat(random(6_000)) } };
}

async function writeOne(server: Fixture, random: Random): Promise<void> {
  const path = collection(pick(random, ['ns', 'ns', 'other']));
  const name = pick(random, names);
  const body = someObject(random, name);
  const response =
    random(4) === 0
      ? await server.send({ method: 'DELETE', path: `${path}/${name}` })
      : await server.send({ method: 'PUT', path: `${path}/${name}`, body });
  // What is not there cannot be replaced.
  const status = response.status === 404 ? (await server.send({ method: 'POST', path, body })).status : response.status;
  assert.ok([200, 201, 409].includes(status), `${status}`);
}

interface ListResponse {
  readonly text: string;
  readonly head: string;
  readonly revision: number;
  readonly next: string;
}

/** Reads a list in plain JSON, and where it stands. */
async function readPlain(client: ListClient, path: string, query: readonly string[]): Promise<ListResponse> {
  const text = (await client.read(`${path}?${query.filter(Boolean).join('&')}`)).toString();
  const head = text.slice(0, text.indexOf('"items":['));
  const { metadata } = JSON.parse(text) as { metadata: { resourceVersion: string; continue?: string } };
  return { text, head, revision: Number(metadata.resourceVersion), next: metadata.continue ?? '' };
}

class Readers {
  readonly #server: Fixture;
  /** Revisions that were seen, for exact reads of the past. */
  readonly #seen: number[] = [];

  constructor(server: Fixture) {
    this.#server = server;
  }

  async step(client: ListClient, random: Random): Promise<void> {
    const namespace = pick(random, namespaces);
    const selection = pick(random, [...selections, ...selections.slice(0, 3)]);
    const kind = random(10);
    if (kind === 0) return this.#abandon(collection(namespace), selection, random);
    if (kind <= 2) return this.#pages(client, namespace, selection, 1 + random(120));
    const past = this.#seen.length > 0 && kind === 3 ? pick(random, this.#seen) : undefined;
    const at = past === undefined ? pick(random, ['', 'resourceVersion=0']) : `${exact}&resourceVersion=${past}`;
    if (kind <= 7) return this.#whole(client, namespace, selection, at);
    return this.#formed(client, namespace, selection, pick(random, forms), random);
  }

  async #whole(client: ListClient, namespace: string, selection: Selection, at: string): Promise<void> {
    const { text, head, revision } = await readPlain(client, collection(namespace), [selection.query, at]);
    this.#seen.push(revision);
    const items = await storedItems(this.#server.store, revision, namespace, selection);
    forms[0]?.check(text, `${head}"items":[${items.join(',')}]}`);
  }

  async #pages(client: ListClient, namespace: string, selection: Selection, limit: number): Promise<void> {
    const path = collection(namespace);
    const first = await readPlain(client, path, [selection.query, `limit=${limit}`]);
    const wanted = await storedItems(this.#server.store, first.revision, namespace, selection);
    for (let page = first, from = 0; ; from += limit) {
      assert.equal(page.revision, first.revision);
      const items = wanted.slice(from, from + limit);
      forms[0]?.check(page.text, `${page.head}"items":[${items.join(',')}]}`);
      if (page.next === '') return assert.ok(from + limit >= wanted.length, 'no page is missing');
      const token = `continue=${encodeURIComponent(page.next)}`;
      page = await readPlain(client, path, [selection.query, `limit=${limit}`, token]);
    }
  }

  /**
   * Two forms of one revision: what is plain is compared with the store, and the other with what is
   * plain.
   */
  async #formed(
    client: ListClient,
    namespace: string,
    selection: Selection,
    form: Form,
    random: Random,
  ): Promise<void> {
    // YAML takes half a second a megabyte.
    const limit = form.name === 'YAML' ? `limit=${1 + random(20)}` : '';
    const plain = await readPlain(client, collection(namespace), [selection.query, limit]);
    const all = await storedItems(this.#server.store, plain.revision, namespace, selection);
    const items = limit ? all.slice(0, Number(limit.slice('limit='.length))) : all;
    const list = `${plain.head}"items":[${items.join(',')}]}`;
    forms[0]?.check(plain.text, list);
    const query = [selection.query, limit, form.query, `${exact}&resourceVersion=${plain.revision}`];
    const path = `${collection(namespace)}?${query.filter(Boolean).join('&')}`;
    form.check((await client.read(path, { accept: form.accept })).toString(), list);
  }

  /** Goes away in the midst of an answer. */
  #abandon(path: string, { query }: Selection, random: Random): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = net.connect(this.#server.port, '127.0.0.1');
      const pretty = random(2) === 0 ? '&pretty=1' : '';
      socket.on('error', reject);
      socket.once('data', () => {
        socket.destroy();
        resolve();
      });
      socket.write(`GET ${path}?${query}${pretty} HTTP/1.1\r\nHost: a\r\n\r\n`);
    });
  }
}

const exact = 'resourceVersionMatch=Exact';

/** Writes until the readers are done. */
async function writeAll(server: Fixture, seed: number, done: AbortSignal): Promise<void> {
  const random = seeded(seed);
  while (!done.aborted) {
    await writeOne(server, random);
    // Now and then nothing is written for a while, so that what was joined is found again.
    if (random(8) === 0) await new Promise((resolve) => setTimeout(resolve, random(120)));
  }
}

async function readAll(readers: Readers, client: ListClient, seed: number): Promise<void> {
  const random = seeded(seed);
  for (let step = 0; step < steps; step++) await readers.step(client, random);
}

describe('lists of any selection, in any form, over any protocol', function () {
  this.timeout(60_000 + steps * 5_000);

  it(`are what the store has at their revision, while others write (seed ${firstSeed})`, async () => {
    await using server = await startFixture();
    // Fills the cache: what comes later is brought together by the lists.
    await server.send({ path: collection('') });
    const random = seeded(firstSeed);
    for (const name of names) {
      await server.send({ method: 'POST', path: collection('ns'), body: someObject(random, name) });
    }
    const readers = new Readers(server);
    const clients = [...(await openListClients(server)), ...(await openListClients(server))];
    const done = new AbortController();
    const writing = writeAll(server, firstSeed + 1, done.signal);
    try {
      await Promise.all(clients.map((client, index) => readAll(readers, client, firstSeed + 2 + index)));
    } finally {
      done.abort();
      await writing;
      for (const client of clients) await client[Symbol.asyncDispose]();
    }
    assert.deepEqual(
      server.logged.filter(([level]) => level === 'error'),
      [],
    );
  });
});
