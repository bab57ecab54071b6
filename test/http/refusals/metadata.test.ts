import type { JsonObject } from '../../../src/meta/json-value.ts';
import { checkRefusals, type Creation, type Update } from './check-refusals.ts';

const metadata = (change: JsonObject): JsonObject => ({ metadata: change });
const owner = (change: JsonObject): JsonObject => ({ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u', ...change });
const owners = (...list: JsonObject[]): JsonObject => metadata({ ownerReferences: list });
const qualified =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const creations: readonly Creation[] = [
  [
    'configmaps',
    'an owner that is nobody',
    owners({}),
    [
      'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
      'metadata.ownerReferences.kind: Invalid value: "": kind must not be empty',
      'metadata.ownerReferences.name: Invalid value: "": name must not be empty',
      'metadata.ownerReferences.uid: Invalid value: "": uid must not be empty',
    ],
  ],
  [
    'configmaps',
    'an event for an owner',
    owners(owner({ kind: 'Event' })),
    [
      'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"p","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
    ],
  ],
  ['configmaps', 'a controller and an owner', owners(owner({ controller: true }), owner({ uid: 'v' })), []],
  [
    'configmaps',
    'an annotation without a name',
    metadata({ annotations: { 'a b': 'x' } }),
    [`metadata.annotations: Invalid value: "a b": name part ${qualified}`],
  ],
  [
    'configmaps',
    'finalizers that are none, or exclude each other',
    metadata({ finalizers: ['x', 'orphan', 'foregroundDeletion'] }),
    [
      'metadata.finalizers: Invalid value: ["x","orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
      'metadata.finalizers[0]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
    ],
  ],
  [
    'services',
    'a port and types that nobody knows',
    { spec: { type: 'X', sessionAffinity: 'Y', ports: [{ port: 0, protocol: 'Z', targetPort: 'a_b' }] } },
    [
      'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'spec.ports[0].protocol: Unsupported value: "Z": supported values: "SCTP", "TCP", "UDP"',
      'spec.ports[0].targetPort: Invalid value: "a_b": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      'spec.sessionAffinity: Unsupported value: "Y": supported values: "ClientIP", "None"',
      'spec.type: Unsupported value: "X": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ],
  ],
];

const deletion = 'metadata.deletionTimestamp: Invalid value: "2020-01-01T00:00:00Z": field is immutable';

const updates: readonly Update[] = [
  ['configmaps', 'when it was deleted', {}, metadata({ deletionTimestamp: '2020-01-01T00:00:00Z' }), [deletion]],
  ['configmaps', 'when it was made, which is kept', {}, metadata({ creationTimestamp: '2020-01-01T00:00:00Z' }), []],
];

checkRefusals('metadata', creations, updates);
