import {
  ageColumn,
  atomic,
  boolean,
  column,
  conditions,
  definitionOf,
  keySelector,
  list,
  object,
  oneOfTexts,
  type OperatorKind,
  text,
  texts,
  whole,
} from './schema-parts.ts';

const group = 'cert-manager.io';

const issuerRef = object({ group: text(), kind: text(), name: text() }, ['name']);
const secretKey = object({ key: text(), name: text() }, ['name']);
const ready = `.status.conditions[?(@.type == "Ready")]`;

const keystore = object({ alias: text(), create: boolean, password: text(), passwordSecretRef: secretKey }, ['create']);

const usages = oneOfTexts(
  'signing',
  'digital signature',
  'key encipherment',
  'server auth',
  'client auth',
  'cert sign',
);

const names = object({ dnsDomains: atomic(text()), emailAddresses: atomic(text()), ipRanges: atomic(text()) });

/** The Certificate of cert-manager, by its public documentation. */
export const certificates: OperatorKind = {
  definition: definitionOf({
    group,
    kind: 'Certificate',
    plural: 'certificates',
    shortNames: ['cert', 'certs'],
    categories: ['cert-manager'],
    columns: [
      column('Ready', `${ready}.status`),
      column('Secret', '.spec.secretName'),
      column('Issuer', '.spec.issuerRef.name', { priority: 1 }),
      column('Status', `${ready}.message`, { priority: 1 }),
      ageColumn,
    ],
    subresources: { status: {} },
    spec: object(
      {
        additionalOutputFormats: atomic(object({ type: oneOfTexts('DER', 'CombinedPEM') }, ['type'])),
        commonName: text(),
        dnsNames: atomic(text()),
        duration: text(),
        emailAddresses: atomic(text()),
        encodeUsagesInRequest: boolean,
        ipAddresses: atomic(text()),
        isCA: boolean,
        issuerRef,
        keystores: object({
          jks: keystore,
          pkcs12: object(
            {
              create: boolean,
              profile: oneOfTexts('LegacyRC2', 'LegacyDES', 'Modern2023'),
              passwordSecretRef: secretKey,
            },
            ['create'],
          ),
        }),
        literalSubject: text(),
        nameConstraints: object({ critical: boolean, excluded: names, permitted: names }),
        otherNames: atomic(object({ oid: text(), utf8Value: text() })),
        privateKey: object({
          algorithm: oneOfTexts('RSA', 'ECDSA', 'Ed25519'),
          encoding: oneOfTexts('PKCS1', 'PKCS8'),
          rotationPolicy: oneOfTexts('Never', 'Always'),
          size: whole(),
        }),
        renewBefore: text(),
        renewBeforePercentage: whole({ format: 'int32' }),
        revisionHistoryLimit: whole({ format: 'int32', minimum: 1 }),
        secretName: text(),
        secretTemplate: object({ annotations: texts(), labels: texts() }),
        signatureAlgorithm: oneOfTexts('SHA256WithRSA', 'ECDSAWithSHA256', 'PureEd25519'),
        subject: object({ countries: atomic(text()), organizations: atomic(text()), serialNumber: text() }),
        uris: atomic(text()),
        usages: atomic(usages),
      },
      ['issuerRef', 'secretName'],
    ),
    status: object({
      conditions: conditions(),
      failedIssuanceAttempts: whole(),
      lastFailureTime: text({ format: 'date-time' }),
      nextPrivateKeySecretName: text(),
      notAfter: text({ format: 'date-time' }),
      notBefore: text({ format: 'date-time' }),
      renewalTime: text({ format: 'date-time' }),
      revision: whole(),
    }),
  }),
  sample: {
    apiVersion: `${group}/v1`,
    kind: 'Certificate',
    metadata: { name: 'shop' },
    spec: {
      secretName: 'shop-tls',
      commonName: 'shop.example.com',
      dnsNames: ['shop.example.com', '*.shop.example.com'],
      duration: '2160h',
      renewBefore: '360h',
      isCA: false,
      issuerRef: { name: 'letters', kind: 'ClusterIssuer', group },
      keystores: { pkcs12: { create: true, profile: 'Modern2023', passwordSecretRef: { name: 'p', key: 'password' } } },
      privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
      secretTemplate: { labels: { 'example.com/shop': 'yes' } },
      subject: { organizations: ['Example'] },
      usages: ['digital signature', 'server auth'],
    },
  },
  status: {
    conditions: [{ type: 'Ready', status: 'True', message: 'up to date', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    notAfter: '2026-04-01T00:00:00Z',
    revision: 1,
  },
  defaults: {},
  cells: { Name: 'shop', Ready: 'True', Secret: 'shop-tls', Issuer: 'letters', Status: 'up to date' },
  refused: [
    ['no secret', 'secretName', null, ['spec.secretName: Required value']],
    ['no name of an issuer', 'issuerRef', {}, ['spec.issuerRef.name: Required value']],
    [
      'an unknown usage',
      'usages',
      ['cooking'],
      [
        'spec.usages: Unsupported value: "cooking": supported values: "signing", "digital signature", "key encipherment", "server auth", "client auth", "cert sign"',
      ],
    ],
    [
      'no history',
      'revisionHistoryLimit',
      0,
      [
        'spec.revisionHistoryLimit: Invalid value: 0: spec.revisionHistoryLimit in body should be greater than or equal to 1',
      ],
    ],
    [
      'names that are none',
      'dnsNames',
      { a: 'b' },
      ['spec.dnsNames: Invalid value: "object": spec.dnsNames in body must be of type array: "object"'],
    ],
  ],
};

const podTemplate = object({
  metadata: object({ annotations: texts(), labels: texts() }),
  spec: object({ nodeSelector: texts({ 'x-kubernetes-map-type': 'atomic' }), priorityClassName: text() }),
});

const solvers = list(
  object({
    dns01: object({
      cnameStrategy: oneOfTexts('None', 'Follow'),
      route53: object({ hostedZoneID: text(), region: text(), accessKeyIDSecretRef: secretKey }),
      webhook: object(
        { config: { 'x-kubernetes-preserve-unknown-fields': true }, groupName: text(), solverName: text() },
        ['groupName', 'solverName'],
      ),
    }),
    http01: object({
      gatewayHTTPRoute: object({
        labels: texts(),
        parentRefs: atomic(
          object(
            {
              group: text({ default: 'gateway.networking.k8s.io', maxLength: 253 }),
              kind: text({ default: 'Gateway', maxLength: 63, minLength: 1 }),
              name: text({ maxLength: 253, minLength: 1 }),
              port: whole({ format: 'int32', maximum: 65_535, minimum: 1 }),
            },
            ['name'],
          ),
        ),
      }),
      ingress: object({ class: text(), ingressClassName: text(), name: text(), podTemplate }),
    }),
    selector: object({ dnsNames: atomic(text()), dnsZones: atomic(text()), matchLabels: texts() }),
  }),
  { 'x-kubernetes-list-type': 'atomic' },
);

/** The ClusterIssuer of cert-manager, with the settings of whoever solves challenges. */
export const clusterIssuers: OperatorKind = {
  definition: definitionOf({
    group,
    kind: 'ClusterIssuer',
    plural: 'clusterissuers',
    categories: ['cert-manager'],
    scope: 'Cluster',
    columns: [column('Ready', `${ready}.status`), column('Status', `${ready}.message`, { priority: 1 }), ageColumn],
    subresources: { status: {} },
    spec: object({
      acme: object(
        {
          caBundle: text({ format: 'byte' }),
          disableAccountKeyGeneration: boolean,
          email: text(),
          preferredChain: text({ maxLength: 64 }),
          privateKeySecretRef: secretKey,
          server: text(),
          skipTLSVerify: boolean,
          solvers,
        },
        ['privateKeySecretRef', 'server'],
      ),
      ca: object({ crlDistributionPoints: atomic(text()), secretName: text() }, ['secretName']),
      selfSigned: object({ crlDistributionPoints: atomic(text()) }),
      vault: object({ auth: object({ tokenSecretRef: keySelector }), path: text(), server: text() }, [
        'auth',
        'path',
        'server',
      ]),
    }),
    status: object({ acme: object({ uri: text() }), conditions: conditions() }),
  }),
  sample: {
    apiVersion: `${group}/v1`,
    kind: 'ClusterIssuer',
    metadata: { name: 'letters' },
    spec: {
      acme: {
        email: 'ops@example.com',
        server: 'https://acme.example.com/directory',
        privateKeySecretRef: { name: 'letters-key' },
        solvers: [
          { http01: { gatewayHTTPRoute: { parentRefs: [{ name: 'edge' }] } } },
          {
            selector: { dnsZones: ['example.com'] },
            dns01: {
              webhook: { groupName: 'dns.example.com', solverName: 'own', config: { zone: { ids: [1, null] } } },
            },
          },
        ],
      },
      vault: { auth: { tokenSecretRef: { key: 'token' } }, path: 'pki/sign', server: 'https://vault.example.com' },
    },
  },
  defaults: {
    'acme.solvers.0.http01.gatewayHTTPRoute.parentRefs.0.kind': 'Gateway',
    'acme.solvers.0.http01.gatewayHTTPRoute.parentRefs.0.group': 'gateway.networking.k8s.io',
    'acme.solvers.1.dns01.webhook.config': { zone: { ids: [1, null] } },
    'vault.auth.tokenSecretRef.name': '',
  },
  cells: { Name: 'letters', Ready: null, Status: null },
  refused: [
    [
      'a bundle that is not base64',
      'acme.caBundle',
      '%',
      ['spec.acme.caBundle: Invalid value: "%": spec.acme.caBundle in body must be of type byte: "%"'],
    ],
    [
      'no port',
      'acme.solvers.0.http01.gatewayHTTPRoute.parentRefs.0.port',
      0,
      [
        'spec.acme.solvers.http01.gatewayHTTPRoute.parentRefs.port: Invalid value: 0: spec.acme.solvers.http01.gatewayHTTPRoute.parentRefs.port in body should be greater than or equal to 1',
      ],
    ],
  ],
};
