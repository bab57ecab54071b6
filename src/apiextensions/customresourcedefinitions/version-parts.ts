import { errorsOfEach, noErrors } from '../../status/all-errors.ts';
import { type JsonObject, isJsonObject, type JsonValue, getOwn } from '../../meta/json-value.ts';
import type { CustomResourceColumnDefinition } from '../../gen/stored/apiextensions-v1.ts';
import { isSet, stringAt, objectAt } from '../../meta/read-field.ts';
import { type FieldError, invalid, required, tooMany, duplicate } from '../../status/field-error.ts';
import { checkEach } from '../../resources/rules/fields/field-checks.ts';
import { checkCustomSchema, findUnsupported } from './custom-schema.ts';
import { checkDefaults } from './default-values.ts';
import { extensionOf } from '../../scheme/model/structural-schema.ts';
import type { SchemaRules } from './schema-rules.ts';
import { hasStatus, namesOfParts, type SpecParts, type VersionParts } from './spec-parts.ts';
import { checkStructure } from './check-structure.ts';
import { mostPatternSize } from '../../scheme/structural/compile-pattern.ts';
import { patternSize } from '../../scheme/structural/pattern-size.ts';

/** Each field is indexed by every watch cache. */
const mostFields = 8;

const selectableTypes: ReadonlySet<string> = new Set(['string', 'boolean', 'integer']);
const wrongType =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';

/**
 * Checks `selectableFields` of a version: each points to a scalar that the schema declares outside
 * of lists and of metadata.
 */
function selectableFieldErrors({ schema, selectableFields = [] }: VersionParts, path: string): readonly FieldError[] {
  const root = schema?.openAPIV3Schema;
  if (!root && selectableFields.length > 0) {
    return [invalid(path, '', 'selectableFields may only be set when validations.schema is included')];
  }
  const seen = new Set<string>();
  const errors = selectableFields.flatMap(({ jsonPath }, index): readonly FieldError[] => {
    const at = `${path}[${index}]`;
    if (jsonPath === '') return [required(`${at}.jsonPath`)];
    const found = schemaAt(root ?? {}, jsonPath);
    if ('problem' in found) return [invalid(`${at}.jsonPath`, jsonPath, `is an invalid path: ${found.problem}`)];
    const isKnown = seen.has(jsonPath);
    seen.add(jsonPath);
    return [
      ...(/^\.metadata(\.|$)/.test(jsonPath)
        ? [invalid(`${at}.jsonPath`, jsonPath, 'must not point to fields in metadata')]
        : []),
      ...(selectableTypes.has(stringAt(found.schema, 'type')) ? [] : [invalid(`${at}.jsonPath`, jsonPath, wrongType)]),
      ...(isKnown ? [duplicate(`${at}.jsonPath`, jsonPath)] : []),
    ];
  });
  return seen.size > mostFields ? [...errors, tooMany(path, seen.size, mostFields)] : errors;
}

type FoundSchema = { readonly schema: JsonObject } | { readonly problem: string };

/** Finds the schema of a field by a path of names. */
function schemaAt(root: JsonObject, jsonPath: string): FoundSchema {
  if (jsonPath.includes('[')) return { problem: 'array notation is not allowed' };
  if (!jsonPath.startsWith('.')) return { problem: `expected [ or . but got: ${jsonPath}` };
  let schema = root;
  for (const name of jsonPath.slice(1).split('.')) {
    const below = getOwn(objectAt(schema, 'properties'), name);
    if (below === undefined || !isJsonObject(below)) return { problem: 'does not refer to a valid field' };
    schema = below;
  }
  return { schema };
}

/**
 * Refuses a schema whose patterns take too long to compile, which the first object of its kind
 * would have to wait for. Equal patterns count once.
 */
function patternLimitErrors(field: string, schema: JsonObject): readonly FieldError[] {
  const found = new Set<string>();
  collectPatterns(schema, found);
  let size = 0;
  for (const pattern of found) size += patternSize(pattern);
  if (size <= mostPatternSize) return [];
  const why = `its patterns have ${size} characters, with repetitions written out; at most ${mostPatternSize} are allowed`;
  return [invalid(field, '', why)];
}

/** The parts of a schema that are values. */
const values: ReadonlySet<string> = new Set(['default', 'enum', 'example']);

function collectPatterns(part: JsonValue, found: Set<string>): void {
  if (Array.isArray(part)) for (const item of part) collectPatterns(item, found);
  else if (isJsonObject(part)) {
    for (const [name, value] of Object.entries(part)) {
      if (name === 'pattern' && typeof value === 'string') found.add(value);
      else if (!values.has(name)) collectPatterns(value, found);
    }
  }
}

type Check = (part: VersionParts, path: string, hasStatus: boolean) => readonly FieldError[];

