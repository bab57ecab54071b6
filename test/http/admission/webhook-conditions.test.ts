import assert from 'node:assert/strict';
import { longestBlockMs, measureBlocks } from '../../robustness/large-bodies/loop-blocks.ts';
import { request } from '../http-client.ts';
import { messageOf, writeMap } from './policy-world.ts';
import { startWebhookWorld, type WebhookWorld } from './webhook-world.ts';

describe('the match conditions of a webhook', () => {
  let world: WebhookWorld;
  before(async () => {
    world = await startWebhookWorld({ emulatedRelease: '1.36' });
  });
  after(() => world[Symbol.asyncDispose]());

  const condition = (name: string, expression: string): object => ({ name, expression });
  const mine = (name: string): object => condition('mine', `object.metadata.name.startsWith("${name}")`);

  it('decide whether it is called', async () => {
    const matchConditions = [
      mine('called'),
      condition('wanted', 'object.data.call == "yes" && request.operation == "CREATE"'),
    ];
    await world.configure('validating', 'called', { name: 'called', matchConditions });
    await world.configure('mutating', 'called', { name: 'called-too', matchConditions });
    assert.equal((await writeMap(world.server, 'called-1', { call: 'no' })).status, 201);
    assert.deepEqual(world.seen, []);
    assert.equal((await writeMap(world.server, 'called-2', { call: 'yes' })).status, 201);
    assert.deepEqual(
      world.seen.splice(0).map(({ path }) => path),
      ['/called-too', '/called'],
    );
  });

  it('refuse the request or leave the webhook out when they fail, by its failure policy', async () => {
    const matchConditions = [mine('failing'), condition('broken', 'object.data.missing == ""')];
    await world.configure('validating', 'closed', { name: 'closed', matchConditions });
    const refused = await writeMap(world.server, 'failing-1', { a: '' });
    assert.equal(refused.status, 403);
    assert.match(
      messageOf(refused),
      /is forbidden: expression 'object\.data\.missing == ""' resulted in error: no such key: missing$/,
    );
    await world.configure('validating', 'open', {
      name: 'open',
      matchConditions: [mine('opening'), condition('broken', 'object.data.missing == ""')],
      failurePolicy: 'Ignore',
    });
    assert.equal((await writeMap(world.server, 'opening-1', { a: '' })).status, 201);
    assert.deepEqual(world.seen, []);
  });

  it('let other requests run between the conditions of many webhooks', async () => {
    const dear = 'object.data.a.split("").all(i, object.data.a.split("").all(j, i + j != request.name))';
    const matchConditions = [mine('turns'), condition('dear', dear), condition('never', 'request.name == ""')];
    const webhooks = Array.from({ length: 40 }, (_, index) => ({ name: `turns${index}`, matchConditions }));
    await world.configure('validating', 'turns', ...webhooks);
    const { result, blockMs } = await measureBlocks(() => writeMap(world.server, 'turns-1', { a: 'x'.repeat(250) }));
    assert.equal(result.status, 201, result.text);
    assert.deepEqual(world.seen, []);
    assert.ok(blockMs < longestBlockMs, `a turn of ${blockMs} ms`);
  });

  it('are compiled when they are written', async () => {
    const webhook = {
      name: 'a.example.com',
      clientConfig: { url: 'https://example.com' },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    };
    const matchConditions = [condition('a', 'object.spec.'), condition('a', '1 + 1')];
    const body = { metadata: { name: 'wrong' }, webhooks: [{ ...webhook, matchConditions }] };
    const response = await request(
      world.server,
      'POST',
      '/apis/admissionregistration.cl.io/v1/validatingwebhookconfigurations',
      body,
    );
    assert.equal(response.status, 422);
    const causes = (response.body as { details: { causes: { field: string; message: string }[] } }).details.causes;
    assert.deepEqual(
      causes.map(({ field, message }) => `${field} ${message.split('\n')[0]?.slice(0, 60)}`),
      [
        'webhooks[0].matchConditions[1].name Duplicate value: "a"',
        'webhooks[0].matchConditions[0].expression Invalid value: "object.spec.": compilation failed: ERROR: <i',
        'webhooks[0].matchConditions[1].expression Invalid value: "1 + 1": must evaluate to bool but got int',
      ],
    );
  });
});
