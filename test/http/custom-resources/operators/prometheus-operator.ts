import { stringAt } from '../../../../src/meta/read-field.ts';
import {
  ageColumn,
  atomic,
  boolean,
  column,
  conditions,
  definitionOf,
  keyed,
  keySelector,
  labelSelector,
  list,
  object,
  oneOfTexts,
  type OperatorKind,
  quantity,
  text,
  texts,
  whole,
} from './schema-parts.ts';

const group = 'monitoring.coreos.com';
const duration = text({
  pattern: '^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$',
});

const relabeling = object({
  action: text({
    default: 'replace',
    enum: ['replace', 'Replace', 'keep', 'Keep', 'drop', 'Drop', 'hashmod', 'labelmap'],
  }),
  modulus: whole({ format: 'int64' }),
  regex: text(),
  replacement: text(),
  separator: text(),
  sourceLabels: list(text({ pattern: '^[a-zA-Z_][a-zA-Z0-9_]*$' })),
  targetLabel: text(),
});

const tls = object({
  ca: object({ configMap: keySelector, secret: keySelector }),
  insecureSkipVerify: boolean,
  minVersion: oneOfTexts('TLS10', 'TLS11', 'TLS12', 'TLS13'),
  serverName: text(),
});

const endpoint = object({
  authorization: object({ credentials: keySelector, type: text() }),
  basicAuth: object({ password: keySelector, username: keySelector }),
  enableHttp2: boolean,
  followRedirects: boolean,
  honorLabels: boolean,
  interval: duration,
  metricRelabelings: list(relabeling),
  params: { type: 'object', additionalProperties: list(text()) },
  path: text(),
  port: text(),
  relabelings: list(relabeling),
  scheme: oneOfTexts('http', 'https'),
  scrapeTimeout: duration,
  targetPort: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
  tlsConfig: tls,
});

/** The ServiceMonitor of the Prometheus operator, by its public documentation. */
export const serviceMonitors: OperatorKind = {
  definition: definitionOf({
    group,
    kind: 'ServiceMonitor',
    plural: 'servicemonitors',
    shortNames: ['smon'],
    categories: ['prometheus-operator'],
    spec: object(
      {
        attachMetadata: object({ node: boolean }),
        bodySizeLimit: text({ pattern: '(^0|([0-9]*[.])?[0-9]+((K|M|G|T|E|P)i?)?B)$' }),
        endpoints: list(endpoint),
        jobLabel: text(),
        namespaceSelector: object({ any: boolean, matchNames: list(text()) }),
        sampleLimit: whole({ format: 'int64' }),
        scrapeProtocols: list(oneOfTexts('PrometheusProto', 'OpenMetricsText1.0.0', 'PrometheusText0.0.4'), {
          'x-kubernetes-list-type': 'set',
        }),
        selector: labelSelector,
        targetLabels: list(text()),
      },
      ['endpoints', 'selector'],
    ),
  }),
  sample: {
    apiVersion: `${group}/v1`,
    kind: 'ServiceMonitor',
    metadata: { name: 'shop', labels: { release: 'main' } },
    spec: {
      selector: { matchLabels: { app: 'shop' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['web'] }] },
      namespaceSelector: { matchNames: ['shop'] },
      scrapeProtocols: ['PrometheusProto', 'PrometheusText0.0.4'],
      endpoints: [
        {
          port: 'metrics',
          interval: '1m30s',
          scheme: 'https',
          params: { match: ['a', 'b'] },
          basicAuth: { username: { key: 'user' }, password: { key: 'password', name: 'login' } },
          tlsConfig: { insecureSkipVerify: true },
          relabelings: [{ sourceLabels: ['__meta_kubernetes_pod_name'], targetLabel: 'pod' }],
        },
        { targetPort: 9090, metricRelabelings: [{ action: 'drop', regex: 'go_.*' }] },
        { targetPort: 'https', path: '/metrics' },
      ],
    },
  },
  defaults: {
    'endpoints.0.relabelings.0.action': 'replace',
    'endpoints.0.basicAuth.username.name': '',
    'endpoints.0.basicAuth.password.name': 'login',
    'endpoints.1.metricRelabelings.0.action': 'drop',
    'endpoints.1.targetPort': 9090,
    'endpoints.2.targetPort': 'https',
  },
  cells: { Name: 'shop' },
  refused: [
    [
      'an interval without a unit',
      'endpoints.0.interval',
      '30',
      [
        `spec.endpoints.interval: Invalid value: "30": spec.endpoints.interval in body should match '${stringAt(duration, 'pattern')}'`,
      ],
    ],
    [
      'a protocol twice',
      'scrapeProtocols',
      ['PrometheusProto', 'PrometheusProto'],
      ['spec.scrapeProtocols[1]: Duplicate value: "PrometheusProto"'],
    ],
    [
      'a port that is neither number nor text',
      'endpoints.1.targetPort',
      [],
      [
        'spec.endpoints.targetPort: Invalid value: "array": spec.endpoints.targetPort in body must be of type integer,string: "array"',
        '<nil>: Invalid value: "": "spec.endpoints.targetPort" must validate at least one schema (anyOf)',
        'spec.endpoints.targetPort: Invalid value: "array": spec.endpoints.targetPort in body must be of type integer: "array"',
      ],
    ],
  ],
};

