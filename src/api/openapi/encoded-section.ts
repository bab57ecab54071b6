import type { DefinedSchema } from '../../scheme/open-api-definition.ts';
import type { OpenApiStyle } from '../../scheme/open-api-schema.ts';
import type { DocumentFormat } from './document-format.ts';
import type { DocumentPiece, EncodedSection } from './document-piece.ts';
import type { PathItem } from './operation.ts';

/** Encodes paths one by one. */
export function encodedSection(
  items: Iterable<PathItem>,
  format: Pick<DocumentFormat, 'path'>,
  style: OpenApiStyle,
): EncodedSection {
  const paths: DocumentPiece[] = [];
  const schemas = new Set<DefinedSchema>();
  for (const item of items) {
    paths.push({ name: item.path, bytes: format.path(item, style) });
    for (const { body, responses } of item.operations) {
      if (body) schemas.add(body.schema);
      for (const { schema } of responses) if (schema !== 'text') schemas.add(schema);
    }
  }
  return { paths, schemas: [...schemas] };
}