/** Checks the parts of a definition, at the top of the spec and in each version. */
export function checkSpecParts(parts: SpecParts, rules: SchemaRules): readonly FieldError[] {
  const checks: Readonly<Record<keyof VersionParts, Check>> = {
    additionalPrinterColumns: columnListErrors,
    schema: schemaErrors(rules),
    subresources: subresourceErrors,
    selectableFields: selectableFieldErrors,
  };
  const { top, versions } = parts;
  const anyStatus = [top, ...versions].some(hasStatus);
  return namesOfParts.flatMap(([name, atTop]) => [
    // A part may need the schema, which can be at the other place.
    ...(top[name] ? checks[name]({ ...versions[0], ...top }, `spec.${atTop}`, anyStatus) : noErrors),
    ...errorsOfEach(versions, (version, index) => {
      const path = `spec.versions[${index}].${name}`;
      return version[name]
        ? checks[name]({ ...top, ...version }, path, hasStatus(top) || hasStatus(version))
        : noErrors;
    }),
  ]);
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** Each row of a Table looks for the values of all columns at once. */
const mostColumns = 100;

function columnListErrors(
  { additionalPrinterColumns: columns = [] }: VersionParts,
  path: string,
): readonly FieldError[] {
  if (columns.length > mostColumns) return [tooMany(path, columns.length, mostColumns)];
  return checkEach(path, columns, columnErrors);
}

function columnErrors(column: CustomResourceColumnDefinition, path: string): readonly FieldError[] {
  const { name, type, format = '', jsonPath } = column;
  const oneOfTypes = `must be one of ${columnTypes.join(',')}`;
  return [
    ...(name === '' ? [required(`${path}.name`)] : []),
    ...(type === '' ? [required(`${path}.type`, oneOfTypes)] : []),
    ...(type === '' || columnTypes.includes(type) ? [] : [invalid(`${path}.type`, type, oneOfTypes)]),
    ...(format === '' || columnFormats.includes(format)
      ? []
      : [invalid(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`)]),
    ...(jsonPath === '' ? [required(`${path}.JSONPath`)] : simplePathErrors(`${path}.JSONPath`, jsonPath)),
  ];
}

function simplePathErrors(field: string, path: string): readonly FieldError[] {
  return path.startsWith('.') ? [] : [invalid(field, path, 'must be a simple json path starting with .')];
}

function schemaErrors({ structural, isDetailed, ...allowed }: SchemaRules): Check {
  return (part, path, withStatus) => {
    const root = part.schema?.openAPIV3Schema;
    if (!root) return [];
    const field = `${path}.openAPIV3Schema`;
    const large = patternLimitErrors(field, root);
    if (large.length > 0) return large;
    const errors = [...(withStatus ? rootErrors(field, root) : []), ...checkCustomSchema(field, root, allowed)];
    if (!structural) return errors;
    const unread = findUnsupported(root);
    if (unread === undefined) return [...errors, ...shapeErrors(field, root, isDetailed === true)];
    return errors.length > 0 ? errors : [invalid(field, '', `OpenAPIV3Schema '${unread}' is not supported`)];
  };
}

/** The parts that the root may have if the status is a sub-resource. */
const atRoot = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
];
const namesAtRoot: ReadonlySet<string> = new Set(atRoot.map((name) => name.toLowerCase()));

/** Parts that kube-apiserver finds before the type. It reports one mistake of a root. */
const beforeType = ['id', '$schema', '$ref'];

function rootErrors(field: string, root: JsonObject): readonly FieldError[] {
  const enabled = 'at the root of the schema if the status subresource is enabled';
  const type = stringAt(root, 'type');
  if (!beforeType.some((name) => isSet(root, name)) && type !== '' && type !== 'object')
    return [invalid(`${field}.type`, type, `only "object" is allowed as the type ${enabled}`)];
  const extensions = new Set(['preserve-unknown-fields', 'validations'].map((name) => extensionOf(root, name)));
  const others = Object.keys(root).filter((name) => !extensions.has(name) && !namesAtRoot.has(name.toLowerCase()));
  return others.length === 0 ? [] : [invalid(field, root, `only [${atRoot.join(' ')}] fields are allowed ${enabled}`)];
}

/** Defaults are checked only in structural schemas. */
function shapeErrors(field: string, schema: JsonObject, isDetailed: boolean): readonly FieldError[] {
  const errors = checkStructure(field, schema);
  return errors.length > 0 ? errors : checkDefaults(field, schema, isDetailed);
}

const replicaPaths = [
  ['specReplicasPath', ['.spec.'], 'should be a json path under .spec'],
  ['statusReplicasPath', ['.status.'], 'should be a json path under .status'],
] as const;

function subresourceErrors({ subresources }: VersionParts, path: string): readonly FieldError[] {
  const scale = subresources?.scale;
  if (!scale) return [];
  const { labelSelectorPath: selector = '' } = scale;
  return [
    ...replicaPaths.flatMap(([name, places, why]) => {
      const [field, given] = [`${path}.scale.${name}`, scale[name]];
      return given === '' ? [required(field)] : placeErrors(field, given, places, why);
    }),
    ...(selector === ''
      ? []
      : placeErrors(
          `${path}.scale.labelSelectorPath`,
          selector,
          ['.spec.', '.status.'],
          'should be a json path under either .spec or .status',
        )),
  ];
}

function placeErrors(field: string, path: string, places: readonly string[], why: string): readonly FieldError[] {
  const errors = simplePathErrors(field, path);
  if (errors.length > 0) return errors;
  return places.some((place) => path.startsWith(place)) ? [] : [invalid(field, path, why)];
}
