import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { definitions, versionOf, widgetsIn } from './widgets.ts';

const text = { type: 'string', maxLength: 60 };
const texts = { type: 'array', maxItems: 200, items: text };
const ports = {
  type: 'array',
  maxItems: 64,
  items: { type: 'object', properties: { name: text, number: { type: 'integer' } } },
};
const properties = {
  sites: texts,
  more: texts,
  ports,
  long: { type: 'array', items: { type: 'string' } },
  labels: { type: 'object', additionalProperties: { type: 'string' } },
  net: { type: 'string', maxLength: 40 },
  other: { type: 'string', maxLength: 40 },
  size: text,
  link: { type: 'string', maxLength: 2048 },
  open: { type: 'string' },
};

/** The shapes of rules that definitions of well-known projects have, over parts with limits. */
const accepted: readonly (readonly [title: string, rule: string])[] = [
  ['a loop over a conditional', "!(has(self.sites) ? self.sites : []).exists(s, s.contains('#'))"],
  ['a loop over a filtered list', "self.ports.filter(p, p.number > 5).all(p, p.name.startsWith('a'))"],
  ['a loop over a mapped list', "self.ports.map(p, p.name).all(n, n.matches('^[a-z]+$'))"],
  ['loops within a loop over a mapped list', 'self.ports.map(p, p.name).all(n, self.sites.exists(s, s == n))'],
  ['a loop over a sum', "(self.sites + self.more).all(s, !s.contains('*'))"],
  ['a loop over an optional field', "self.?sites.orValue([]).all(s, !s.contains('*'))"],
  ['the size of an optional text', "self.?size.orValue('').contains('x')"],
  ['the size of an optional item', "self.?sites[?0].orValue('').contains('x')"],
  ['a loop over the parts of a text', "self.net.split('/').all(part, part.matches('[0-9]'))"],
  ['a loop over a limited number of parts', "self.link.split('.', 16).all(part, self.link.matches('^[a-z]{0,62}$'))"],
  ['a loop over a literal', "['a', 'b'].all(s, self.sites.exists(t, t.contains(s)))"],
  ['a loop over a literal map', "{'a': 'b'}.all(k, self.sites.exists(t, t.contains(k)))"],
  ['a loop over a bound list', "cel.bind(all, self.sites + self.more, all.exists(s, s.contains('#')))"],
  ['an item of a filtered list', "self.sites.filter(s, s != 'a')[0].contains('x')"],
  ['the equality of ranges', 'cidr(self.net).masked() == cidr(self.net)'],
  ['the inequality of ranges', 'cidr(self.net) != cidr(self.other)'],
  ['the equality of addresses', 'ip(self.net) == ip(self.other)'],
  ['the equality of the address of a range', 'cidr(self.net).ip() == ip(self.other)'],
  ['the equality of quantities', "quantity(self.size) == quantity('1Gi')"],
  ['the equality of links', 'url(self.link) == url(self.open)'],
  ['the equality of semantic versions', "semver(self.size) == semver('1.2.3')"],
];

const refused: readonly (readonly [title: string, rule: string])[] = [
  ['a loop in a loop over lists without limits', 'self.long.all(x, self.long.all(y, x == y))'],
  [
    'a loop over a mapped list without a limit',
    'self.long.map(x, x).all(x, self.long.all(y, self.long.all(z, z == y)))',
  ],
  ['a loop over optional lists without limits', 'self.?long.orValue([]).all(x, self.?long.orValue([]).all(y, x == y))'],
];

describe('the estimated cost of a rule', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
  });
  after(() => server.stop());

  const create = (group: string, rule: string) => {
    const spec = { type: 'object', properties, 'x-cluster-validations': [{ rule }] };
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } } satisfies JsonObject;
    return request(server, 'POST', definitions, widgetsIn(group, { versions: [versionOf('v1', { schema })] }));
  };

  for (const [index, [title, rule]] of accepted.entries()) {
    it(`allows ${title}`, async () => {
      const { status, text: answer } = await create(`accepted${index}.example.com`, rule);
      assert.equal(status, 201, answer);
    });
  }

  for (const [index, [title, rule]] of refused.entries()) {
    it(`does not allow ${title}`, async () => {
      const { status, text: answer } = await create(`refused${index}.example.com`, rule);
      assert.equal(status, 422, answer);
      assert.match(answer, /estimated rule cost exceeds budget/);
    });
  }
});
