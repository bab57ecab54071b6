import { goQuote } from './go-quote.ts';
import { boundedList, jsonText, quotedText } from './shown-value.ts';

/** Formatting stops after this many characters; messages show fewer. */
const printedLength = 8 * 1024;

/** Maximum of formatted items of a list or map; each takes several characters. */
const printedItems = 1024;

const braces = { close: '}', separator: ', ' };

/**
 * Formats a map of strings as Go's `%#v` does. Messages of kube-apiserver show some refused
 * values in this form, and people search for those messages.
 */
export function goStringMap(map: Readonly<Record<string, unknown>> | undefined): string {
  const keys = Object.keys(map ?? {});
  if (!map || keys.length === 0) return 'map[string]string(nil)';
  const shown = keys.length > printedItems ? keys.slice(0, printedItems) : keys;
  const print = (key: string, room: number): string => `${quotedText(key, room)}:${quotedText(textOf(map[key]), room)}`;
  return boundedList(shown.toSorted(), { ...braces, open: 'map[string]string{' }, printedLength, print);
}

/** Formats a list of strings as Go's `%#v` does; `type` is the Go type of the items. */
export function goStrings(list: readonly string[] | undefined, type = 'string'): string {
  if (!list || list.length === 0) return `[]${type}(nil)`;
  return boundedList(list, { ...braces, open: `[]${type}{` }, printedLength, quotedText);
}

/** Formats bytes, undefined for a missing field, as Go's `%#v` does. */
export function goBytes(bytes: Uint8Array | undefined): string {
  if (!bytes) return '[]byte(nil)';
  const shown = [...bytes.subarray(0, printedItems)];
  return boundedList(shown, { ...braces, open: '[]byte{' }, printedLength, goByte);
}

function goByte(byte: number): string {
  return `0x${byte.toString(16)}`;
}

/** Formats a time of the API (`2006-01-02T15:04:05Z`) as Go prints it. */
export function goTime(text: string): string {
  return text.replace(/^(.{10})T(.{8})Z$/, '$1 $2 +0000 UTC');
}

/** The type of a struct's field: string, number, pointer, or list of structs. */
type GoField =
  | 'string'
  | 'int'
  | 'intOrString'
  | '[]string'
  | 'map[string]string'
  | `*${string}`
  | { readonly listOf: GoStruct };

/**
 * A Go struct: its type and its fields in order. The JSON name of a field starts with a small
 * letter unless another name is given.
 */
interface GoStruct {
  readonly type: string;
  readonly fields: readonly (readonly [name: string, content: GoField, json?: string])[];
}

/**
 * Formats a struct as Go's `%#v` does. Go prints the address of a pointer, which is of no use: a
 * struct with a set pointer is formatted as JSON.
 */
export function goStruct(struct: GoStruct, value: Readonly<Record<string, unknown>>): string {
  return structText(struct, value) ?? jsonText(value, printedLength);
}

/** Formats a list of structs in the same way. */
export function goStructList(struct: GoStruct, values: readonly Readonly<Record<string, unknown>>[]): string {
  return listText(struct, values) ?? jsonText(values, printedLength);
}

function structText({ type, fields }: GoStruct, value: Readonly<Record<string, unknown>>): string | undefined {
  const texts = fields.map(([name, content, json]) => {
    const text = fieldText(content, value[json ?? `${name.charAt(0).toLowerCase()}${name.slice(1)}`] ?? undefined);
    return text === undefined ? undefined : `${name}:${text}`;
  });
  return texts.includes(undefined) ? undefined : `${type}{${texts.join(', ')}}`;
}

function fieldText(content: GoField, value: unknown): string | undefined {
  if (typeof content !== 'string') return listText(content.listOf, objectsOf(value));
  if (content.startsWith('*')) return value === undefined ? `(${content})(nil)` : undefined;
  if (content === 'string') return quotedText(textOf(value), printedLength);
  if (content === 'int') return String(Number(value ?? 0));
  if (content === 'intOrString') return goIntOrString(value);
  if (content === '[]string') return goStrings(Array.isArray(value) ? value.slice(0, printedItems).map(textOf) : []);
  return goStringMap(isRecord(value) ? value : undefined);
}

