import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { define, definitions, versionOf, widgetsAt, widgetsIn } from './widgets.ts';

const validations = 'x-cluster-validations';
const mergePatch = { 'content-type': 'application/merge-patch+json' };
const applyPatch = { 'content-type': 'application/apply-patch+yaml' };

/** A schema of objects with some fields and rules. */
function objectSchema(properties: JsonObject, rules: JsonObject[] = [], rest: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...(rules.length > 0 ? { [validations]: rules } : {}), ...rest };
}

const text = { type: 'string', maxLength: 100 };

/** Rules as the documentation of Kubernetes, Gateway API and cert-manager have them. */
const spec = objectSchema(
  {
    replicas: { type: 'integer' },
    minReplicas: { type: 'integer' },
    maxReplicas: { type: 'integer' },
    name: text,
    'with-dash': text,
    namespace: text,
    port: { 'x-cluster-int-or-string': true },
    health: { type: 'string', enum: ['ok', 'warning', 'critical'] },
    duration: { type: 'string', format: 'duration' },
    since: { type: 'string', format: 'date-time' },
    address: { type: 'string', maxLength: 60 },
    memory: { type: 'string', maxLength: 20 },
    labels: { type: 'object', maxProperties: 5, additionalProperties: text },
    fixed: { ...text, [validations]: [{ rule: 'self == oldSelf', message: 'Value is immutable' }] },
    once: {
      ...text,
      [validations]: [
        {
          rule: "!oldSelf.hasValue() || oldSelf.value() == self || self == 'last'",
          optionalOldSelf: true,
          reason: 'FieldValueForbidden',
        },
      ],
    },
    old: { ...text, [validations]: [{ rule: "self.startsWith('x-')", message: 'must begin with x-' }] },
    both: { ...text, allOf: [{ [validations]: [{ rule: "self != 'no'", message: 'both' }] }] },
    set: { type: 'array', maxItems: 5, items: text, 'x-cluster-list-type': 'set' },
    listeners: {
      type: 'array',
      maxItems: 8,
      items: objectSchema(
        { name: text, port: { type: 'integer' }, protocol: text, hostname: text },
        [{ rule: 'self.port == oldSelf.port', message: 'the port of a listener is immutable' }],
        { required: ['name'] },
      ),
      'x-cluster-list-type': 'map',
      'x-cluster-list-map-keys': ['name'],
      [validations]: [
        {
          rule: "self.all(l, l.protocol in ['HTTP', 'TCP'] ? true : has(l.hostname))",
          message: 'a hostname must be specified for protocols other than HTTP and TCP',
        },
        {
          rule: 'self.all(l1, self.exists_one(l2, l1.port == l2.port && l1.protocol == l2.protocol))',
          message: 'Combination of port and protocol must be unique for each listener',
        },
      ],
    },
  },
  [
    {
      rule: '!has(self.minReplicas) || self.minReplicas <= self.replicas',
      message: 'replicas should be greater than or equal to minReplicas.',
    },
    {
      rule: '!has(self.maxReplicas) || self.replicas <= self.maxReplicas',
      messageExpression: "'too many replicas of ' + self.name",
      reason: 'FieldValueForbidden',
      fieldPath: '.replicas',
    },
    { rule: "!has(self.with__dash__dash) || self.with__dash__dash != 'bad'" },
    { rule: "!has(self.__namespace__) || self.__namespace__ != 'kube-system'", reason: 'FieldValueRequired' },
    { rule: "!has(self.port) || (type(self.port) == int ? self.port < 100 : self.port == 'http')", message: 'port' },
    { rule: "!has(self.health) || self.health.startsWith('o') || self.health.startsWith('w')", message: 'health' },
    { rule: "!has(self.duration) || self.duration <= duration('1h')", message: 'duration' },
    { rule: "!has(self.since) || self.since > timestamp('2000-01-01T00:00:00Z')", message: 'since' },
    { rule: "!has(self.address) || cidr('10.0.0.0/8').containsIP(self.address)", message: 'address' },
    { rule: "!has(self.memory) || quantity(self.memory).isLessThan(quantity('1Gi'))", message: 'memory' },
    {
      rule: "!has(self.labels) || self.labels.all(k, k.matches('^[a-z]+$') && self.labels[k] != '')",
      message: 'labels',
    },
    { rule: "self.?name.orValue('a') != 'wrong'", message: 'name' },
    { rule: "!has(self.set) || self.set == ['a', 'b'] || self.set.size() != 2", message: 'set' },
    { rule: "!has(self.name) || self.name != 'divide' || 1 / self.replicas > 0" },
  ],
);

