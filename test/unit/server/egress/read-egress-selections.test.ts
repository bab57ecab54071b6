import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readEgressSelections } from '../../../../src/server/egress/read-egress-selections.ts';
import { defaultServerOptions } from '../../../../src/config/server-options.ts';

const direct = { proxyProtocol: 'Direct' };
const uds = { udsName: '/s' };
const through = (transport?: object, proxyProtocol = 'HTTPConnect') => [
  { name: 'cluster', connection: { proxyProtocol, ...(transport ? { transport } : {}) } },
];

describe('a file of egress selections', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'egress-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function read(egressSelections: unknown, apiVersion = 'apiserver.k8s.io/v1beta1') {
    const file = path.join(folder, 'egress.yaml');
    await writeFile(file, JSON.stringify({ apiVersion, kind: 'EgressSelectorConfiguration', egressSelections }));
    return readEgressSelections({
      ...defaultServerOptions,
      identifiers: 'kubernetes',
      egressSelectorConfigFile: file,
    });
  }

  it('has direct and proxied connections by type', async () => {
    const tls = { caBundle: '', clientCert: import.meta.filename, clientKey: import.meta.filename };
    const selections = await read([
      { name: 'Cluster', connection: { proxyProtocol: 'HTTPConnect', transport: { uds } } },
      {
        name: 'master',
        connection: {
          proxyProtocol: 'HTTPConnect',
          transport: { tcp: { url: 'https://p:8131', tlsConfig: { ...tls, tlsServerName: 'q' } } },
        },
      },
      { name: 'etcd', connection: direct },
    ]);
    assert.deepEqual(selections, [
      { name: 'cluster', protocol: 'HTTPConnect', transport: { socketPath: '/s' } },
      {
        name: 'controlplane',
        protocol: 'HTTPConnect',
        transport: { url: 'https://p:8131', tls: { ...tls, serverName: 'q' } },
      },
      { name: 'etcd', protocol: 'Direct' },
    ]);
    assert.deepEqual(await read(through({ tcp: { url: 'http://p' } }), 'apiserver.k8s.io/v1alpha1'), [
      { name: 'cluster', protocol: 'HTTPConnect', transport: { url: 'http://p', tls: undefined } },
    ]);
    assert.equal(await readEgressSelections(defaultServerOptions), undefined);
  });

  const tls = { clientCert: '/none', clientKey: '' };
  const refused: readonly (readonly [what: string, selections: unknown, message: string])[] = [
    [
      'another protocol',
      through(undefined, 'SOCKS'),
      'service.connection.protocol: Unsupported value: "SOCKS": supported values: "Direct", "HTTPConnect", "GRPC"',
    ],
    [
      'a direct connection with a transport',
      through({}, 'Direct'),
      'service.connection.transport: Invalid value: "direct": config must be absent for direct connect',
    ],
    [
      'a proxy without a transport',
      through(),
      'service.connection.transport: Required value: transport must be set for HTTPConnect',
    ],
    ['an empty transport', through({}), 'service.connection.tcp: Required value: One of TCP or UDS must be set'],
    [
      'two transports',
      through({ uds, tcp: { url: 'http://p' } }),
      'service.connection.tcp: Invalid value: {"URL":"http://p","TLSConfig":null}: TCP and UDS cannot both be set',
    ],
    [
      'a socket without a name',
      through({ uds: {} }),
      'service.connection.udsName: Invalid value: "nil": must be present for UDS connections',
    ],
    [
      'a URL of another scheme',
      through({ tcp: { url: 'p:1' } }),
      'service.connection.url: Invalid value: "p:1": supported connection protocols are http:// and https://',
    ],
    [
      'TLS without its settings',
      through({ tcp: { url: 'https://p' } }),
      'service.connection.tlsConfig: Required value: TLSConfig must be present when using HTTPS',
    ],
    [
      'settings of TLS without it',
      through({ tcp: { url: 'http://p', tlsConfig: tls } }),
      'service.connection.tlsConfig: Invalid value: "nil": config must not be present when using HTTP',
    ],
    [
      'files that do not exist',
      through({ tcp: { url: 'https://p', tlsConfig: { ...tls, caBundle: '/no' } } }),
      '[service.connection.tlsConfig.caBundle: Invalid value: "/no": TLS config ca bundle does not exist, ' +
        'service.connection.tlsConfig.clientCert: Invalid value: "/none": TLS client cert does not exist, ' +
        'service.connection.tlsConfig.clientKey: Invalid value: "nil": Using TLS requires requires clientKey]',
    ],
    [
      'another name',
      [{ name: 'pods', connection: direct }],
      'service.connection: Unsupported value: "pods": supported values: "cluster", "controlplane", "etcd"',
    ],
    [
      'two of a name',
      ['controlplane', 'master'].map((name) => ({ name, connection: direct })),
      'service.connection[1]: Duplicate value: "controlplane"',
    ],
  ];
  for (const [what, selections, message] of refused) {
    it(`may not have ${what}`, () =>
      assert.rejects(read(selections), { message: `failed to validate egress selector configuration: ${message}` }));
  }

  it('may not have the protocol GRPC, and says what to use', () =>
    assert.rejects(
      read(through({ uds }, 'GRPC')),
      /the selection "cluster": the protocol GRPC of konnectivity is not supported: use HTTPConnect/,
    ));

  it('must exist, with its kind and without unknown fields', async () => {
    await assert.rejects(read([], 'apiserver.k8s.io/v1'), /failed to read egress selector config: .*was expected/);
    const unknown = [{ name: 'etcd', connection: { ...direct, url: 'x' } }];
    await assert.rejects(read(unknown), {
      message:
        'failed to read egress selector config: strict decoding error: unknown field "egressSelections[0].connection.url"',
    });
    await assert.rejects(readEgressSelections({ ...defaultServerOptions, egressSelectorConfigFile: '/none' }), {
      message: 'egress-selector-config-file /none does not exist',
    });
  });
});
