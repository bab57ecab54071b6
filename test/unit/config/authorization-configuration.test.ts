import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readAuthorizationConfiguration } from '../../../src/config/authorization-configuration.ts';

const group = 'apiserver.config.cl.io';

const webhook = {
  timeout: '3s',
  subjectAccessReviewVersion: 'v1',
  failurePolicy: 'Deny',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/config' },
};

const matchV1 = { matchConditionSubjectAccessReviewVersion: 'v1' };

const directory = mkdtempSync(path.join(tmpdir(), 'authorization-'));
const file = path.join(directory, 'configuration');
const prefix = `--authorization-config ${file}: `;

async function parseText(text: string) {
  writeFileSync(file, text);
  return (await readAuthorizationConfiguration(file, { identifiers: 'cluster' })).modes;
}

const parse = (authorizers: unknown, version = 'v1') =>
  parseText(JSON.stringify({ apiVersion: `${group}/${version}`, kind: 'AuthorizationConfiguration', authorizers }));

/** Changes to the fields of a valid webhook, and the error. */
const refusedWebhooks: readonly (readonly [changes: object, error: string])[] = [
  [{ timeout: undefined }, 'timeout: Required value'],
  [{ timeout: '31s' }, 'timeout: Invalid value: "31s": must be > 0s and <= 30s'],
  [{ timeout: 'soon' }, 'timeout: Invalid value: "soon": must be > 0s and <= 30s'],
  [{ authorizedTTL: '-1s' }, 'authorizedTTL: Invalid value: "-1s": must be > 0s'],
  [{ unauthorizedTTL: 'x' }, 'unauthorizedTTL: Invalid value: "x": must be > 0s'],
  [{ cacheAuthorizedRequests: 'no' }, 'cacheAuthorizedRequests: Invalid value: "no": must be a boolean'],
  [{ timeout: 3 }, 'timeout: Invalid value: 3: must be a string'],
  [{ matchConditions: 'true' }, 'matchConditions: Invalid value: "true": must be a list'],
  [{ ...matchV1, matchConditions: [{ expression: ' ' }] }, 'matchConditions[0].expression: Required value'],
  [
    { connectionInfo: { type: 'InClusterConfig', kubeConfigFile: '/a' } },
    'connectionInfo.kubeConfigFile: Invalid value: "/a": can only be set when type=KubeConfigFile',
  ],
  [{ subjectAccessReviewVersion: undefined }, 'subjectAccessReviewVersion: Required value'],
  [
    { subjectAccessReviewVersion: 'v2' },
    'subjectAccessReviewVersion: Unsupported value: "v2": supported values: "v1beta1", "v1"',
  ],
  [{ failurePolicy: undefined }, 'failurePolicy: Required value'],
  [{ failurePolicy: 'Allow' }, 'failurePolicy: Unsupported value: "Allow": supported values: "NoOpinion", "Deny"'],
  [{ connectionInfo: undefined }, 'connectionInfo.type: Required value'],
  [
    { connectionInfo: { type: 'InClusterConfig' } },
    'connectionInfo.type: Forbidden: an API server has no in-cluster config',
  ],
  [{ connectionInfo: { type: 'KubeConfigFile' } }, 'connectionInfo.kubeConfigFile: Required value'],
  [
    { connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'a' } },
    'connectionInfo.kubeConfigFile: Invalid value: "a": must be an absolute path',
  ],
  [
    { matchConditions: [{ expression: 'true' }] },
    'matchConditionSubjectAccessReviewVersion: Required value: required if match conditions are specified',
  ],
  [
    { ...matchV1, matchConditions: [{ expression: 'user' }] },
    [
      'matchConditions[0].expression: Invalid value: "user": compilation failed: ERROR: <input>:1:1: ' +
        "undeclared reference to 'user' (in container '')",
      ' | user',
      ' | ^',
    ].join('\n'),
  ],
  [
    { ...matchV1, matchConditions: [{ expression: '1' }] },
    'matchConditions[0].expression: Invalid value: "1": must evaluate to bool but got int',
  ],
  [
    { ...matchV1, matchConditions: [{ expression: "request.foo == ''" }] },
    [
      `matchConditions[0].expression: Invalid value: "request.foo == ''": compilation failed: ERROR: <input>:1:8: ` +
        "undefined field 'foo'",
      " | request.foo == ''",
      ' | .......^',
    ].join('\n'),
  ],
  [{ ...matchV1, matchConditions: [{}] }, 'matchConditions[0].expression: Required value'],
  [
    { ...matchV1, matchConditions: [{ expression: 'true' }, { expression: 'true' }] },
    'matchConditions[1].expression: Duplicate value: "true"',
  ],
  [
    { matchConditionSubjectAccessReviewVersion: 'v1beta1' },
    'matchConditionSubjectAccessReviewVersion: Unsupported value: "v1beta1": supported values: "v1"',
  ],
  [{ zork: 1 }, 'zork: Forbidden: unknown field'],
];

