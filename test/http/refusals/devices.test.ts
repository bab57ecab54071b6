import type { JsonObject } from '../../../src/meta/json-value.ts';
import { checkRefusals, type Creation, type Update } from './check-refusals.ts';

const requests = (...list: JsonObject[]): JsonObject => ({ spec: { devices: { requests: list } } });
const exactly = (change: JsonObject): JsonObject =>
  requests({ name: 'gpu', exactly: { deviceClassName: 'gpu', ...change } });
const device = (change: JsonObject, spec: JsonObject = {}): JsonObject => ({
  spec: { ...spec, devices: [{ name: 'gpu-0', ...change }] },
});
const selector = (expression: string): JsonObject => exactly({ selectors: [{ cel: { expression } }] });
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const wrongRequest =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
  "alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

const creations: readonly Creation[] = [
  [
    'resourceclaims',
    'configuration without a driver, which is only called missing',
    { spec: { devices: { config: [{ opaque: { driver: '', parameters: { a: 1 } } }] } } },
    ['spec.devices.config[0].opaque.driver: Required value'],
  ],
  ['resourceclaims', 'a toleration without an operator', exactly({ tolerations: [{ key: 'a', operator: '' }] }), []],
  [
    'resourceslices',
    'a list of values that is empty',
    device({ attributes: { a: { strings: [] } } }),
    ['spec.devices[0].attributes[a].strings: Invalid value: []: must not be empty if specified'],
  ],
  [
    'resourceslices',
    'nodes chosen by what is no label, and by no terms',
    {
      spec: {
        nodeName: null,
        nodeSelector: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b/c'] }] }],
        },
      },
    },
    [`spec.nodeSelector.nodeSelectorTerms[0].matchExpressions[0].values[0]: Invalid value: "b/c": ${labelValue}`],
  ],
  [
    'validatingadmissionpolicybindings',
    'an action twice, and parameters without what happens without them',
    { spec: { validationActions: ['Deny', 'Deny'], paramRef: { name: 'a' } } },
    ['spec.validationActions[1]: Duplicate value: "Deny"', 'spec.paramRef.parameterNotFoundAction: Required value'],
  ],
  ['resourceclaims', 'the smallest request', {}, []],
  [
    'resourceclaims',
    'a request named in capitals',
    requests({ name: 'GPU', exactly: { deviceClassName: 'a' } }),
    [`spec.devices.requests[0].name: Invalid value: "GPU": ${label}`],
  ],
  [
    'resourceclaims',
    'a request for nothing',
    requests({ name: 'a' }),
    ['spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required'],
  ],
  [
    'resourceclaims',
    'a request without a class',
    exactly({ deviceClassName: '' }),
    ['spec.devices.requests[0].exactly.deviceClassName: Required value'],
  ],
  [
    'resourceclaims',
    'a count of zero',
    exactly({ allocationMode: 'ExactCount', count: -1 }),
    ['spec.devices.requests[0].exactly.count: Invalid value: -1: must be greater than zero'],
  ],
  [
    'resourceclaims',
    'a count of all',
    exactly({ allocationMode: 'All', count: 2 }),
    ["spec.devices.requests[0].exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'"],
  ],
  [
    'resourceclaims',
    'an unknown mode',
    exactly({ allocationMode: 'Some' }),
    [
      'spec.devices.requests[0].exactly.allocationMode: Unsupported value: "Some": supported values: "All", "ExactCount"',
    ],
  ],
  [
    'resourceclaims',
    'two requests of one name',
    requests({ name: 'a', exactly: { deviceClassName: 'a' } }, { name: 'a', exactly: { deviceClassName: 'a' } }),
    ['spec.devices.requests[1]: Duplicate value: "a"'],
  ],
  [
    'resourceclaims',
    'an expression with a fault',
    selector('device.name'),
    [
      'spec.devices.requests[0].exactly.selectors[0].cel.expression: Invalid value: "device.name": compilation failed: ERROR: <input>:1:7: undefined field \'name\'\n | device.name\n | ......^',
    ],
  ],
  [
    'resourceclaims',
    'an expression that is no condition',
    selector('device.driver'),
    [
      'spec.devices.requests[0].exactly.selectors[0].cel.expression: Invalid value: "device.driver": must evaluate to bool or the unknown type, not string',
    ],
  ],
  [
    'resourceclaims',
    'an expression of a device',
    selector(
      'device.attributes["gpu.example.com"].memory > 3 && device.capacity["gpu.example.com"].memory.compareTo(quantity("1Gi")) >= 0',
    ),
    [],
  ],
  [
    'resourceclaims',
    'an expression that costs too much',
    selector(
      `device.attributes["a"].exists(k, ${'device.attributes["a"].exists(x, '.repeat(3)}k == "a"${')'.repeat(4)}`,
    ),
    ['spec.devices.requests[0].exactly.selectors[0].cel.expression: Forbidden: too complex, exceeds cost limit'],
  ],
  [
    'resourceclaims',
    'an expression of 11 KB',
    selector(`"${'a'.repeat(11_000)}" == "a"`),
    ['spec.devices.requests[0].exactly.selectors[0].cel.expression: Too long: must have at most 10240 bytes'],
  ],
  [
    'resourceclaims',
    'a constraint on a request that is not there',
    { spec: { devices: { constraints: [{ requests: ['other'], matchAttribute: 'gpu.example.com/numa' }] } } },
    [`spec.devices.constraints[0].requests[0]: Invalid value: "other": ${wrongRequest}`],
  ],
  [
    'resourceclaims',
    'a constraint on an attribute without domain',
    { spec: { devices: { constraints: [{ matchAttribute: 'numa' }] } } },
    [
      'spec.devices.constraints[0].matchAttribute: Invalid value: "numa": a fully qualified name must be a domain and a name separated by a slash',
    ],
  ],
  [
    'resourceclaims',
    'configuration without parameters',
    { spec: { devices: { config: [{ opaque: { driver: 'gpu.example.com' } }] } } },
    ['spec.devices.config[0].opaque.parameters: Required value'],
  ],
  [
    'resourceclaims',
    'parameters of 11 KB',
    {
      spec: { devices: { config: [{ opaque: { driver: 'gpu.example.com', parameters: { a: 'a'.repeat(11_000) } } }] } },
    },
    ['spec.devices.config[0].opaque.parameters: Too long: must have at most 10240 bytes'],
  ],
  [
    'resourceclaims',
    'access for administration in any namespace',
    exactly({ adminAccess: true }),
    [
      'spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace',
    ],
  ],
  [
    'resourceclaims',
    'a toleration with too much',
    exactly({ tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] }),
    ['spec.devices.requests[0].exactly.tolerations[0].value: Invalid value: "b": must be empty for operator `Exists`'],
  ],
  [
    'resourceclaims',
    '33 requests',
    requests(...Array.from({ length: 33 }, (_, n) => ({ name: `r${n}`, exactly: { deviceClassName: 'a' } }))),
    ['spec.devices.requests: Too many: 33: must have at most 32 items'],
  ],
  [
    'resourceclaimtemplates',
    'a name for its claims',
    { spec: { metadata: { name: 'a' } } },
    ['spec.metadata.name: Forbidden: cannot be set'],
  ],
  [
    'deviceclasses',
    'a resource that is no extended one',
    { spec: { extendedResourceName: 'cpu' } },
    ['spec.extendedResourceName: Invalid value: "cpu": must be a valid extended resource name'],
  ],
  [
    'resourceslices',
    'two ways to find nodes',
    { spec: { allNodes: true } },
    [
      'spec: Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required, but multiple fields are set',
    ],
  ],
  [
    'resourceslices',
    'a pool without slices',
    { spec: { pool: { resourceSliceCount: 0 } } },
    ['spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero'],
  ],
  [
    'resourceslices',
    'an attribute of two types',
    device({ attributes: { a: { int: 1, bool: true } } }),
    ['spec.devices[0].attributes[a]: Invalid value: {"int":1,"bool":true}: exactly one value must be specified'],
  ],
  [
    'resourceslices',
    'a version that is none',
    device({ attributes: { a: { version: '1' } } }),
    [
      'spec.devices[0].attributes[a].version: Invalid value: "1": must be a string compatible with semver.org spec 2.0.0',
    ],
  ],
  [
    'resourceslices',
    '33 attributes',
    device({ attributes: Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`a${n}`, { int: n }])) }),
    ['spec.devices[0]: Invalid value: 33: the total number of attributes and capacities must not exceed 32'],
  ],
  [
    'resourceslices',
    'a taint without an effect',
    device({ taints: [{ key: 'a' }] }),
    ['spec.devices[0].taints[0].effect: Required value'],
  ],
  [
    'resourceslices',
    'a node of one device',
    device({ nodeName: 'm' }),
    [
      'spec.devices[0]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
    ],
  ],
  [
    'resourceslices',
    'a policy of a device for one claim',
    device({ capacity: { memory: { value: '4Gi', requestPolicy: { default: '1Gi' } } } }),
    ['spec.devices[0].capacity[memory].requestPolicy: Forbidden: allowMultipleAllocations must be true'],
  ],
  [
    'volumeattributesclasses',
    'no parameters',
    { parameters: null },
    ['parameters: Required value: must contain at least one key/value pair'],
  ],
];