const schema = objectSchema(
  { spec, status: objectSchema({ ready: { type: 'integer' } }, [{ rule: 'self.ready >= 0' }]) },
  [{ rule: "self.metadata.name != 'forbidden'", message: 'the name is reserved' }],
);

type Refusals = readonly (readonly [title: string, spec: JsonObject, errors: readonly string[]])[];

/** Specs of new objects, and the errors of their fields. */
const refused: Refusals = [
  [
    'a rule over two fields',
    { replicas: 1, minReplicas: 2 },
    ['spec: Invalid value: replicas should be greater than or equal to minReplicas.'],
  ],
  [
    'a message that is computed, at a field of its own',
    { replicas: 3, maxReplicas: 2, name: 'n' },
    ['spec.replicas: Forbidden: too many replicas of n'],
  ],
  [
    'a name with a dash',
    { 'with-dash': 'bad' },
    [`spec: Invalid value: failed rule: !has(self.with__dash__dash) || self.with__dash__dash != 'bad'`],
  ],
  [
    'a name that is a keyword',
    { namespace: 'kube-system' },
    [`spec: Required value: failed rule: !has(self.__namespace__) || self.__namespace__ != 'kube-system'`],
  ],
  ['a number where a text may be', { port: 100 }, ['spec: Invalid value: port']],
  ['a text where a number may be', { port: 'https' }, ['spec: Invalid value: port']],
  ['a duration', { duration: '2h' }, ['spec: Invalid value: duration']],
  ['a time', { since: '1999-12-31T23:59:59Z' }, ['spec: Invalid value: since']],
  ['an address', { address: '11.0.0.1' }, ['spec: Invalid value: address']],
  ['a quantity', { memory: '2Gi' }, ['spec: Invalid value: memory']],
  ['the values of a map', { labels: { a: '' } }, ['spec: Invalid value: labels']],
  ['an optional value', { name: 'wrong' }, ['spec: Invalid value: name']],
  ['a part of a schema', { both: 'no' }, ['spec.both: Invalid value: "no": both']],
  ['a set', { set: ['a', 'c'] }, ['spec: Invalid value: set']],
  [
    'an error while it runs',
    { name: 'divide', replicas: 0 },
    [
      `spec: Invalid value: "object": division by zero evaluating rule: !has(self.name) || self.name != 'divide' || 1 / self.replicas > 0`,
    ],
  ],
  [
    'the items of a list',
    { listeners: [{ name: 'a', port: 1, protocol: 'HTTPS' }] },
    ['spec.listeners: Invalid value: a hostname must be specified for protocols other than HTTP and TCP'],
  ],
  [
    'two items',
    {
      listeners: [
        { name: 'a', port: 1, protocol: 'HTTP' },
        { name: 'b', port: 1, protocol: 'HTTP' },
      ],
    },
    ['spec.listeners: Invalid value: Combination of port and protocol must be unique for each listener'],
  ],
  [
    'a value of another type, which other rules do not see',
    { replicas: 'x' },
    [
      'spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"',
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ],
  ],
];

/** Specs that are accepted. */
const accepted: readonly JsonObject[] = [
  { replicas: 2, minReplicas: 2, maxReplicas: 2, port: 99 },
  { port: 'http', health: 'ok', duration: '60m', since: '2001-01-01T00:00:00+01:00' },
  { address: '10.1.2.3', memory: '512Mi', labels: { a: 'b' }, set: ['b', 'a'], old: 'x-1' },
  {
    listeners: [
      { name: 'a', port: 1, protocol: 'HTTP' },
      { name: 'b', port: 1, protocol: 'TLS', hostname: 'a' },
    ],
  },
];

