import type { JsonObject } from '../../../src/meta/json-value.ts';
import { checkRefusals, type Creation } from './check-refusals.ts';

const at = 'spec.containers[0]';
const pod = (container: JsonObject): JsonObject => ({
  spec: {
    volumes: [
      { name: 'v', emptyDir: {} },
      { name: 'p', persistentVolumeClaim: { claimName: 'c' } },
    ],
    containers: [{ name: 'c', image: 'i', ...container }],
  },
});

const rows: readonly (readonly [what: string, container: JsonObject, errors: readonly string[]])[] = [
  [
    'a device of nothing',
    { volumeDevices: [{}] },
    [
      `${at}.volumeDevices[0].name: Required value`,
      `${at}.volumeDevices[0].name: Not found: ""`,
      `${at}.volumeDevices[0].devicePath: Required value`,
    ],
  ],
  [
    'a device that is a directory',
    { volumeDevices: [{ name: 'v', devicePath: '/d' }] },
    [
      `${at}.volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim for block mode`,
    ],
  ],
  [
    'a device twice',
    {
      volumeDevices: [
        { name: 'p', devicePath: '/a' },
        { name: 'p', devicePath: '/a' },
      ],
    },
    [
      `${at}.volumeDevices[1].name: Invalid value: "p": must be unique`,
      `${at}.volumeDevices[1].devicePath: Invalid value: "/a": must be unique`,
    ],
  ],
  [
    'a mount that is a device',
    { volumeMounts: [{ name: 'p', mountPath: '/a' }], volumeDevices: [{ name: 'p', devicePath: '/a' }] },
    [
      `${at}.volumeMounts[0].name: Invalid value: "p": must not already exist in volumeDevices`,
      `${at}.volumeMounts[0].mountPath: Invalid value: "/a": must not already exist as a path in volumeDevices`,
      `${at}.volumeDevices[0].name: Invalid value: "p": must not already exist in volumeMounts`,
      `${at}.volumeDevices[0].devicePath: Invalid value: "/a": must not already exist as a path in volumeMounts`,
    ],
  ],
  [
    'a mount outside of its volume',
    { volumeMounts: [{ name: 'v', mountPath: '/a', subPath: '..' }] },
    [`${at}.volumeMounts.subPath: Invalid value: "..": must not contain '..'`],
  ],
  [
    'an unknown propagation',
    { volumeMounts: [{ name: 'v', mountPath: '/a', mountPropagation: 'x' }] },
    [
      `${at}.volumeMounts.mountPropagation: Unsupported value: "x": supported values: "Bidirectional", "HostToContainer", "None"`,
    ],
  ],
];

checkRefusals(
  'mounts and devices',
  rows.map(([what, container, errors]): Creation => ['pods', what, pod(container), errors]),
);
