import assert from 'node:assert/strict';
import { findCredentials } from '../../../../src/outbound/webhooks/find-credentials.ts';

describe('the credentials for a server', () => {
  const find = (host: string, port: number, ...names: readonly string[]): string | undefined =>
    findCredentials(new Map(names.map((name) => [name, { token: name }])), host, port)?.token;

  const cases: readonly (readonly [found: string | undefined, host: string, port: number, ...names: string[]])[] = [
    ['hooks.n.svc', 'hooks.n.svc', 443, '*', '*.svc', '*.n.svc', 'hooks.n.svc'],
    ['hooks.n.svc:443', 'hooks.n.svc', 443, 'hooks.n.svc', 'hooks.n.svc:443'],
    ['hooks.n.svc:8443', 'hooks.n.svc', 8443, 'hooks.n.svc', 'hooks.n.svc:8443'],
    ['*', 'hooks.n.svc', 8443, 'hooks.n.svc', '*'],
    ['*.n.svc', 'hooks.n.svc', 443, '*', '*.svc', '*.n.svc'],
    ['*.svc:8443', 'hooks.n.svc', 8443, '*', '*.svc', '*.svc:8443'],
    [undefined, 'hooks.n.svc', 443, 'n.svc', 'svc', '*hooks.n.svc'],
  ];
  for (const [found, host, port, ...names] of cases) {
    it(`are ${found ?? 'none'} for ${host}:${port} among ${names.join(', ')}`, () => {
      assert.equal(find(host, port, ...names), found);
    });
  }
});
