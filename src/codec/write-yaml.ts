import type * as Yaml from 'yaml';
import type { Scalar } from 'yaml';
import type { JsonValue } from '../meta/json-value.ts';
import { compareYamlKeys } from './compare-yaml-keys.ts';

/** The parts of the YAML library that write documents. */
type YamlWriter = Pick<typeof Yaml, 'Document' | 'Scalar' | 'visit'>;

const mergeTag = 'tag:yaml.org,2002:merge';

/**
 * Writes a value as YAML with the keys of mappings in the order of kube-apiserver. The library is a
 * parameter, because a thread has its own copy.
 */
export function writeYaml(value: JsonValue, { Document, Scalar: { QUOTE_DOUBLE }, visit }: YamlWriter): string {
  // The rules of YAML 1.1 decide which strings are quoted, because they give more plain scalars
  // another type than 1.2. The exception is `0o7`, a number in 1.2 only; `compat` covers it.
  const document = new Document(value, {
    version: '1.1',
    schema: 'yaml-1.1',
    compat: 'core',
    customTags: (tags) => tags.filter((tag) => tag !== 'merge' && (typeof tag === 'string' || tag.tag !== mergeTag)),
    aliasDuplicateObjects: false,
    sortMapEntries: ({ key }, { key: other }) => compareYamlKeys(keyText(key), keyText(other)),
  });
  // Parsers would read a plain `<<` as the merge key.
  const quoteMergeKey = (_: unknown, scalar: Scalar): void => {
    if (scalar.value === '<<') scalar.type = QUOTE_DOUBLE;
  };
  visit(document, { Scalar: quoteMergeKey });
  return document.toString({ lineWidth: 0, indentSeq: false, directives: false });
}

/** The text of a key, which the library may have wrapped in a node. */
function keyText(key: unknown): string {
  return String(typeof key === 'object' && key !== null && 'value' in key ? key.value : key);
}
