import assert from 'node:assert/strict';
import type { FlagTable } from '../../../src/flags/flag-table.ts';
import { portSharingError } from '../../../src/flags/port-sharing.ts';
import { parseArguments } from '../../../src/flags/parse-arguments.ts';
import { parseFlags } from '../../../src/config/parse-flags.ts';
import { serverFlagRules } from '../../../src/config/server-flag-rules.ts';
import { serverFlags } from '../../../src/config/server-options.ts';

describe('the flags of cl-apiserver', () => {
  it('have defaults for a machine with an etcd of its own', () => {
    const options = parseFlags([]);
    assert.deepEqual(options.store, { kind: 'etcd', servers: ['http://127.0.0.1:2379'] });
    assert.equal(options.identifiers, 'cluster');
    assert.equal(options.securePort, 6443);
    assert.equal(options.bindAddress, '0.0.0.0');
    assert.equal(options.anonymousAuth, undefined, 'the authorization mode decides');
    assert.deepEqual(options.alwaysAllowPaths, ['/healthz', '/livez', '/readyz']);
    assert.equal(options.requestTimeoutMs, 60_000);
    assert.equal(options.compactionIntervalMs, 300_000);
  });

  it('name the emulated release in several ways', () => {
    for (const [flag, expected] of [
      ['--emulated-release=1.30', '1.30'],
      ['--emulated-release=newest', '1.36'],
      ['--emulated-version=1.34', '1.34'],
      ['--emulated-version=kube=1.35', '1.35'],
    ] as const) {
      assert.equal(parseFlags([flag]).emulatedRelease, expected, flag);
    }
    assert.equal(parseFlags(['--emulated-version', 'kube=1.33']).emulatedRelease, '1.33');
    const args = ['--emulated-release=1.33', '--min-compatibility-version=1.34'];
    assert.deepEqual(parseArguments(serverFlags, serverFlagRules, args).errors, [
      '--min-compatibility-version=1.34 is later than the emulated release 1.33',
    ]);
  });

  const faultsOf = (...args: string[]) => parseArguments(serverFlags, serverFlagRules, args).errors;

  it('take over a store of kube-apiserver only as the release that is named: another one would lose fields', () => {
    const taken = ['--identifiers=kubernetes', '--storage-media-type=application/json'];
    assert.match(faultsOf(...taken).join(), /^--storage-media-type needs --emulated-release/);
    assert.deepEqual(faultsOf(...taken, '--emulated-version=1.36'), []);
    assert.match(faultsOf(...taken.slice(1), '--emulated-release=1.36').join(), /needs --identifiers=kubernetes/);
  });

  it('of kube-apiserver that a release removed are errors from then on', () => {
    assert.deepEqual(faultsOf('--insecure-port=0', '--logtostderr=true'), []);
    assert.deepEqual(faultsOf('--insecure-port=0', '--logtostderr', '--emulated-version=1.26'), [
      '--insecure-port was removed in release 1.24',
      '--logtostderr was removed in release 1.26',
    ]);
    assert.deepEqual(faultsOf('--cloud-provider=aws'), [
      '--cloud-provider: "aws" is not valid: use external or leave it out: this server has no code of clouds; a cloud controller manager is a program of its own',
    ]);
  });

  it('choose how Services are resolved by either name', () => {
    assert.equal(parseFlags([]).serviceResolver, 'endpoints');
    assert.equal(parseFlags(['--enable-aggregator-routing=false']).serviceResolver, 'cluster-ip');
    assert.equal(parseFlags(['--enable-aggregator-routing']).serviceResolver, 'endpoints');
    assert.deepEqual(faultsOf('--enable-aggregator-routing', '--service-resolver=dns'), [
      '--enable-aggregator-routing and --service-resolver cannot be used together',
    ]);
  });

  it('name groups of key exchanges by their numbers', () => {
    assert.deepEqual(parseFlags(['--tls-curve-preferences=29,23']).tlsCurves, ['X25519', 'P-256']);
    assert.deepEqual(faultsOf('--tls-curve-preferences=1'), [
      '--tls-curve-preferences: "1" is not valid: 1 is not one of 23, 24, 25, 29',
    ]);
  });

  it('share a port only where Node can', () => {
    assert.equal(portSharingError(false, '20.19.0'), undefined);
    assert.equal(portSharingError(true, '24.1.0'), undefined);
    assert.equal(portSharingError(true, '23.1.0'), undefined);
    assert.match(portSharingError(true, '23.0.9') ?? '', /needs Node 23\.1 or newer; this is Node 23\.0\.9/);
  });

  it('limit the values of labels of metrics', () => {
    const { store } = parseFlags(['--etcd-servers=http://a:1', '--lease-reuse-duration-seconds=7']);
    assert.equal(store?.kind === 'etcd' && store.leaseReuseSeconds, 7);
    const { allowMetricLabels } = parseFlags(["--allow-metric-labels=a_total,verb='GET,PUT',a_total,code='200'"]);
    assert.deepEqual(allowMetricLabels, { 'a_total,verb': ['GET', 'PUT'], 'a_total,code': ['200'] });
    assert.match(faultsOf('--allow-metric-labels=a_total=GET').join(), /use <family>,<label>='<value>,<value>'/);
  });

  it('enable bootstrap tokens', () => {
    assert.equal(parseFlags([]).enableBootstrapTokenAuth, false);
    assert.equal(parseFlags(['--enable-bootstrap-token-auth']).enableBootstrapTokenAuth, true);
  });

  it('name the keys, issuers and limits of service account tokens', () => {
    const options = parseFlags([
      '--service-account-issuer=https://a',
      '--service-account-issuer=b',
      '--service-account-key-file=1.pem',
      '--service-account-key-file=2.pem',
      '--service-account-signing-key-file=s.pem',
      '--service-account-lookup=false',
      '--service-account-max-token-expiration=24h',
      '--service-account-extend-token-expiration=false',
      '--api-audiences=x,y',
      '--service-account-jwks-uri=https://keys',
    ]);
    assert.deepEqual(options.serviceAccountIssuers, ['https://a', 'b']);
    assert.deepEqual(options.serviceAccountKeyFiles, ['1.pem', '2.pem']);
    assert.equal(options.serviceAccountSigningKeyFile, 's.pem');
    assert.equal(options.serviceAccountLookup, false);
    assert.equal(options.serviceAccountMaxTokenExpirationMs, 24 * 3_600_000);
    assert.equal(options.serviceAccountExtendTokenExpiration, false);
    assert.deepEqual(options.apiAudiences, ['x', 'y']);
    assert.equal(options.serviceAccountJwksUri, 'https://keys');
    const refused: Readonly<Record<string, RegExp>> = {
      '--service-account-issuer=https://[x': /use a URL, or a name without a colon/,
      '--service-account-max-token-expiration=59m': /use 0, or 1h to 2\^32 seconds/,
      '--service-account-jwks-uri=http://keys': /use a URL that begins with https:/,
    };
    for (const [flag, message] of Object.entries(refused)) {
      const { errors } = parseArguments(serverFlags, serverFlagRules, [flag]);
      assert.equal(errors.length, 1, flag);
      assert.match(errors[0] ?? '', message);
    }
  });

  it('describe node agents, in both spellings, and the networks that proxies may reach', () => {
    const rest = ['client-certificate=c', 'client-key=k', 'port=1', 'timeout=7s', 'https=false'];
    for (const prefix of ['--nodeagent-', '--kubelet-']) {
      const types = `${prefix}preferred-address-types=InternalIP,Hostname`;
      const { nodeAgent } = parseFlags([types, ...rest.map((flag) => prefix + flag)]);
      assert.deepEqual(nodeAgent, {
        https: false,
        port: 1,
        readOnlyPort: 10_255,
        timeoutMs: 7_000,
        preferredAddressTypes: ['InternalIP', 'Hostname'],
        clientCertificateFile: 'c',
        clientKeyFile: 'k',
      });
    }
    assert.deepEqual(parseFlags(['--proxy-allowed-networks=127.0.0.0/8,::1/128']).proxyAllowedNetworks, [
      '127.0.0.0/8',
      '::1/128',
    ]);
    const refused: Readonly<Record<string, RegExp>> = {
      '--proxy-allowed-networks=127.0.0.1': /use a network like /,
      '--nodeagent-preferred-address-types=Name': /use some of Hostname,/,
      '--nodeagent-client-key=k': /--nodeagent-client-certificate and --nodeagent-client-key must be given together/,
    };
    for (const [flag, message] of Object.entries(refused)) {
      const { errors } = parseArguments(serverFlags, serverFlagRules, [flag]);
      assert.match(errors.join(), message);
    }
  });

  it('name an etcd cluster and its certificates', () => {
    const { store, prefix } = parseFlags([
      '--etcd-servers=https://a:2379, https://b:2379',
      '--etcd-prefix=/other',
      '--etcd-cafile=ca',
      '--etcd-certfile=cert',
      '--etcd-keyfile=key',
    ]);
    assert.equal(prefix, '/other');
    assert.deepEqual(store, {
      kind: 'etcd',
      servers: ['https://a:2379', 'https://b:2379'],
      caFile: 'ca',
      certFile: 'cert',
      keyFile: 'key',
    });
  });

  it('refuse addresses and prefixes with which the server could never become ready', () => {
    const refused: Readonly<Record<string, RegExp>> = {
      '--etcd-servers=': /^--etcd-servers: "" is not valid: use at least one URL/,
      ...Object.fromEntries(
        [
          'nonsense',
          'http://',
          'http://:2379',
          'http://a:b',
          'http://a:99999',
          'unix:///tmp/a.sock',
          'http://a:1/path',
          'http://u:p@a:1',
        ].map((url) => [
          `--etcd-servers=${url}`,
          /^--etcd-servers: ".*" is not valid: .* is not http:\/\/host:port or https:\/\/host:port$/,
        ]),
      ),
      '--etcd-servers=https://a:1,http://b:1': /^--etcd-servers: .* use http for all of them or https for all of them$/,
      '--etcd-servers=ftp://a:1': /ftp:\/\/a:1 is not http:\/\/host:port or https/,
      '--etcd-prefix=': /use a path like \/registry/,
      '--etcd-prefix=/a/../b': /use a path like \/registry/,
      '--advertise-address=api.example.com': /use an IP address that other machines can reach/,
      '--advertise-address=127.0.0.1': /use an IP address that other machines can reach/,
      '--advertise-address=0.0.0.0': /use an IP address that other machines can reach/,
      '--oidc-issuer-url=https://a/.well-known/openid-configuration': /use the URL without \/\.well-known/,
    };
    for (const [flag, message] of Object.entries(refused)) {
      const { errors } = parseArguments(serverFlags, serverFlagRules, [flag]);
      assert.match(errors[0] ?? '', message, flag);
    }
    const accepted = ['--etcd-servers=a:2379,http://b', '--etcd-prefix=x/y/', '--advertise-address=fd00::5'];
    assert.deepEqual(parseArguments(serverFlags, serverFlagRules, accepted).errors, []);
  });

  it('take another store instead', () => {
    assert.deepEqual(parseFlags(['--store=memory']).store, { kind: 'memory' });
    assert.deepEqual(parseFlags(['--storage-endpoint=grpc://h:1']).store, { kind: 'remote', endpoint: 'grpc://h:1' });
  });

  it('say how connections are secured', () => {
    const options = parseFlags([
      '--tls-sni-cert-key=a.crt,a.key',
      '--tls-sni-cert-key=b.crt,b.key:b.example.com,*.B.example.com',
      '--tls-min-version=VersionTLS13',
      '--tls-cipher-suites=TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
      '--http2-max-streams-per-connection=7',
      '--goaway-chance=0.01',
      '--cors-allowed-origins=^https://a$',
      '--strict-transport-security-directives=max-age=31536000,includeSubDomains,preload',
    ]);
    assert.deepEqual(options.tlsSniCertKeys, [
      { certFile: 'a.crt', keyFile: 'a.key', names: [] },
      { certFile: 'b.crt', keyFile: 'b.key', names: ['b.example.com', '*.b.example.com'] },
    ]);
    assert.equal(options.tlsMinVersion, 'VersionTLS13');
    assert.deepEqual(options.tlsCipherSuites, ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256']);
    assert.equal(options.http2MaxStreamsPerConnection, 7);
    assert.equal(options.goawayChance, 0.01);
    assert.deepEqual(options.corsAllowedOrigins, ['^https://a$']);
    assert.deepEqual(options.strictTransportSecurityDirectives, ['max-age=31536000', 'includeSubDomains', 'preload']);
  });

  it('name an authenticating proxy', () => {
    assert.equal(parseFlags([]).frontProxy, undefined);
    const { frontProxy } = parseFlags([
      '--requestheader-client-ca-file=proxy.pem',
      '--requestheader-allowed-names=a, b',
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-uid-headers=X-Remote-Uid',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    ]);
    assert.deepEqual(frontProxy, {
      caFile: 'proxy.pem',
      allowedNames: ['a', 'b'],
      headers: {
        username: ['X-Remote-User'],
        uid: ['X-Remote-Uid'],
        groups: ['X-Remote-Group'],
        extraPrefixes: ['X-Remote-Extra-'],
      },
    });
  });

  it('name a webhook that authenticates tokens', () => {
    assert.equal(parseFlags([]).tokenWebhook, undefined);
    const { tokenWebhook } = parseFlags([
      '--authentication-token-webhook-config-file=w',
      '--authentication-token-webhook-version=v1',
    ]);
    assert.deepEqual(tokenWebhook, { clientConfigFile: 'w', cacheTtlMs: 120_000, version: 'v1' });
  });

  it('name an OpenID provider', () => {
    assert.equal(parseFlags([]).oidc, undefined);
    const least = ['--oidc-issuer-url=https://a/b', '--oidc-client-id=c'];
    const defaults = {
      issuerUrl: 'https://a/b',
      clientId: 'c',
      usernameClaim: 'sub',
      groupsPrefix: '',
      requiredClaims: {},
      signingAlgorithms: ['RS256'],
    };
    assert.deepEqual(parseFlags(least).oidc, defaults);
    const { oidc } = parseFlags([
      ...least,
      '--oidc-username-claim=email',
      '--oidc-username-prefix=-',
      '--oidc-groups-claim=groups',
      '--oidc-groups-prefix=g:',
      '--oidc-required-claim=hd=a=b',
      '--oidc-required-claim=x=',
      '--oidc-signing-algs=RS256,ES256',
      '--oidc-ca-file=ca',
    ]);
    assert.deepEqual(oidc, {
      ...defaults,
      usernameClaim: 'email',
      usernamePrefix: '-',
      groupsClaim: 'groups',
      groupsPrefix: 'g:',
      requiredClaims: { hd: 'a=b', x: '' },
      signingAlgorithms: ['RS256', 'ES256'],
      caFile: 'ca',
    });
    assert.equal(parseFlags(['--authentication-config=f']).authenticationConfigFile, 'f');
  });

  it('take issuers from flags or from a file', () => {
    const both = ['--authentication-config=f', '--oidc-issuer-url=https://a', '--oidc-client-id=c'];
    const { errors } = parseArguments(serverFlags, serverFlagRules, both);
    assert.match(errors.join(), /--authentication-config and --oidc-issuer-url cannot be used together/);
  });

  const incomplete: Readonly<Record<string, RegExp>> = {
    '--oidc-issuer-url=https://a': /needs --oidc-issuer-url and --oidc-client-id together/,
    '--oidc-issuer-url=http://a': /must be an https URL/,
    '--oidc-groups-claim=a': /needs --oidc-issuer-url and --oidc-client-id together/,
    '--oidc-required-claim=a': /use <claim>=<value>/,
    '--oidc-signing-algs=HS256': /HS256 is not one of/,
    '--authentication-token-webhook-version=v2': /use v1beta1 or v1/,
    '--requestheader-client-ca-file=a': /needs --requestheader-username-headers/,
    '--requestheader-username-headers=a': /username-headers needs --requestheader-client-ca-file/,
    '--requestheader-allowed-names=a': /allowed-names needs --requestheader-client-ca-file/,
    '--requestheader-group-headers=a:b': /"a:b" is not the name of a header/,
  };
  for (const [flag, message] of Object.entries(incomplete)) {
    it(`refuse ${flag} alone`, () => {
      const { errors } = parseArguments(serverFlags, serverFlagRules, [flag]);
      assert.match(errors.join(), message);
    });
  }

  const insecure: Readonly<Record<string, RegExp>> = {
    '--tls-sni-cert-key=a.crt': /use <certificate file>,<key file>/,
    '--tls-sni-cert-key=a.crt,a.key:b:c': /use <certificate file>,<key file>/,
    '--tls-min-version=VersionTLS10': /use VersionTLS12 or VersionTLS13/,
    '--tls-cipher-suites=TLS_RSA_WITH_RC4_128_SHA': /TLS_RSA_WITH_RC4_128_SHA is not one of/,
    '--goaway-chance=0.5': /from 0 to 0.02/,
    '--goaway-chance=': /from 0 to 0.02/,
    '--cors-allowed-origins=https://a': /must begin with \^ or \/\//,
    '--strict-transport-security-directives=max-age=soon': /use max-age=<seconds>/,
  };
  for (const [flag, message] of Object.entries(insecure)) {
    it(`refuse ${flag}`, () => {
      const { errors } = parseArguments<FlagTable>(serverFlags, [], [flag]);
      assert.match(errors.join(), message);
    });
  }

  it('take durations as Go writes them', () => {
    const options = parseFlags([
      '--shutdown-delay-duration=1m30s',
      '--watch-history=250ms',
      '--etcd-compaction-interval=0',
    ]);
    assert.equal(options.shutdownDelayMs, 90_000);
    assert.equal(options.watchHistoryMs, 250);
    assert.equal(options.compactionIntervalMs, 0);
  });

  it('bound requests as kube-apiserver does, and take other bounds', () => {
    const { maxRequestsInFlight, maxMutatingRequestsInFlight } = parseFlags([]);
    assert.deepEqual([maxRequestsInFlight, maxMutatingRequestsInFlight], [400, 200]);
    const options = parseFlags([
      '--max-requests-inflight=0',
      '--max-mutating-requests-inflight=7',
      '--max-watches-inflight=8',
      '--max-body-bytes-inflight=4194304',
      '--max-answer-bytes-inflight=10',
      '--max-connections=11',
      '--max-connections-per-address=12',
      '--stuck-reader-timeout=13ms',
      '--idle-timeout=14ms',
    ]);
    assert.deepEqual(
      [
        options.maxRequestsInFlight,
        options.maxMutatingRequestsInFlight,
        options.maxWatchesInFlight,
        options.maxBodyBytes,
        options.maxAnswerBytes,
        options.maxConnections,
        options.maxConnectionsPerAddress,
        options.stuckReaderMs,
        options.idleTimeoutMs,
      ],
      [0, 7, 8, 4_194_304, 10, 11, 12, 13, 14],
    );
  });

  it('show hidden metrics for the release before the served one, and profile on demand', () => {
    const options = parseFlags(['--show-hidden-metrics-for-version=1.22', '--profiling', '--livez-grace-period=1m']);
    assert.equal(options.showHiddenMetricsForVersion, '1.22');
    assert.deepEqual([options.profiling, options.livezGraceMs], [true, 60_000]);
    assert.deepEqual([parseFlags([]).profiling, parseFlags([]).livezGraceMs], [false, 0]);
  });

  it('take booleans with and without a value', () => {
    const of = (...flags: string[]): boolean | undefined => parseFlags(flags).anonymousAuth;
    assert.deepEqual(
      [of('--anonymous-auth'), of('--anonymous-auth=true'), of('--anonymous-auth=false')],
      [true, true, false],
    );
  });

  const contradictions: readonly (readonly [args: readonly string[], error: RegExp])[] = [
    [['--tls-cert-file=a'], /^--tls-cert-file and --tls-private-key-file must be given together$/],
    [['--peer-ca-file=a'], /^--peer-ca-file requires UnknownVersionInteroperabilityProxy feature to be turned on$/],
    [['--emulated-release=newest', '--peer-ca-file=a'], /^--peer-ca-file requires --proxy-client-cert-file$/],
    [['--etcd-keyfile=a'], /^--etcd-certfile and --etcd-keyfile must be given together$/],
    [
      ['--store=memory', '--storage-endpoint=grpc://h:1'],
      /^--store=memory and --storage-endpoint cannot be used together$/,
    ],
    [
      ['--store=memory', '--etcd-servers=a:1', '--etcd-cafile=b'],
      /^--etcd-servers, --etcd-cafile can only be used with --store=etcd and without --storage-endpoint$/,
    ],
    [
      ['--storage-endpoint=grpc://h:1', '--etcd-servers=a:1'],
      /^--etcd-servers can only be used with --store=etcd and without --storage-endpoint$/,
    ],
    [
      ['--emulated-release=1.22', '--show-hidden-metrics-for-version=1.22'],
      /^--show-hidden-metrics-for-version must be omitted, or the release before 1\.22: 1\.21$/,
    ],
    [['--enable-admission-plugins=Nonsense'], /^unknown admission plugin Nonsense; the known plugins are /],
  ];
  for (const [args, error] of contradictions) {
    it(`are refused as ${args.join(' ')}`, () => {
      const { errors } = parseArguments(serverFlags, serverFlagRules, args);
      assert.equal(errors.length, 1, errors.join('\n'));
      assert.match(errors[0] ?? '', error);
    });
  }

  it('have values that could stand on the command line as their defaults', () => {
    const rows: FlagTable = serverFlags;
    for (const [name, { type, default: initial }] of Object.entries(rows)) {
      if (initial !== undefined) assert.deepEqual(type.parse(type.format(initial)), initial, name);
    }
  });
});
