import { Document, Scalar, visit } from 'yaml';
import type { JsonValue } from '../meta/json-value.ts';

const mergeTag = 'tag:yaml.org,2002:merge';

/** As a plain key, `<<` would be read as something else than it is. */
function quoteMergeKey(_: unknown, scalar: Scalar): void {
  if (scalar.value === '<<') scalar.type = Scalar.QUOTE_DOUBLE;
}

/**
 * Writes a value as one YAML document that YAML 1.1 and 1.2 read alike: texts such as `yes`, `1e3` and `2020-01-01` are
 * quoted. Ends with a newline.
 */
export function encodeYaml(value: JsonValue): string {
  // Rules of 1.1 decide what is quoted; it takes more plain texts for something else than 1.2 does. `0o7` alone is a
  // number in 1.2 only.
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
