import type { Identifiers } from '../identifiers/identifiers.ts';
import type { JsonValue } from '../meta/json-value.ts';

/**
 * The part of a schema of OpenAPI v2 (Swagger 2.0) and v3.0 that kinds use. Keys starting with
 * `x-` are extensions.
 */
export interface OpenApiSchema {
  $ref?: string;
  allOf?: readonly OpenApiSchema[];
  oneOf?: readonly OpenApiSchema[];
  description?: string;
  type?: string;
  format?: string;
  default?: JsonValue;
  enum?: readonly string[];
  required?: readonly string[];
  properties?: Readonly<Record<string, OpenApiSchema>>;
  additionalProperties?: OpenApiSchema;
  items?: OpenApiSchema;
  uniqueItems?: boolean;
  [extension: `x-${string}`]: unknown;
}

/** The major version of the OpenAPI specification, and the names in the document. */
export interface OpenApiStyle {
  readonly version: 2 | 3;
  readonly identifiers: Identifiers;
  /** The release of the documents; absent: the newest. */
  readonly release?: string;
}
