import { getOwn, isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { isSet, isTrue, objectAt, stringAt } from '../../meta/read-field.ts';
import { allErrors, errorsOfEach, noErrors } from '../../status/all-errors.ts';
import { type FieldError, forbidden, invalid, notSupported } from '../../status/field-error.ts';
import { checkRules } from '../expression-rules/check-rules.ts';
import { checkListType } from './list-type.ts';
import { checkMapType } from './map-type.ts';
import { patternError } from './pattern.ts';
import { extensionOf, hasExtension } from '../../scheme/model/structural-schema.ts';
import { isLeaf, propertiesOf, schemaIn, schemasByName, schemasIn } from './schema-parts.ts';

/** The allowed parts of a schema: they differ between versions (`SchemaRules`) and in metadata. */
interface AllowedContent {
  /** Set if any text is accepted as a type. */
  readonly anyType?: true;
  /** The reason why a default is forbidden here. */
  readonly noDefault?: string;
}

/** The position of a schema: at the root, inside the metadata of an object, or elsewhere. */
interface SchemaPosition extends AllowedContent {
  readonly root?: true;
  readonly insideMetadata?: true;
}

/**
 * All errors of a schema of custom resources, except the errors of its structure. `path` is the
 * path of the root.
 */
export function checkCustomSchema(path: string, schema: JsonObject, allowed: AllowedContent): readonly FieldError[] {
  return allErrors(
    isTrue(schema, 'nullable') ? [forbidden(`${path}.nullable`, 'nullable cannot be true at the root')] : noErrors,
    schemaErrors(path, schema, { root: true, ...allowed }),
  );
}

function schemaErrors(path: string, schema: JsonObject, position: SchemaPosition): readonly FieldError[] {
  return allErrors(
    supportErrors(path, schema, position),
    isTrue(schema, 'uniqueItems')
      ? [
          forbidden(
            `${path}.uniqueItems`,
            'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
          ),
        ]
      : noErrors,
    additionalErrors(path, schema),
    partErrors(path, schema, position),
    preservationErrors(path, schema),
    checkMapType(path, schema),
    checkListType(path, schema),
    checkRules(path, schema),
  );
}

function partErrors(
  path: string,
  schema: JsonObject,
  { root: isRoot, ...position }: SchemaPosition,
): readonly FieldError[] {
  if (isLeaf(schema)) return noErrors;
  const others = ['additionalProperties', 'not', 'items'].flatMap((name) => schemaIn(path, schema, name));
  const listed = ['allOf', 'oneOf', 'anyOf', 'items'].flatMap((name) => schemasIn(path, schema, name));
  const named = ['definitions', 'dependencies'].flatMap((name) => schemasByName(path, schema, name));
  const metadata = `${path}.properties[metadata]`;
  const isObject = isRoot === true || hasExtension(schema, 'embedded-resource');
  const inMetadata: SchemaPosition = {
    ...position,
    insideMetadata: true,
    ...(isRoot ? { noDefault: 'in top-level metadata' } : {}),
  };
  return allErrors(
    errorsOfEach(propertiesOf(path, schema), ([at, part]) =>
      schemaErrors(at, part, isObject && at === metadata ? inMetadata : position),
    ),
    errorsOfEach([...others, ...listed, ...named], ([at, part]) => schemaErrors(at, part, position)),
  );
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Parts of JSON Schema that OpenAPI or this server does not support. */
const unsupportedParts: readonly string[] = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
];

/** True if a schema has an unsupported part. An empty `$ref` counts, other empty values do not. */
function hasPart(schema: JsonObject, name: string): boolean {
  return isSet(schema, name) && (name === '$ref' || getOwn(schema, name) !== '');
}

function supportErrors(path: string, schema: JsonObject, position: SchemaPosition): readonly FieldError[] {
  const type = stringAt(schema, 'type');
  const pattern = isSet(schema, 'pattern') ? patternError(stringAt(schema, 'pattern')) : undefined;
  const embedded = position.insideMetadata && extensionOf(schema, 'embedded-resource');
  return [
    ...(type === '' || position.anyType || types.includes(type) ? [] : [notSupported(`${path}.type`, type, types)]),
    ...(isSet(schema, 'default') && position.noDefault
      ? [forbidden(`${path}.default`, `must not be set ${position.noDefault}`)]
      : []),
    ...unsupportedParts
      .filter((name) => hasPart(schema, name))
      .map((name) => forbidden(`${path}.${name}`, `${name} is not supported`)),
    ...(type === 'null'
      ? [forbidden(`${path}.type`, 'type cannot be set to null, use nullable as an alternative')]
      : []),
    ...(Array.isArray(schema['items'])
      ? [forbidden(`${path}.items`, 'items must be a schema object and not an array')]
      : []),
    ...(embedded ? [forbidden(`${path}.${embedded}`, 'must not be used inside of resource meta')] : []),
    ...(pattern === undefined
      ? []
      : [
          invalid(
            `${path}.pattern`,
            stringAt(schema, 'pattern'),
            `must be a valid regular expression, but isn't: ${pattern}`,
          ),
        ]),
  ];
}

/** Refuses `additionalProperties` beside `properties`. */
function additionalErrors(path: string, schema: JsonObject): readonly FieldError[] {
  const others = schema['additionalProperties'];
  const named = Object.keys(objectAt(schema, 'properties')).length > 0;
  return named && (others === false || isJsonObject(others ?? null))
    ? [forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive')]
    : noErrors;
}

function preservationErrors(path: string, schema: JsonObject): readonly FieldError[] {
  const extension = extensionOf(schema, 'preserve-unknown-fields');
  return extension !== undefined && schema[extension] === false
    ? [invalid(`${path}.${extension}`, false, 'must be true or undefined')]
    : noErrors;
}

/**
 * The first unsupported part in a schema or in its parts; undefined if there is none. With such a
 * part the structure is not checked.
 */
export function findUnsupported(schema: JsonObject): string | undefined {
  const preserve = extensionOf(schema, 'preserve-unknown-fields');
  if (preserve !== undefined && schema[preserve] === false) return preserve;
  const own = unsupportedParts.find((name) => hasPart(schema, name));
  if (own !== undefined) return own;
  if (hasPart(schema, '$schema')) return 'schema';
  const single = ['additionalProperties', 'not', 'items'].flatMap((name) => schemaIn('', schema, name));
  const listed = ['allOf', 'oneOf', 'anyOf'].flatMap((name) => schemasIn('', schema, name));
  for (const [, part] of [...propertiesOf('', schema), ...single, ...listed]) {
    const found = findUnsupported(part);
    if (found !== undefined) return found;
  }
  return undefined;
}