const allocation = (change: JsonObject = {}): JsonObject => ({
  allocation: {
    devices: { results: [{ request: 'gpu', driver: 'gpu.example.com', pool: 'n', device: 'gpu-0', ...change }] },
  },
});
const user = { resource: 'pods', name: 'a', uid: 'u' };

const updates: readonly Update[] = [
  [
    'resourceclaims',
    'its request',
    {},
    exactly({ deviceClassName: 'other' }),
    [
      'spec: Invalid value: {"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"other","allocationMode":"ExactCount","count":1}}]}}: field is immutable',
    ],
  ],
  ['resourceclaims/status', 'an allocation', {}, { status: allocation() }, []],
  [
    'resourceclaims/status',
    'an allocation for no request',
    {},
    { status: allocation({ request: 'other' }) },
    [`status.allocation.devices.results[0].request: Invalid value: "other": ${wrongRequest}`],
  ],
  [
    'resourceclaims/status',
    'a reservation without devices',
    {},
    { status: { reservedFor: [user] } },
    ['status.reservedFor: Forbidden: may not be specified when `allocated` is not set'],
  ],
  [
    'resourceclaims/status',
    'two reservations of one pod',
    {},
    { status: { ...allocation(), reservedFor: [user, user] } },
    ['status.reservedFor[1]: Duplicate value: "u"'],
  ],
  [
    'resourceclaims/status',
    'the state of another device',
    {},
    { status: { ...allocation(), devices: [{ driver: 'gpu.example.com', pool: 'n', device: 'gpu-1' }] } },
    ['status.devices[0]: Invalid value: "gpu.example.com/n/gpu-1": must be an allocated device in the claim'],
  ],
  [
    'resourceslices',
    'its node',
    {},
    { spec: { nodeName: 'm' } },
    ['spec.nodeName: Invalid value: "m": field is immutable'],
  ],
  [
    'volumeattributesclasses',
    'its parameters',
    {},
    { parameters: { speed: 'slow' } },
    ['parameters: Forbidden: updates to parameters are forbidden.'],
  ],
];