const refused: readonly (readonly [authorizers: unknown, error: string])[] = [
  [undefined, 'authorizers: Required value: at least one authorization mode must be defined'],
  [[], 'authorizers: Required value: at least one authorization mode must be defined'],
  ['RBAC', 'authorizers: Invalid value: "RBAC": must be a list'],
  [[{ type: 'AlwaysAllow' }], 'authorizers[0].name: Required value'],
  [[{ name: 'a' }], 'authorizers[0].type: Required value'],
  [[{ type: 'RBAC', name: 'a' }], 'expected name rbac for authorizer RBAC instead of a'],
  [[{ type: 'Webhook', name: 'a' }], 'authorizers[0].webhook: Required value: required when type=Webhook'],
  [
    [{ type: 'AlwaysDeny', name: 'a', webhook }],
    'authorizers[0].webhook: Invalid value: "non-null": may only be specified when type=Webhook',
  ],
  [
    [
      { type: 'AlwaysDeny', name: 'a' },
      { type: 'AlwaysDeny', name: 'b' },
    ],
    'authorizers[1].type: Duplicate value: "AlwaysDeny"',
  ],
  [
    [
      { type: 'AlwaysDeny', name: 'a' },
      { type: 'Webhook', name: 'a', webhook },
    ],
    'authorizers[1].name: Duplicate value: "a"',
  ],
];

describe('an AuthorizationConfiguration', () => {
  after(() => rmSync(directory, { recursive: true }));

  it('lists modes and webhooks, in every version', async () => {
    for (const version of ['v1alpha1', 'v1beta1', 'v1']) {
      const modes = await parse(
        [
          { type: 'Webhook', name: 'one', webhook: { ...webhook, authorizedTTL: '1m', unauthorizedTTL: '1s' } },
          { type: 'AlwaysDeny', name: 'alwaysdeny' },
          { type: 'Webhook', name: 'two', webhook: { ...webhook, failurePolicy: 'NoOpinion' } },
        ],
        version,
      );
      const connection = { type: 'Webhook', clientConfigFile: '/config', version: 'v1', timeoutMs: 3000 };
      assert.deepEqual(modes, [
        { ...connection, name: 'one', authorizedTtlMs: 60_000, unauthorizedTtlMs: 1000, onFailure: 'deny' },
        'AlwaysDeny',
        { ...connection, name: 'two', authorizedTtlMs: 300_000, unauthorizedTtlMs: 30_000, onFailure: 'no-opinion' },
      ]);
    }
  });

  it('keeps no decisions that it is told not to cache', async () => {
    const uncached = {
      ...webhook,
      cacheAuthorizedRequests: false,
      authorizedTTL: '1m',
      cacheUnauthorizedRequests: true,
    };
    const [mode] = await parse([{ type: 'Webhook', name: 'one', webhook: uncached }]);
    assert.ok(typeof mode === 'object');
    assert.deepEqual([mode.authorizedTtlMs, mode.unauthorizedTtlMs], [0, 30_000]);
    const zero = { ...webhook, authorizedTTL: '0s', unauthorizedTTL: '0s' };
    const [cached] = await parse([{ type: 'Webhook', name: 'one', webhook: zero }]);
    assert.ok(typeof cached === 'object');
    assert.deepEqual([cached.authorizedTtlMs, cached.unauthorizedTtlMs], [300_000, 30_000]);
  });

  for (const [changes, error] of refusedWebhooks) {
    it(`is refused with ${JSON.stringify(changes)}`, async () => {
      const entry = { type: 'Webhook', name: 'a', webhook: { ...webhook, ...changes } };
      await assert.rejects(() => parse([entry]), { message: `${prefix}authorizers[0].webhook.${error}` });
    });
  }
  for (const [authorizers, error] of refused) {
    it(`is refused with ${JSON.stringify(authorizers)}`, async () => {
      await assert.rejects(() => parse(authorizers), { message: prefix + error });
    });
  }

  it('is refused with an unknown type, and the known ones are listed', async () => {
    await assert.rejects(() => parse([{ type: 'Zork', name: 'a' }]), {
      message: /: authorizers\[0\]\.type: Unsupported value: "Zork": supported values: "AlwaysAllow", .*"Webhook"$/,
    });
  });

  it('is refused in another version or kind', async () => {
    await assert.rejects(
      () => parse([], 'v2'),
      /kind AuthorizationConfiguration of apiserver\.config\.cl\.io\/v1, .*expected/,
    );
    await assert.rejects(() => parseText('a: ['), /not valid YAML/);
    await assert.rejects(() => parseText('- a'), /kind AuthorizationConfiguration of .* was expected/);
  });
});