describe('the rules of a custom kind', () => {
  const group = 'rules.example.com';
  const collection = widgetsAt(group);
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory', emulatedRelease: '1.36' });
    const version = versionOf('v1', { schema: { openAPIV3Schema: schema }, subresources: { status: {} } });
    await define(server, widgetsIn(group, { versions: [version] }));
  });
  after(() => server.stop());

  const widget = (name: string, given: JsonValue): JsonObject => ({ kind: 'Widget', metadata: { name }, spec: given });
  const create = async (name: string, given: JsonObject) => request(server, 'POST', collection, widget(name, given));
  const patch = async (path: string, change: JsonObject) =>
    request(server, 'PATCH', `${collection}/${path}`, change, mergePatch);
  const errorsIn = (body: unknown): readonly string[] =>
    objectsAt(objectAt(body as JsonObject, 'details'), 'causes').map(
      (cause) => `${stringAt(cause, 'field')}: ${stringAt(cause, 'message')}`,
    );

  for (const [title, given, errors] of refused) {
    it(`refuse ${title}`, async () => {
      const { status, body, text: answer } = await create('refused', { replicas: 1, ...given });
      assert.equal(status, 422, answer);
      assert.deepEqual(errorsIn(body), errors);
    });
  }

  for (const [index, given] of accepted.entries()) {
    it(`accept ${JSON.stringify(given)}`, async () => {
      const { status, text: answer } = await create(`accepted-${index}`, given);
      assert.equal(status, 201, answer);
    });
  }

  it('see the name of an object', async () => {
    const { status, body } = await create('forbidden', {});
    assert.equal(status, 422);
    assert.deepEqual(errorsIn(body), ['<nil>: Invalid value: the name is reserved']);
  });

  it('compare values with old ones in updates', async () => {
    assert.equal((await create('old', { fixed: 'a', once: 'a' })).status, 201);
    const fixed = await patch('old', { spec: { fixed: 'b' } });
    assert.deepEqual(errorsIn(fixed.body), ['spec.fixed: Invalid value: "b": Value is immutable']);
    const once = await patch('old', { spec: { once: 'b' } });
    assert.match(errorsIn(once.body).join(), /^spec\.once: Forbidden: failed rule: !oldSelf/);
    assert.equal((await patch('old', { spec: { once: 'last' } })).status, 200);
    assert.equal((await patch('old', { spec: { fixed: null } })).status, 200, 'a removed value has no rules');
    assert.equal((await patch('old', { spec: { fixed: 'c' } })).status, 200, 'nor has a new one an old value');
  });

  it('find the old items of a list by their keys', async () => {
    const [a, b] = [
      { name: 'a', port: 1, protocol: 'TCP' },
      { name: 'b', port: 2, protocol: 'TCP' },
    ];
    assert.equal((await create('items', { listeners: [a, b] })).status, 201);
    assert.equal((await patch('items', { spec: { listeners: [b, a, { ...a, name: 'c', port: 3 }] } })).status, 200);
    const moved = await patch('items', { spec: { listeners: [a, { ...b, port: 4 }] } });
    assert.deepEqual(errorsIn(moved.body), ['spec.listeners[1]: Invalid value: the port of a listener is immutable']);
  });

  it('run in replaces, applies and writes of the status', async () => {
    const created = await create('written', { replicas: 1 });
    const { metadata } = created.body as JsonObject;
    const replaced = await request(server, 'PUT', `${collection}/written`, {
      ...widget('written', { name: 'wrong' }),
      metadata: metadata ?? null,
    });
    assert.deepEqual(errorsIn(replaced.body), ['spec: Invalid value: name']);
    const applied = await request(
      server,
      'PATCH',
      `${collection}/applied?fieldManager=a`,
      { apiVersion: `${group}/v1`, ...widget('applied', { name: 'wrong' }) },
      applyPatch,
    );
    assert.deepEqual(errorsIn(applied.body), ['spec: Invalid value: name']);
    const status = await patch('written/status', { status: { ready: -1 } });
    assert.deepEqual(errorsIn(status.body), ['status: Invalid value: failed rule: self.ready >= 0']);
    assert.equal((await patch('written/status', { status: { ready: 1 } })).status, 200);
  });
});

/** A rule over pairs of numbers, which costs some 7 for each pair. */
const pairs = 'self.all(x, self.all(y, x + y >= 0))';
const numbers = { type: 'array', maxItems: 800, items: { type: 'integer' } };

describe('rules that cost much', () => {
  const group = 'costs.example.com';
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory', emulatedRelease: '1.36' });
    const properties = {
      one: { ...numbers, [validations]: [{ rule: pairs }] },
      many: { ...numbers, maxItems: 340, [validations]: Array.from({ length: 15 }, () => ({ rule: pairs })) },
    };
    const version = versionOf('v1', { schema: { openAPIV3Schema: objectSchema(properties) } });
    await define(server, widgetsIn(group, { versions: [version] }));
  });
  after(() => server.stop());

  const create = async (name: string, fields: JsonObject) => {
    const { text: answer } = await request(server, 'POST', widgetsAt(group), {
      kind: 'Widget',
      metadata: { name },
      ...fields,
    });
    return answer;
  };
  const list = (length: number): JsonValue => Array.from({ length }, (_, index) => index);

  it('are ended one by one', async () => {
    const why = 'no further validation rules will be run due to call cost exceeds limit for rule';
    assert.match(
      await create('one', { one: list(800) }),
      new RegExp(`one: Invalid value: .*'operation cancelled: actual cost limit exceeded': ${why}: self\\.all`),
    );
    assert.match(await create('less', { one: list(300) }), /"uid"/);
  });

  it('have a limit together', async () => {
    const why = 'validation failed due to running out of cost budget, no further validation rules will be run';
    assert.match(await create('many', { many: list(340) }), new RegExp(`many: Invalid value: .*${why}`));
    assert.match(await create('few', { many: list(100) }), /"uid"/);
  });
});

