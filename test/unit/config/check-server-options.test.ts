import assert from 'node:assert/strict';
import { checkServerOptions } from '../../../src/config/check-server-options.ts';
import { defaultServerOptions } from '../../../src/config/server-options.ts';
import { checkTestOptions } from '../../../src/testing/check-test-options.ts';

const refused: readonly (readonly [options: Readonly<Record<string, unknown>>, message: RegExp])[] = [
  [{ securPort: 1 }, /^unknown option securPort; did you mean securePort\?$/],
  [{ securePort: '6443' }, /^the option securePort is not valid: use a number$/],
  [{ securePort: 99_999 }, /^the option securePort is not valid: use a number, 0 to 65535$/],
  [{ eventTtlMs: '5m' }, /^the option eventTtlMs is not valid: use a number of milliseconds$/],
  [{ identifiers: 'k8s' }, /^the option identifiers is not valid: use cluster or kubernetes$/],
  [{ emulatedRelease: '9' }, /^the option emulatedRelease is not valid: use 1\.15, .* 1\.36 or newest$/],
  [{ profiling: 'yes' }, /^the option profiling is not valid: use true or false$/],
  [{ featureGates: { A: true } }, /^the option featureGates is not valid: use a list of settings$/],
  [{ authorizationMode: ['Rbac'] }, /^the option authorizationMode is not valid: use AlwaysAllow, /],
  [{ store: { kind: 'etc' } }, /^the option store is not valid: use { kind: 'memory' }, /],
  [{ tokens: [{ token: 'secret' }] }, /^the option tokens is not valid: use a list of { token, username, groups }$/],
];

describe('options of a program', () => {
  it('are valid by default', () => {
    checkServerOptions(defaultServerOptions);
    checkServerOptions({ maxBodyBytes: 4096 });
    checkTestOptions({ store: 'etcd', controllers: ['job'], nodes: 1, from: undefined });
  });

  for (const [options, message] of refused) {
    it(`are refused by their name, as ${JSON.stringify(options)}`, () => {
      assert.throws(() => checkServerOptions(options), { name: 'TypeError', message });
    });
  }

  it('of startServer are refused by their name too', () => {
    for (const [options, message] of [
      [{ contrlers: true }, /^unknown option contrlers; did you mean controllers\?$/],
      [{ store: 'etc' }, /^the option store is not valid: use memory, etcd, or an object/],
      [{ controllers: 'job' }, /^the option controllers is not valid: use true, false or a list of names$/],
      [{ controllerOptions: { 'node-monitor-perod': 1 } }, /^unknown option node-monitor-perod; did you mean node-mon/],
      [{ from: 3 }, /^the option from is not valid: use a file$/],
    ] as const) {
      assert.throws(() => checkTestOptions(options), { name: 'TypeError', message });
    }
  });
});