/** The PrometheusRule, whose expressions may be numbers. */
export const prometheusRules: OperatorKind = {
  definition: definitionOf({
    group,
    kind: 'PrometheusRule',
    plural: 'prometheusrules',
    shortNames: ['promrule'],
    categories: ['prometheus-operator'],
    spec: object({
      groups: keyed(
        ['name'],
        object(
          {
            interval: duration,
            limit: whole(),
            name: text({ minLength: 1 }),
            partial_response_strategy: text({ pattern: '^(?i)(abort|warn)?$' }),
            rules: list(
              object(
                {
                  alert: text(),
                  annotations: texts(),
                  expr: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
                  for: duration,
                  labels: texts(),
                  record: text(),
                },
                ['expr'],
              ),
            ),
          },
          ['name'],
        ),
      ),
    }),
  }),
  sample: {
    apiVersion: `${group}/v1`,
    kind: 'PrometheusRule',
    metadata: { name: 'shop' },
    spec: {
      groups: [
        {
          name: 'shop',
          interval: '30s',
          partial_response_strategy: 'WARN',
          rules: [
            { record: 'always', expr: 1 },
            {
              alert: 'Down',
              expr: 'up == 0',
              for: '5m',
              labels: { severity: 'page' },
              annotations: { summary: 'down' },
            },
          ],
        },
      ],
    },
  },
  defaults: { 'groups.0.rules.0.expr': 1 },
  cells: { Name: 'shop' },
  refused: [
    ['a rule without an expression', 'groups.0.rules.0', { alert: 'a' }, ['spec.groups.rules.expr: Required value']],
    [
      'two groups of one name',
      'groups',
      [{ name: 'a' }, { name: 'a' }],
      ['spec.groups[1]: Duplicate value: {"name":"a"}'],
    ],
  ],
};

const container = object(
  {
    args: list(text()),
    env: keyed(
      ['name'],
      object({ name: text(), value: text(), valueFrom: object({ secretKeyRef: keySelector }) }, ['name']),
    ),
    image: text(),
    name: text(),
    ports: keyed(
      ['containerPort', 'protocol'],
      object({ containerPort: whole({ format: 'int32' }), name: text(), protocol: text({ default: 'TCP' }) }, [
        'containerPort',
      ]),
    ),
    resources: object({
      limits: { type: 'object', additionalProperties: quantity },
      requests: { type: 'object', additionalProperties: quantity },
    }),
  },
  ['name'],
);

