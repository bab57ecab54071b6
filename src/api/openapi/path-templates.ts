import { memoize } from '../../meta/memoize.ts';
import type { ServedResource } from '../../registry/definition/catalogue.ts';
import { type DefinedSchema, definedName } from '../../scheme/open-api-definition.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import type { DocumentFormat } from './document-format.ts';
import type { EncodedSection } from './document-piece.ts';
import { encodedSection } from './encoded-section.ts';
import { capitalised, groupName, groupTag } from './group-name.ts';
import { listSchemaOf } from './list-schema.ts';
import type { OpenApiNames } from './operation.ts';
import { publishedSchema, resourcePaths } from './resource-paths.ts';
import { filledText, type TextTemplate, textTemplate } from './text-template.ts';

/** The paths of custom resources of one shape, with gaps for the names. */
interface SectionTemplate {
  readonly paths: readonly {
    readonly name: TextTemplate;
    readonly encode: (gaps: readonly string[]) => Buffer;
  }[];
  readonly schemas: readonly DefinedSchema[];
  /** The resource that the template was made of. */
  readonly model: ServedResource;
}

/**
 * Encodes the paths of custom resources. Those of two resources differ in their names alone, so
 * that they are encoded once for each shape. Undefined for names that JSON does not have as they
 * are.
 */
export function templatedSection(
  served: ServedResource,
  format: DocumentFormat,
  names: OpenApiNames,
): EncodedSection | undefined {
  const gaps = gapsOf(served, names);
  if (!gaps.every((gap) => plainName.test(gap))) return undefined;
  const templates = templatesOf(format)(names);
  const shape = shapeOf(served);
  let template = templates.get(shape);
  if (!template) templates.set(shape, (template = makeTemplate(served, format, names)));
  return filled(template, served, gaps);
}

const templatesOf = memoize((_format: DocumentFormat) =>
  memoize((_names: OpenApiNames) => new Map<string, SectionTemplate>()),
);

/** Names that are written in JSON as they are. */
const plainName = /^[\w.-]*$/;

/** All that the paths of a custom resource depend on besides its names. */
function shapeOf({ info, version }: ServedResource): string {
  const { namespaced, strategy } = info;
  const subresources = version.subresources.map(({ name, verbs, kind }) => [name, verbs, kind?.kind]);
  return JSON.stringify([namespaced, version.verbs, subresources, strategy.returnsDeletedObject === true]);
}

/** The names in the paths of a resource; a name that contains others is before them. */
function gapsOf({ info, version: served }: ServedResource, { identifiers }: OpenApiNames): readonly string[] {
  const { group, kind, listKind, resource } = info;
  const { version } = served;
  const schema = publishedSchema(served);
  return [
    definedName(listSchemaOf(schema, listKind), identifiers) ?? '',
    definedName(schema, identifiers) ?? '',
    `${groupName(group, identifiers)}${capitalised(version)}`,
    groupTag(group, identifiers, version),
    listKind,
    kind,
    resource,
    group,
    version,
  ];
}

/** A resource of the same shape with names that are nowhere else in its paths. */
function modelOf({ info, version: served }: ServedResource): ServedResource {
  const [group, version, kind, listKind] = ['groupgap.example', 'versiongap', 'Kindgap', 'Listgap'];
  const schema: ObjectSchema = {
    type: 'object',
    name: `${group}.${version}.${kind}`,
    fields: new Map(),
    atomic: false,
    preserveUnknown: false,
    declared: () => ({}),
  };
  return {
    info: { ...info, group, kind, listKind, resource: 'resourcegaps' },
    version: { ...served, version, schema: () => schema, published: () => schema },
  };
}

function makeTemplate(served: ServedResource, format: DocumentFormat, names: OpenApiNames): SectionTemplate {
  const model = modelOf(served);
  const gaps = gapsOf(model, names);
  const { paths, schemas } = encodedSection(resourcePaths(model, names), format, {
    version: format.version,
    identifiers: names.identifiers,
  });
  return {
    paths: paths.map(({ name, bytes }) => ({
      name: textTemplate(name, gaps),
      encode: format.pathTemplate(bytes, gaps),
    })),
    schemas,
    model,
  };
}

function filled(
  { paths, schemas, model }: SectionTemplate,
  served: ServedResource,
  gaps: readonly string[],
): EncodedSection {
  const own = publishedSchema(served.version);
  const replaced = new Map<DefinedSchema, DefinedSchema>([
    [publishedSchema(model.version), own],
    [listSchemaOf(publishedSchema(model.version), model.info.listKind), listSchemaOf(own, served.info.listKind)],
  ]);
  return {
    paths: paths.map(({ name, encode }) => ({ name: filledText(name, gaps), bytes: encode(gaps) })),
    schemas: schemas.map((schema) => replaced.get(schema) ?? schema),
  };
}
