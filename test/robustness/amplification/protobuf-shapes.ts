import { text, times } from './inputs.ts';
import type { SentRequest, Shape } from './shape.ts';

const mediaType = 'application/vnd.cluster.protobuf';

/** A varint (base 128, the low groups first). */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest < 128 ? rest : (rest % 128) + 128);
    if (rest < 128) return Buffer.from(bytes);
  }
}

/** A field with a length before it. */
function field(number: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function message(...fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}

/** The body of an object with the name `a`, and these fields besides its metadata. */
function create(resource: string, kind: string, ...fields: readonly Buffer[]): SentRequest {
  const type = message(field(1, 'v1'), field(2, kind));
  const raw = message(field(1, field(1, 'a')), ...fields);
  const body = message(Buffer.from('k8s\0'), field(1, type), field(2, raw));
  return { method: 'POST', path: `/api/v1/namespaces/default/${resource}`, body, contentType: mediaType };
}

/** Bodies in Protobuf. */
export const protobufShapes: readonly Shape[] = [
  {
    name: 'Protobuf: a create of many keys',
    start: { keys: 100, length: 1 },
    make: ({ keys = 1, length }) => {
      const entry = (index: number): Buffer => field(2, message(field(1, `key${index}`), field(2, text(length))));
      return { request: create('configmaps', 'ConfigMap', ...times(keys, entry)) };
    },
  },
  {
    name: 'Protobuf: the same key again and again',
    start: { keys: 100, length: 1 },
    make: ({ keys = 1, length }) => {
      const entry = field(2, message(field(1, 'key'), field(2, text(length))));
      return {
        request: create('configmaps', 'ConfigMap', ...times(keys, () => entry)),
      };
    },
  },
  {
    name: 'Protobuf: empty messages in lists, which have defaults',
    start: { containers: 10, ports: 1, volumes: 1 },
    make: ({ containers = 1, ports = 1, volumes = 1 }) => {
      const port = field(6, '');
      const container = field(2, message(field(1, 'c'), ...times(ports, () => port)));
      const spec = message(...times(volumes, () => field(1, '')), ...times(containers, () => container));
      return { request: create('pods', 'Pod', field(2, spec)) };
    },
  },
  {
    name: 'Protobuf: a message in parts, which are merged',
    start: { parts: 10, containers: 1 },
    make: ({ parts = 1, containers = 1 }) => {
      const part = field(2, message(...times(containers, () => field(2, field(1, 'c')))));
      return {
        request: create('pods', 'Pod', ...times(parts, () => part)),
      };
    },
  },
  {
    name: 'Protobuf: owners and managers in the metadata',
    start: { owners: 10, managers: 10, fields: 1 },
    make: ({ owners = 1, managers = 1, fields = 1 }) => {
      const owner = field(13, message(field(1, 'Pod'), field(3, 'a'), field(4, 'u'), field(5, 'v1')));
      const set = JSON.stringify(Object.fromEntries(times(fields, (index) => [`f:a${index}`, {}])));
      const manager = (index: number): Buffer =>
        field(
          17,
          message(
            field(1, `m${index}`),
            field(2, 'Update'),
            field(3, 'v1'),
            field(6, 'FieldsV1'),
            field(7, field(1, set)),
          ),
        );
      const more = message(...times(owners, () => owner), ...times(managers, manager));
      return { request: create('configmaps', 'ConfigMap', field(1, more)) };
    },
  },
];
