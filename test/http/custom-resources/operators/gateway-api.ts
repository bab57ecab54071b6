import type { JsonObject } from '../../../../src/meta/json-value.ts';
import {
  ageColumn,
  atomic,
  column,
  conditions,
  definitionOf,
  keyed,
  labelSelector,
  list,
  object,
  oneOfTexts,
  type OperatorKind,
  rules,
  text,
  texts,
  whole,
} from './schema-parts.ts';

const group = 'gateway.networking.k8s.io';

/** The group belongs to the project, so that its definitions say who approved them. */
const annotations = { 'api-approved.kubernetes.io': 'https://example.com/approved' };

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const names = String.raw`${label}(\.${label})*`;
const groupName = text({ maxLength: 253, pattern: `^$|^${names}$` });
const kindName = text({ maxLength: 63, minLength: 1, pattern: '^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$' });
const hostname = text({ maxLength: 253, minLength: 1, pattern: String.raw`^(\*\.)?${names}$` });
const sectionName = text({ maxLength: 253, minLength: 1, pattern: `^${names}$` });
const objectName = text({ maxLength: 253, minLength: 1 });
const port = whole({ format: 'int32', maximum: 65_535, minimum: 1 });

const newConditions = [
  {
    type: 'Accepted',
    status: 'Unknown',
    reason: 'Pending',
    message: 'Waiting for controller',
    lastTransitionTime: '1970-01-01T00:00:00Z',
  },
];

/** The GatewayClass of the Gateway API, whose new objects have a status. */
export const gatewayClasses: OperatorKind = {
  definition: definitionOf({
    group,
    annotations,
    kind: 'GatewayClass',
    plural: 'gatewayclasses',
    shortNames: ['gc'],
    categories: ['gateway-api'],
    scope: 'Cluster',
    columns: [
      column('Controller', '.spec.controllerName'),
      column('Accepted', `.status.conditions[?(@.type=="Accepted")].status`),
      ageColumn,
      column('Description', '.spec.description', { priority: 1 }),
    ],
    subresources: { status: {} },
    spec: object(
      {
        controllerName: text({
          maxLength: 253,
          minLength: 1,
          pattern: String.raw`^${names}\/[A-Za-z0-9\/\-._~%!$&'()*+,;=:]+$`,
          ...rules(['self == oldSelf', 'Value is immutable']),
        }),
        description: text({ maxLength: 64 }),
        parametersRef: object({ group: groupName, kind: kindName, name: objectName, namespace: text() }, [
          'group',
          'kind',
          'name',
        ]),
      },
      ['controllerName'],
    ),
    status: object(
      { conditions: { ...conditions('lastTransitionTime', 'message', 'reason'), default: newConditions, maxItems: 8 } },
      [],
      { default: { conditions: newConditions } },
    ),
  }),
  sample: {
    apiVersion: `${group}/v1`,
    kind: 'GatewayClass',
    metadata: { name: 'edge' },
    spec: { controllerName: 'example.com/gateways', description: 'At the edge' },
  },
  defaults: {},
  kept: [
    [
      'another controller',
      'controllerName',
      'example.com/others',
      ['spec.controllerName: Invalid value: "string": Value is immutable'],
    ],
  ],
  cells: { Name: 'edge', Controller: 'example.com/gateways', Accepted: 'Unknown', Description: 'At the edge' },
  refused: [
    [
      'a controller without a path',
      'controllerName',
      'example.com',
      [
        String.raw`spec.controllerName: Invalid value: "example.com": spec.controllerName in body should match '^${names}\/[A-Za-z0-9\/\-._~%!$&'()*+,;=:]+$'`,
      ],
    ],
  ],
};

const address = object(
  {
    type: text({ default: 'IPAddress', maxLength: 253, minLength: 1 }),
    value: text({ maxLength: 253 }),
  },
  [],
  {
    oneOf: [
      {
        properties: {
          type: { enum: ['IPAddress'] },
          value: { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] },
        },
      },
      { properties: { type: { not: { enum: ['IPAddress'] } } } },
    ],
  },
);

const allowedRoutes = object(
  {
    kinds: atomic(object({ group: { ...groupName, default: group }, kind: kindName }, ['kind']), { maxItems: 8 }),
    namespaces: object(
      { from: text({ default: 'Same', enum: ['All', 'Selector', 'Same'] }), selector: labelSelector },
      [],
      { default: { from: 'Same' } },
    ),
  },
  [],
  { default: { namespaces: { from: 'Same' } } },
);

const secretRef = object(
  {
    group: { ...groupName, default: '' },
    kind: { ...kindName, default: 'Secret' },
    name: objectName,
    namespace: text({ maxLength: 63, minLength: 1, pattern: `^${label}$` }),
  },
  ['name'],
);

const listener = object(
  {
    allowedRoutes,
    hostname,
    name: sectionName,
    port,
    protocol: text({ maxLength: 255, minLength: 1 }),
    tls: object({
      certificateRefs: atomic(secretRef, { maxItems: 64 }),
      mode: text({ default: 'Terminate', enum: ['Terminate', 'Passthrough'] }),
      options: texts({ maxProperties: 16 }),
    }),
  },
  ['name', 'port', 'protocol'],
);

