import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { define, versionOf, widgetsAt, widgetsIn } from '../custom-resources/widgets.ts';

/** Texts of which each has eight times those before it. */
const formatted = '.map(a, "%s%s%s%s%s%s%s%s".format([a, a, a, a, a, a, a, a]))';

describe('a rule whose expression makes ever longer texts', () => {
  let server: TestServer;
  const collection = widgetsAt('expanding.example.com');
  before(async () => {
    server = await startServer({ store: 'memory' });
    const rules = [{ rule: `self${formatted.repeat(14)}.size() > 0` }];
    const texts = { type: 'array', maxItems: 1, items: { type: 'string', maxLength: 8 } };
    const schema = { type: 'object', properties: { texts: { ...texts, 'x-cluster-validations': rules } } };
    await define(
      server,
      widgetsIn('expanding.example.com', { versions: [versionOf('v1', { schema: { openAPIV3Schema: schema } })] }),
    );
  });
  after(() => server.stop());

  for (const [title, query] of [
    ['a create', ''],
    ['a dry run', '?dryRun=All'],
  ] as const) {
    it(`is refused in ${title}, before the texts are made`, async () => {
      const widget = { kind: 'Widget', metadata: { name: 'a' }, texts: ['a'] };
      const { status, text } = await request(server, 'POST', collection + query, widget);
      assert.equal(status, 422, text.slice(0, 500));
      assert.match(text, /actual cost limit exceeded/);
    });
  }
});