/** A definition whose rules become stricter. */
function strict(group: string, rules: JsonObject[]): JsonObject {
  const field = { ...text, ...(rules.length > 0 ? { [validations]: rules } : {}) };
  const properties = { spec: objectSchema({ a: field, b: text }) };
  return widgetsIn(group, { versions: [versionOf('v1', { schema: { openAPIV3Schema: objectSchema(properties) } })] });
}

describe('rules that came after an object', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory', emulatedRelease: '1.36' });
  });
  after(() => server.stop());

  it('warn about values that an update does not change', async () => {
    const group = 'later.example.com';
    await define(server, strict(group, []));
    const body = { kind: 'Widget', metadata: { name: 'a' }, spec: { a: 'bad', b: '1' } };
    assert.equal((await request(server, 'POST', widgetsAt(group), body)).status, 201);
    const rules = [{ rule: "self != 'bad' && self != 'worse'", message: 'bad' }];
    const { spec: stricter } = strict(group, rules);
    const changed = await request(
      server,
      'PATCH',
      `${definitions}/widgets.${group}`,
      { spec: stricter ?? null },
      mergePatch,
    );
    assert.equal(changed.status, 200, changed.text);
    const path = `${widgetsAt(group)}/a`;
    await until('the rules to be followed', async () => {
      const refusal = await request(server, 'PATCH', path, { spec: { a: 'worse' } }, mergePatch);
      return refusal.status === 422;
    });
    const kept = await request(server, 'PATCH', path, { spec: { b: '2' } }, mergePatch);
    assert.equal(kept.status, 200, kept.text);
    assert.equal(kept.headers['warning'], '299 - "spec.a: Invalid value: \\"bad\\": bad"');
  });
});

const unbounded = { type: 'array', items: { type: 'string' } };

/** Properties with rules, and the errors of their definition below `spec.validation`. */
const neverNo = { [validations]: [{ rule: "self != 'no'" }] };

