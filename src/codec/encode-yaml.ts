import type { Scalar } from 'yaml';
import type { JsonValue } from '../meta/json-value.ts';
import { yamlLibrary } from './yaml-library.ts';

const mergeTag = 'tag:yaml.org,2002:merge';

/** Quotes the key `<<`: parsers would read a plain one as the merge key. */
function quoteMergeKey(_: unknown, scalar: Scalar): void {
  if (scalar.value === '<<') scalar.type = yamlLibrary().Scalar.QUOTE_DOUBLE;
}

/**
 * Encodes a value as one YAML document that means the same in YAML 1.1 and 1.2. Strings such as
 * `yes`, `1e3` and `2020-01-01` are quoted. Ends with a newline.
 */
export function encodeYaml(value: JsonValue): string {
  const { Document, visit } = yamlLibrary();
  // The rules of YAML 1.1 decide which strings are quoted, because they give more plain scalars
  // another type than 1.2. The exception is `0o7`, a number in 1.2 only; `compat` covers it.
  const document = new Document(value, {
    version: '1.1',
    schema: 'yaml-1.1',
    compat: 'core',
    customTags: (tags) => tags.filter((tag) => tag !== 'merge' && (typeof tag === 'string' || tag.tag !== mergeTag)),
    aliasDuplicateObjects: false,
    sortMapEntries: false,
  });
  visit(document, { Scalar: quoteMergeKey });
  return document.toString({ lineWidth: 0, indentSeq: false, directives: false });
}
