import assert from 'node:assert/strict';
import { nextTurn } from '../../../src/async/yield-if-long.ts';
import { evaluators } from '../../../src/admission/plugins/resource-quota/evaluators.ts';
import { type QuotaLimits, readQuota } from '../../../src/admission/plugins/resource-quota/quota-limits.ts';
import { quotaLedger } from '../../../src/admission/plugins/resource-quota/quota-ledger.ts';
import { type QuotaRequest, quotaRequest } from '../../../src/admission/plugins/resource-quota/quota-request.ts';
import type { ResourceQuota } from '../../../src/gen/stored/core-v1.ts';
import { conflict } from '../../../src/status/status-error.ts';
import { identifiers, writeOf } from './attributes.ts';

const counted = 'count/configmaps';
const evaluator = evaluators(identifiers)('', 'configmaps') ?? assert.fail('no evaluator');

/** Quotas that count ConfigMaps, as one server sees them while others write too. */
class SharedQuotas {
  readonly #quotas = new Map<string, ResourceQuota>();
  /** How many writes reached the quotas, lost ones included. */
  writes = 0;
  /** Called before each of these writes, as a place for those of another server. */
  beforeWrite: (name: string) => void = () => {};

  set(name: string, used: number, hard: number): void {
    const resourceVersion = String(Number(this.#versionOf(name)) + 1);
    this.#quotas.set(name, {
      metadata: { name, uid: name, resourceVersion, creationTimestamp: null },
      spec: {},
      status: { hard: { [counted]: String(hard) }, used: { [counted]: String(used) } },
    });
  }

  used(name: string): string {
    return this.#quotas.get(name)?.status.used?.[counted] ?? '';
  }

  /** The ledger of a server; its cache shows the quotas as they are now until it reads them again. */
  ledger(): (request: QuotaRequest) => Promise<void> {
    const cached = this.#known();
    return quotaLedger({
      list: (_, latest) => (latest ? this.#known() : cached),
      write: async ({ quota }) => this.#write(quota),
      limited: [],
    });
  }

  #known(): readonly QuotaLimits[] {
    return [...this.#quotas.values()].map(readQuota);
  }

  #versionOf(name: string): string {
    return this.#quotas.get(name)?.metadata.resourceVersion ?? '0';
  }

  #write({ metadata: { name = '', resourceVersion }, status }: ResourceQuota): ResourceQuota {
    this.writes++;
    this.beforeWrite(name);
    if (resourceVersion !== this.#versionOf(name))
      throw conflict({ group: '', resource: 'resourcequotas' }, name, 'changed');
    this.set(name, Number(status.used?.[counted]), Number(status.hard?.[counted]));
    return this.#quotas.get(name) ?? assert.fail('not set');
  }
}

function newObject(rest: Parameters<typeof writeOf>[2] = {}): QuotaRequest {
  return quotaRequest(
    writeOf('configmaps.', { metadata: { name: 'c' } }, rest),
    { metadata: { name: 'c' } },
    evaluator,
  );
}

describe('the ledger of quotas', () => {
  it('charges the writes that wait for each other together', async () => {
    const quotas = new SharedQuotas();
    quotas.set('a', 0, 100);
    const charge = quotas.ledger();
    await Promise.all(Array.from({ length: 64 }, () => charge(newObject())));
    assert.equal(quotas.used('a'), '64');
    assert.equal(quotas.writes, 1);
  });

  it('waits for writes while turns of the event loop bring some, but not for ever', async () => {
    const quotas = new SharedQuotas();
    quotas.set('a', 0, 100);
    const charge = quotas.ledger();
    const charged: Promise<void>[] = [];
    for (let turn = 0; turn < 40; turn++) {
      charged.push(charge(newObject()));
      await nextTurn();
    }
    await Promise.all(charged);
    assert.equal(quotas.used('a'), '40');
    // Eight turns a batch, and those in which the next one begins.
    assert.ok(quotas.writes > 3 && quotas.writes < 9, `${quotas.writes} writes`);
  });

  it('charges more writes than a batch has in several batches', async () => {
    const quotas = new SharedQuotas();
    quotas.set('a', 0, 200);
    const charge = quotas.ledger();
    const outcomes = await Promise.allSettled(Array.from({ length: 300 }, () => charge(newObject())));
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 200);
    assert.equal(quotas.used('a'), '200');
    assert.equal(quotas.writes, 2);
  });

  it('takes back the charge of one quota if another one turns out to refuse the write', async () => {
    const quotas = new SharedQuotas();
    quotas.set('a', 0, 5);
    quotas.set('b', 0, 5);
    const charge = quotas.ledger();
    quotas.set('b', 5, 5);
    await assert.rejects(
      charge(newObject()),
      /exceeded quota: b, requested: count\/configmaps=1, used: count\/configmaps=5/,
    );
    assert.deepEqual([quotas.used('a'), quotas.used('b')], ['0', '5']);
  });

  it('charges a quota once, however often the write conflicts elsewhere', async () => {
    const quotas = new SharedQuotas();
    quotas.set('a', 0, 5);
    quotas.set('b', 0, 5);
    const charge = quotas.ledger();
    quotas.set('b', 3, 5);
    await charge(newObject());
    assert.deepEqual([quotas.used('a'), quotas.used('b')], ['1', '4']);
  });

  it('takes back a charge once, however often the write conflicts elsewhere', async () => {
    const quotas = new SharedQuotas();
    quotas.set('a', 3, 5);
    quotas.set('b', 0, 5);
    quotas.set('c', 3, 5);
    const charge = quotas.ledger();
    quotas.set('b', 5, 5);
    quotas.beforeWrite = (name) => {
      // The first charge of c is taken back while another server charges c.
      if (name === 'c' && quotas.used('c') === '4') quotas.set('c', 5, 5);
    };
    await assert.rejects(charge(newObject()), /exceeded quota: b/);
    assert.deepEqual([quotas.used('a'), quotas.used('c')], ['3', '4']);
  });

  it('refuses nothing on the word of a stale cache', async () => {
    const quotas = new SharedQuotas();
    quotas.set('a', 5, 5);
    const charge = quotas.ledger();
    quotas.set('a', 4, 5);
    await charge(newObject());
    assert.equal(quotas.used('a'), '5');
  });

  it('does not charge for a caller that has gone', async () => {
    const quotas = new SharedQuotas();
    quotas.set('a', 0, 5);
    const gone = newObject({ signal: AbortSignal.abort(new Error('gone')) });
    const charge = quotas.ledger();
    await assert.rejects(charge(gone), /gone/);
    assert.equal(quotas.used('a'), '0');
    const [refused] = await Promise.allSettled([charge(gone), charge(newObject())]);
    assert.match(String(refused.status === 'rejected' && refused.reason), /gone/);
    assert.equal(quotas.used('a'), '1');
  });

  it('reports other errors to all writes of the batch', async () => {
    const list = () => {
      throw new Error('no store');
    };
    const charge = quotaLedger({ list, write: () => assert.fail('written'), limited: [] });
    await assert.rejects(charge(newObject()), /no store/);
  });
});
