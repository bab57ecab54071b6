import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkEgressSelector } from '../../../src/server/egress-selector.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';

const direct = { proxyProtocol: 'Direct' };

describe('a file of egress selections', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'egress-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function check(egressSelections: readonly object[], apiVersion = 'apiserver.k8s.io/v1beta1'): Promise<void> {
    const file = path.join(folder, 'egress.yaml');
    await writeFile(file, JSON.stringify({ apiVersion, kind: 'EgressSelectorConfiguration', egressSelections }));
    await checkEgressSelector(file, identifiersOf('kubernetes'));
  }

  it('may have direct connections', async () => {
    await check([
      { name: 'cluster', connection: direct },
      { name: 'master', connection: direct },
      { name: 'etcd', connection: direct },
    ]);
    await checkEgressSelector(undefined, identifiersOf('kubernetes'));
  });

  const refused: readonly (readonly [string, readonly object[], RegExp])[] = [
    [
      'a proxy',
      [{ name: 'cluster', connection: { proxyProtocol: 'GRPC', transport: { uds: { udsName: '/s' } } } }],
      /the selection "cluster": the protocol "GRPC" is not supported: use Direct/,
    ],
    ['another name', [{ name: 'pods', connection: direct }], /use one of cluster, controlplane, etcd/],
    [
      'two of a name',
      [
        { name: 'controlplane', connection: direct },
        { name: 'master', connection: direct },
      ],
      /it is there twice/,
    ],
    [
      'a direct connection with a transport',
      [{ name: 'etcd', connection: { ...direct, transport: {} } }],
      /a direct connection has no transport/,
    ],
  ];
  for (const [what, selections, message] of refused) {
    it(`may not have ${what}`, () => assert.rejects(check(selections), message));
  }

  it('is of its kind', () => assert.rejects(check([], 'v1'), /--egress-selector-config-file=.*was expected/));
});
