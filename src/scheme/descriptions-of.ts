import { messageDescriptions } from '../gen/descriptions.ts';
import { rowOf } from './schema-of.ts';

/** The descriptions of a message of proto/ and its fields. */
interface Descriptions {
  /** The description of the message; '' if there is none. */
  readonly message: string;
  /** The descriptions of its fields, and of the fields of inlined messages, by JSON name. */
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * The descriptions of a built-in message and its fields; empty for other names. They are parsed at
 * each call, because only OpenAPI documents use them. The module is as large as all schemas, so
 * only modules that are loaded on demand import it.
 */
export function descriptionsOf(messageName: string): Descriptions {
  if (!Object.hasOwn(messageDescriptions, messageName)) return none;
  // The table is generated: a list of texts for each message.
  const [message = '', ...texts] = JSON.parse(messageDescriptions[messageName] ?? '[]') as string[];
  const fields = rowOf(messageName).fields.flatMap((field, index): (readonly [string, string])[] => {
    if (field.inline && field.message) return [...descriptionsOf(field.message).fields];
    return [[field.name, texts[index] ?? '']];
  });
  return { message, fields: new Map(fields) };
}

const none: Descriptions = Object.freeze({ message: '', fields: new Map<string, string>() });