function listText(struct: GoStruct, items: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  const texts = items.slice(0, printedItems).map((item) => structText(struct, item));
  if (texts.includes(undefined)) return undefined;
  return texts.length > 0 ? `[]${struct.type}{${texts.join(', ')}}` : `[]${struct.type}(nil)`;
}

function objectsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The structs that messages show. */
export const goStructs = {
  labelSelector: {
    type: 'v1.LabelSelector',
    fields: [
      ['MatchLabels', 'map[string]string'],
      [
        'MatchExpressions',
        {
          listOf: {
            type: 'v1.LabelSelectorRequirement',
            fields: [
              ['Key', 'string'],
              ['Operator', 'string'],
              ['Values', '[]string'],
            ],
          },
        },
      ],
    ],
  },
  ownerReference: {
    type: 'v1.OwnerReference',
    fields: [
      ['APIVersion', 'string', 'apiVersion'],
      ['Kind', 'string'],
      ['Name', 'string'],
      ['UID', 'string', 'uid'],
      ['Controller', '*bool'],
      ['BlockOwnerDeletion', '*bool'],
    ],
  },
  toleration: {
    type: 'core.Toleration',
    fields: [
      ['Key', 'string'],
      ['Operator', 'string'],
      ['Value', 'string'],
      ['Effect', 'string'],
      ['TolerationSeconds', '*int64'],
    ],
  },
  taint: {
    type: 'core.Taint',
    fields: [
      ['Key', 'string'],
      ['Value', 'string'],
      ['Effect', 'string'],
      ['TimeAdded', '*v1.Time'],
    ],
  },
  nodeAddress: {
    type: 'core.NodeAddress',
    fields: [
      ['Type', 'string'],
      ['Address', 'string'],
    ],
  },
  servicePort: {
    type: 'core.ServicePort',
    fields: [
      ['Name', 'string'],
      ['Protocol', 'string'],
      ['AppProtocol', '*string'],
      ['Port', 'int'],
      ['TargetPort', 'intOrString'],
      ['NodePort', 'int'],
    ],
  },
  nodeConfigSource: { type: 'core.NodeConfigSource', fields: [['ConfigMap', '*core.ConfigMapNodeConfigSource']] },
  scopeSelector: {
    type: 'core.ScopeSelector',
    fields: [
      [
        'MatchExpressions',
        {
          listOf: {
            type: 'core.ScopedResourceSelectorRequirement',
            fields: [
              ['ScopeName', 'string'],
              ['Operator', 'string'],
              ['Values', '[]string'],
            ],
          },
        },
      ],
    ],
  },
  roleRef: {
    type: 'rbac.RoleRef',
    fields: [
      ['APIGroup', 'string', 'apiGroup'],
      ['Kind', 'string'],
      ['Name', 'string'],
    ],
  },
  nonResourceAttributes: {
    type: 'authorization.NonResourceAttributes',
    fields: [
      ['Path', 'string'],
      ['Verb', 'string'],
    ],
  },
  csiNodeDriver: {
    type: 'storage.CSINodeDriver',
    fields: [
      ['Name', 'string'],
      ['NodeID', 'string', 'nodeID'],
      ['TopologyKeys', '[]string'],
      ['Allocatable', '*storage.VolumeNodeResources'],
    ],
  },
} as const satisfies Readonly<Record<string, GoStruct>>;

/** Formats a number or a text (`25%`) as Go's `%#v` does. */
export function goIntOrString(value: unknown): string {
  const [type, number, text] = typeof value === 'string' ? [1, 0, value] : [0, Number(value ?? 0), ''];
  return `intstr.IntOrString{Type:${type}, IntVal:${number}, StrVal:${goQuote(text)}}`;
}