/** The Prometheus, which is scaled and embeds a claim. */
export const prometheuses: OperatorKind = {
  definition: definitionOf({
    group,
    kind: 'Prometheus',
    plural: 'prometheuses',
    shortNames: ['prom'],
    categories: ['prometheus-operator'],
    columns: [
      column('Version', '.spec.version'),
      column('Desired', '.spec.replicas', { type: 'integer' }),
      column('Ready', '.status.availableReplicas', { type: 'integer' }),
      column('Reconciled', `.status.conditions[?(@.type == 'Reconciled')].status`),
      column('Paused', '.status.paused', { type: 'boolean', priority: 1 }),
      ageColumn,
    ],
    subresources: {
      status: {},
      scale: {
        labelSelectorPath: '.status.selector',
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
      },
    },
    spec: object({
      containers: keyed(['name'], container),
      evaluationInterval: { ...duration, default: '30s' },
      externalLabels: texts(),
      listenLocal: boolean,
      logLevel: text({ enum: ['', 'debug', 'info', 'warn', 'error'] }),
      maximumStartupDurationSeconds: whole({ format: 'int32', minimum: 60 }),
      paused: boolean,
      podMonitorSelector: labelSelector,
      portName: text({ default: 'web' }),
      replicas: whole({ format: 'int32' }),
      resources: object({
        limits: { type: 'object', additionalProperties: quantity },
        requests: { type: 'object', additionalProperties: quantity },
      }),
      retention: duration,
      scrapeInterval: { ...duration, default: '30s' },
      serviceMonitorSelector: labelSelector,
      storage: object({
        volumeClaimTemplate: object({
          apiVersion: text(),
          kind: text(),
          metadata: object({ annotations: texts(), labels: texts(), name: text() }),
          spec: object({
            accessModes: atomic(text()),
            resources: object({ requests: { type: 'object', additionalProperties: quantity } }),
            storageClassName: text(),
          }),
        }),
      }),
      tsdb: object({ outOfOrderTimeWindow: duration }),
      version: text(),
      web: object({ maxConnections: whole({ format: 'int32', minimum: 0 }), pageTitle: text() }),
    }),
    status: object({
      availableReplicas: whole({ format: 'int32' }),
      conditions: conditions('lastTransitionTime'),
      paused: boolean,
      replicas: whole({ format: 'int32' }),
      selector: text(),
    }),
  }),
  sample: {
    apiVersion: `${group}/v1`,
    kind: 'Prometheus',
    metadata: { name: 'main' },
    spec: {
      replicas: 2,
      version: 'v3.1.0',
      serviceMonitorSelector: { matchLabels: { release: 'main' } },
      resources: { requests: { memory: '400Mi', cpu: 2 }, limits: { memory: '1.5Gi' } },
      storage: {
        volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '50Gi' } } } },
      },
      containers: [{ name: 'proxy', image: 'proxy:1', ports: [{ containerPort: 8443, name: 'https' }] }],
    },
  },
  status: {
    availableReplicas: 1,
    replicas: 2,
    selector: 'app=main',
    paused: false,
    conditions: [{ type: 'Reconciled', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
  },
  defaults: {
    evaluationInterval: '30s',
    scrapeInterval: '30s',
    portName: 'web',
    'containers.0.ports.0.protocol': 'TCP',
    'resources.requests': { cpu: 2, memory: '400Mi' },
  },
  cells: { Name: 'main', Version: 'v3.1.0', Desired: 2, Ready: 1, Reconciled: 'True', Paused: false },
  refused: [
    [
      'an amount that is none',
      'resources.limits',
      { memory: 'much' },
      [
        `spec.resources.limits.memory: Invalid value: "much": spec.resources.limits.memory in body should match '${stringAt(quantity, 'pattern')}'`,
      ],
    ],
    [
      'two ports of one number',
      'containers.0.ports',
      [{ containerPort: 1 }, { containerPort: 1, protocol: 'TCP' }],
      ['spec.containers[0].ports[1]: Duplicate value: {"containerPort":1,"protocol":"TCP"}'],
    ],
    [
      'a start that is too short',
      'maximumStartupDurationSeconds',
      59,
      [
        'spec.maximumStartupDurationSeconds: Invalid value: 59: spec.maximumStartupDurationSeconds in body should be greater than or equal to 60',
      ],
    ],
  ],
};