const wrong: readonly (readonly [title: string, schema: JsonObject, errors: readonly RegExp[]])[] = [
  [
    'an unknown field',
    objectSchema({ a: text }, [{ rule: 'self.zork > 1' }]),
    [
      /properties\[p\]\.x-cluster-validations\[0\]\.rule: Invalid value: \{"Rule":"self\.zork \\u003e 1","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null\}: compilation failed: ERROR: <input>:1:5: undefined field 'zork'\n \| self\.zork > 1\n \| \.\.\.\.\^$/,
    ],
  ],
  [
    'a wrong type',
    objectSchema({ a: text }, [{ rule: 'self.a > 1' }]),
    [/found no matching overload for '_>_' applied to '\(string, int\)'/],
  ],
  ['no condition', objectSchema({ a: text }, [{ rule: 'self.a' }]), [/cel expression must evaluate to a bool$/]],
  [
    'a syntax error',
    { ...text, [validations]: [{ rule: 'self ==' }] },
    [/compilation failed: ERROR: <input>:1:8: Syntax error: mismatched input '<EOF>' expecting/],
  ],
  ['no rule', { ...text, [validations]: [{ rule: ' ' }] }, [/\[0\]\.rule: Required value: rule is not specified$/]],
  [
    'an empty message',
    { ...text, [validations]: [{ rule: 'true', message: ' ' }] },
    [/\.message: Invalid value: " ": must be non-empty if specified$/],
  ],
  [
    'a message of two lines',
    { ...text, [validations]: [{ rule: 'true', message: 'a\nb' }] },
    [/\.message: Invalid value: "a\\nb": must not contain line breaks$/],
  ],
  [
    'a rule of two lines without message',
    { ...text, [validations]: [{ rule: 'true ||\nfalse' }] },
    [/\.message: Required value: message must be specified if rule contains line breaks$/],
  ],
  [
    'a message that is no text',
    { ...text, [validations]: [{ rule: 'true', messageExpression: '1' }] },
    [/\.messageExpression: Invalid value: .*: messageExpression must evaluate to a string$/],
  ],
  [
    'another reason',
    { ...text, [validations]: [{ rule: 'true', reason: 'Zork' }] },
    [
      /\.reason: Unsupported value: "Zork": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"$/,
    ],
  ],
  [
    'a field path to nothing',
    objectSchema({ a: text }, [{ rule: 'true', fieldPath: '.b' }]),
    [/\.fieldPath: Invalid value: "\.b": must be a valid path$/],
  ],
  [
    'old values in a list without keys',
    { type: 'array', maxItems: 3, items: { ...text, [validations]: [{ rule: 'self == oldSelf' }] } },
    [
      /items\.x-cluster-validations\[0\]\.rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within spec\.validation\.openAPIV3Schema\.properties\[p\]$/,
    ],
  ],
  [
    'an optional old value that is not used',
    { ...text, [validations]: [{ rule: 'true', optionalOldSelf: true }] },
    [/\.optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule$/],
  ],
  [
    'a default that a rule refuses',
    { ...text, default: 'no', [validations]: [{ rule: "self != 'no'", message: 'never no' }] },
    [/^spec\.validation\.openAPIV3Schema\.properties\[p\]\.default: Invalid value: "no": never no$/],
  ],
  [
    'a default with a part that a rule refuses',
    objectSchema({ list: { type: 'array', maxItems: 3, items: objectSchema({ a: { ...text, ...neverNo } }) } }, [], {
      default: { list: [{ a: 'yes' }, { a: 'no' }] },
    }),
    [/\.properties\[p\]\.default\.list\[1\]\.a: Invalid value: "no": failed rule: self != 'no'$/],
  ],
  [
    'a default that cannot stay as it is',
    { ...text, default: 'x', [validations]: [{ rule: 'self != oldSelf' }] },
    [/\.properties\[p\]\.default: Invalid value: "x": failed rule: self != oldSelf$/],
  ],
  [
    'a default that cannot be new',
    { ...text, default: 'x', [validations]: [{ rule: 'oldSelf.hasValue()', optionalOldSelf: true }] },
    [/\.properties\[p\]\.default: Invalid value: "x": failed rule: oldSelf\.hasValue\(\)$/],
  ],
  [
    'rules that cost too much',
    { ...unbounded, [validations]: [{ rule: 'self.all(x, self.all(y, x == y))' }] },
    [
      /rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x \(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared\)$/,
      /rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema$/,
      /openAPIV3Schema: Forbidden: x-cluster-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x/,
    ],
  ],
];

describe('a definition with rules', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory', emulatedRelease: '1.36' });
  });
  after(() => server.stop());

  for (const [index, [title, part, errors]] of wrong.entries()) {
    it(`is refused for ${title}`, async () => {
      const root = objectSchema({ p: part });
      const definition = widgetsIn(`wrong${index}.example.com`, {
        versions: [versionOf('v1', { schema: { openAPIV3Schema: root } })],
      });
      const { status, body, text: answer } = await request(server, 'POST', definitions, definition);
      assert.equal(status, 422, answer);
      const causes = objectsAt(objectAt(body as JsonObject, 'details'), 'causes');
      const found = causes.map((cause) => `${stringAt(cause, 'field')}: ${stringAt(cause, 'message')}`);
      assert.equal(found.length, errors.length, found.join('\n'));
      for (const [place, error] of errors.entries()) assert.match(found[place] ?? '', error);
    });
  }

  it('may have defaults that its rules allow', async () => {
    const part = { ...text, default: 'yes', [validations]: [{ rule: "self != 'no' && self == oldSelf" }] };
    const definition = widgetsIn('defaults.example.com', {
      versions: [versionOf('v1', { schema: { openAPIV3Schema: objectSchema({ p: part }) } })],
    });
    const created = await request(server, 'POST', definitions, definition);
    assert.equal(created.status, 201, created.text);
  });

  it('may limit its values instead', async () => {
    const part = {
      type: 'array',
      maxItems: 10,
      items: text,
      [validations]: [{ rule: 'self.all(x, self.all(y, x == y))' }],
    };
    const definition = widgetsIn('limited.example.com', {
      versions: [versionOf('v1', { schema: { openAPIV3Schema: objectSchema({ p: part }) } })],
    });
    assert.equal((await request(server, 'POST', definitions, definition)).status, 201);
  });
});