const listenerRules = rules(
  [
    `self.all(l, l.protocol in ['HTTP', 'TCP', 'UDP'] ? !has(l.tls) : true)`,
    `tls must not be specified for protocols ['HTTP', 'TCP', 'UDP']`,
  ],
  [
    `self.all(l, l.protocol == 'HTTPS' && has(l.tls) ? (l.tls.mode == '' || l.tls.mode == 'Terminate') : true)`,
    'tls mode must be Terminate for protocol HTTPS',
  ],
  [
    'self.all(a, self.exists_one(b, a.port == b.port && a.protocol == b.protocol && (has(a.hostname) && has(b.hostname) ? a.hostname == b.hostname : !has(a.hostname) && !has(b.hostname))))',
    'Combination of port, protocol and hostname must be unique for each listener',
  ],
);

/** The Gateway, by its public documentation. */
export const gateways: OperatorKind = {
  definition: definitionOf({
    group,
    annotations,
    kind: 'Gateway',
    plural: 'gateways',
    shortNames: ['gtw'],
    categories: ['gateway-api'],
    columns: [
      column('Class', '.spec.gatewayClassName'),
      column('Address', '.status.addresses[*].value'),
      column('Programmed', `.status.conditions[?(@.type=="Programmed")].status`),
      ageColumn,
    ],
    subresources: { status: {} },
    spec: object(
      {
        addresses: atomic(address, {
          maxItems: 16,
          ...rules([
            `self.all(a, a.type == 'IPAddress' && has(a.value) ? self.exists_one(b, b.type == a.type && has(b.value) && b.value == a.value) : true)`,
            'IPAddress values must be unique',
          ]),
        }),
        gatewayClassName: objectName,
        infrastructure: object({ annotations: texts({ maxProperties: 16 }), labels: texts({ maxProperties: 8 }) }),
        listeners: keyed(['name'], listener, { maxItems: 64, minItems: 1, ...listenerRules }),
      },
      ['gatewayClassName', 'listeners'],
    ),
    status: object({
      addresses: atomic(address, { maxItems: 16 }),
      conditions: { ...conditions('lastTransitionTime', 'message', 'reason'), maxItems: 8 },
    }),
  }),
  sample: {
    apiVersion: `${group}/v1`,
    kind: 'Gateway',
    metadata: { name: 'edge' },
    spec: {
      gatewayClassName: 'edge',
      addresses: [{ value: '192.0.2.1' }, { type: 'Hostname', value: 'edge.example.com' }],
      listeners: [
        { name: 'http', protocol: 'HTTP', port: 80 },
        {
          name: 'https',
          protocol: 'HTTPS',
          port: 443,
          hostname: '*.example.com',
          tls: { certificateRefs: [{ name: 'shop-tls' }] },
          allowedRoutes: { kinds: [{ kind: 'HTTPRoute' }] },
        },
      ],
    },
  },
  status: {
    addresses: [{ type: 'IPAddress', value: '192.0.2.1' }, { value: '2001:db8::1' }],
    conditions: [
      {
        type: 'Programmed',
        status: 'True',
        reason: 'Programmed',
        message: '',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ],
  },
  defaults: {
    'addresses.0': { type: 'IPAddress', value: '192.0.2.1' },
    'listeners.0.allowedRoutes': { namespaces: { from: 'Same' } },
    'listeners.1.allowedRoutes': { kinds: [{ group, kind: 'HTTPRoute' }], namespaces: { from: 'Same' } },
    'listeners.1.tls': { certificateRefs: [{ group: '', kind: 'Secret', name: 'shop-tls' }], mode: 'Terminate' },
  },
  cells: { Name: 'edge', Class: 'edge', Address: '192.0.2.1', Programmed: 'True' },
  refused: [
    [
      'no listener',
      'listeners',
      [],
      ['spec.listeners: Invalid value: 0: spec.listeners in body should have at least 1 items'],
    ],
    ['two listeners of one name', 'listeners.1.name', 'http', ['spec.listeners[1]: Duplicate value: {"name":"http"}']],
    [
      'a port that is too large',
      'listeners.0.port',
      65_536,
      ['spec.listeners.port: Invalid value: 65536: spec.listeners.port in body should be less than or equal to 65535'],
    ],
    [
      'an address that is none',
      'addresses',
      [{ value: 'nowhere' }],
      [
        '<nil>: Invalid value: "": "spec.addresses" must validate one and only one schema (oneOf). Found none valid',
        '<nil>: Invalid value: "": "spec.addresses.value" must validate at least one schema (anyOf)',
        'spec.addresses.value: Invalid value: "nowhere": spec.addresses.value in body must be of type ipv4: "nowhere"',
      ],
    ],
  ],
};

const headers = keyed(
  ['name'],
  object({ name: text({ minLength: 1 }), value: text({ minLength: 1 }) }, ['name', 'value']),
);

const filter: JsonObject = object(
  {
    requestHeaderModifier: object({
      add: headers,
      remove: list(text(), { 'x-kubernetes-list-type': 'set' }),
      set: headers,
    }),
    requestRedirect: object({
      hostname,
      port,
      scheme: oneOfTexts('http', 'https'),
      statusCode: whole({ default: 302, enum: [301, 302] }),
    }),
    type: oneOfTexts('RequestHeaderModifier', 'RequestRedirect', 'URLRewrite', 'ExtensionRef'),
  },
  ['type'],
  rules([
    `!(has(self.requestRedirect) && self.type != 'RequestRedirect')`,
    'filter.requestRedirect must be nil if the filter.type is not RequestRedirect',
  ]),
);

const match = object({
  headers: keyed(
    ['name'],
    object(
      {
        name: text({ minLength: 1 }),
        type: text({ default: 'Exact', enum: ['Exact', 'RegularExpression'] }),
        value: text(),
      },
      ['name', 'value'],
    ),
  ),
  method: oneOfTexts('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'),
  path: object(
    {
      type: text({ default: 'PathPrefix', enum: ['Exact', 'PathPrefix', 'RegularExpression'] }),
      value: text({ default: '/', maxLength: 1024 }),
    },
    [],
    { default: { type: 'PathPrefix', value: '/' } },
  ),
});

const backend = object(
  {
    filters: atomic(filter),
    group: { ...groupName, default: '' },
    kind: { ...kindName, default: 'Service' },
    name: objectName,
    port,
    weight: whole({ default: 1, format: 'int32', maximum: 1_000_000, minimum: 0 }),
  },
  ['name'],
);

const rule = object({
  backendRefs: atomic(backend, { maxItems: 16 }),
  filters: atomic(filter, { maxItems: 16 }),
  matches: atomic(match, { default: [{ path: { type: 'PathPrefix', value: '/' } }], maxItems: 64 }),
  timeouts: object({ request: text({ pattern: '^([0-9]{1,5}(h|m|s|ms)){1,4}$' }) }),
});

/** The HTTPRoute: defaults inside defaults. */
export const httpRoutes: OperatorKind = {
  definition: definitionOf({
    group,
    annotations,
    kind: 'HTTPRoute',
    plural: 'httproutes',
    categories: ['gateway-api'],
    columns: [column('Hostnames', '.spec.hostnames'), ageColumn],
    subresources: { status: {} },
    spec: object({
      hostnames: atomic(hostname, { maxItems: 16 }),
      parentRefs: atomic(
        object(
          {
            group: { ...groupName, default: group },
            kind: { ...kindName, default: 'Gateway' },
            name: objectName,
            sectionName,
          },
          ['name'],
        ),
        { maxItems: 32 },
      ),
      rules: atomic(rule, {
        default: [{ matches: [{ path: { type: 'PathPrefix', value: '/' } }] }],
        maxItems: 16,
      }),
    }),
    status: object({ parents: atomic({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }) }),
  }),
  sample: {
    apiVersion: `${group}/v1`,
    kind: 'HTTPRoute',
    metadata: { name: 'shop' },
    spec: {
      parentRefs: [{ name: 'edge', sectionName: 'https' }],
      hostnames: ['shop.example.com', '*.shop.example.com'],
      rules: [
        { backendRefs: [{ name: 'web', port: 80 }] },
        {
          matches: [{ path: { value: '/old' }, headers: [{ name: 'x-a', value: 'b' }] }, { method: 'POST' }],
          filters: [{ type: 'RequestRedirect', requestRedirect: { scheme: 'https' } }],
        },
      ],
    },
  },
  defaults: {
    'parentRefs.0': { group, kind: 'Gateway', name: 'edge', sectionName: 'https' },
    'rules.0': {
      backendRefs: [{ group: '', kind: 'Service', name: 'web', port: 80, weight: 1 }],
      matches: [{ path: { type: 'PathPrefix', value: '/' } }],
    },
    'rules.1.matches': [
      { headers: [{ name: 'x-a', type: 'Exact', value: 'b' }], path: { type: 'PathPrefix', value: '/old' } },
      { method: 'POST', path: { type: 'PathPrefix', value: '/' } },
    ],
    'rules.1.filters.0.requestRedirect': { scheme: 'https', statusCode: 302 },
  },
  cells: { Name: 'shop', Hostnames: '["shop.example.com","*.shop.example.com"]' },
  refused: [
    [
      'a filter of another type than it says',
      'rules.1.filters.0.type',
      'URLRewrite',
      [
        'spec.rules[1].filters[0]: Invalid value: "object": filter.requestRedirect must be nil if the filter.type is not RequestRedirect',
      ],
    ],
    [
      'a status code of another kind',
      'rules.1.filters.0.requestRedirect.statusCode',
      200,
      [
        'spec.rules.filters.requestRedirect.statusCode: Unsupported value: 200: supported values: "301", "302"',
        '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
      ],
    ],
    [
      'a host name with capitals',
      'hostnames',
      ['Shop'],
      [String.raw`spec.hostnames: Invalid value: "Shop": spec.hostnames in body should match '^(\*\.)?${names}$'`],
    ],
  ],
};
