import { goQuote } from './go-quote.ts';
import { boundedList, jsonText, quotedText } from './shown-value.ts';

/** Printing stops after so many characters; messages show fewer. */
const printedLength = 8 * 1024;

/** Items that are printed of a list or map; each takes several characters. */
const printedItems = 1024;

const braces = { close: '}', separator: ', ' };

/**
 * How Go prints values that have no text of their own. Messages of kube-apiserver show some refused values so, and people
 * search for those messages.
 */
export function goStringMap(map: Readonly<Record<string, unknown>> | undefined): string {
  const keys = Object.keys(map ?? {});
  if (!map || keys.length === 0) return 'map[string]string(nil)';
  const shown = keys.length > printedItems ? keys.slice(0, printedItems) : keys;
  const print = (key: string, room: number): string => `${quotedText(key, room)}:${quotedText(textOf(map[key]), room)}`;
  return boundedList(shown.toSorted(), { ...braces, open: 'map[string]string{' }, printedLength, print);
}

/** A list of texts, as Go prints it; some are lists of a type that is made of texts. */
export function goStrings(list: readonly string[] | undefined, type = 'string'): string {
  if (!list || list.length === 0) return `[]${type}(nil)`;
  return boundedList(list, { ...braces, open: `[]${type}{` }, printedLength, quotedText);
}

/** A time in the form of the API (`2006-01-02T15:04:05Z`) as Go prints one. */
export function goTime(text: string): string {
  return text.replace(/^(.{10})T(.{8})Z$/, '$1 $2 +0000 UTC');
}

/** What stands in a field of a struct: texts, numbers, something behind a pointer, or structs one after the other. */
type GoField =
  | 'string'
  | 'int'
  | 'intOrString'
  | '[]string'
  | 'map[string]string'
  | `*${string}`
  | { readonly listOf: GoStruct };

/** A struct of Go: its type, and its fields in order. In JSON a field begins with a small letter, unless a name is given. */
interface GoStruct {
  readonly type: string;
  readonly fields: readonly (readonly [name: string, content: GoField, json?: string])[];
}

/**
 * A struct as Go prints it. Of what is behind a pointer Go prints the address, which says nothing to anybody: such a struct
 * is shown as JSON.
 */
export function goStruct(struct: GoStruct, value: Readonly<Record<string, unknown>>): string {
  return structText(struct, value) ?? jsonText(value, printedLength);
}

/** The same for a list of structs. */
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

/** A number or a text (`25%`), as Go prints it. */
export function goIntOrString(value: unknown): string {
  const [type, number, text] = typeof value === 'string' ? [1, 0, value] : [0, Number(value ?? 0), ''];
  return `intstr.IntOrString{Type:${type}, IntVal:${number}, StrVal:${goQuote(text)}}`;
}
