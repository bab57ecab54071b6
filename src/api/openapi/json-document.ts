import type { OpenApiSchema, OpenApiStyle } from '../../scheme/open-api-schema.ts';
import type { DocumentPart, DocumentPiece, DocumentFormat } from './document-piece.ts';
import { type OpenApiNames, type PathItem, bearerToken, securityRequirement } from './operation.ts';
import { pathInVersion2 } from './path-in-version-2.ts';
import { pathInVersion3 } from './path-in-version-3.ts';

const partFormats = {
  definition: (name: string, schema: OpenApiSchema) => member(name, schema),
  remotePath: member,
};

/** The JSON of version 2. */
export const jsonVersion2: DocumentFormat = {
  ...partFormats,
  version: 2,
  path: (item: PathItem, style: OpenApiStyle) => member(item.path, pathInVersion2(item, style)),
  layOut: ({ paths, definitions }, names) =>
    withMembers([
      [`{"swagger":"2.0","info":${info(names)},"paths":{`, paths],
      ['},"definitions":{', definitions],
      [`},"securityDefinitions":${JSON.stringify(bearerToken)},"security":${JSON.stringify(securityRequirement)}}`, []],
    ]),
};

/** The JSON of version 3. */
export const jsonVersion3: DocumentFormat = {
  ...partFormats,
  version: 3,
  path: (item: PathItem, style: OpenApiStyle) => member(item.path, pathInVersion3(item, style)),
  layOut: ({ paths, definitions }, names) =>
    withMembers([
      [`{"openapi":"3.0.0","info":${info(names)},"paths":{`, paths],
      ['},"components":{"schemas":{', definitions],
      [`},"securitySchemes":${JSON.stringify(bearerToken)}},"security":${JSON.stringify(securityRequirement)}}`, []],
    ]),
};

function member(name: string, value: object): Buffer {
  return Buffer.from(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
}

function info({ identifiers, version }: OpenApiNames): string {
  return JSON.stringify({ title: identifiers.product, version });
}

const comma = Buffer.from(',');

function withMembers(
  parts: readonly (readonly [head: string, members: readonly DocumentPiece[]])[],
): readonly DocumentPart[] {
  const laidOut: DocumentPart[] = [];
  for (const [head, members] of parts) {
    laidOut.push(Buffer.from(head));
    for (const [index, one] of members.entries()) {
      if (index > 0) laidOut.push(comma);
      laidOut.push(one);
    }
  }
  return laidOut;
}