checkRefusals('devices', creations, updates);

const driver = (allocatable: JsonObject, change: JsonObject = {}): JsonObject => ({
  spec: { drivers: [{ name: 'a.io', nodeID: 'n', topologyKeys: null, allocatable, ...change }] },
});

checkRefusals(
  'drivers of volumes in the newest release',
  [
    [
      'csidrivers',
      'counts too often, and tokens for nobody',
      { spec: { nodeAllocatableUpdatePeriodSeconds: 9, serviceAccountTokenInSecrets: true } },
      [
        'spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds',
        'spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified',
      ],
    ],
  ],
  [
    ['csidrivers', 'what it is told', {}, { spec: { podInfoOnMount: true, fsGroupPolicy: 'File' } }, []],
    [
      'csidrivers',
      'a policy that is none',
      {},
      { spec: { fsGroupPolicy: 'x' } },
      ['spec.fsGroupPolicy: Unsupported value: "x": supported values: "File", "None", "ReadWriteOnceWithFSType"'],
    ],
    ['csinodes', 'how many volumes it has', driver({ count: 1 }), driver({ count: 2 }), []],
    [
      'csinodes',
      'the name of its node',
      driver({ count: 1 }),
      driver({ count: 1 }, { nodeID: 'm' }),
      ['spec.drivers: Invalid value: {"name":"a.io","nodeID":"m","topologyKeys":null}: field is immutable'],
    ],
  ],
  { emulatedRelease: '1.36' },
);
