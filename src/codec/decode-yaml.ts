import { isUtf8 } from 'node:buffer';
import { toUSVString } from 'node:util';
import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import { decodeJson } from './decode-json.ts';
import { encodeJson } from './encode-json.ts';
import { JsonDecodeError } from './json-decode-error.ts';
import { formatPath, type ParsedJson } from './parse-json.ts';
import { depthLimit } from './scan-json.ts';
import { resolvePlainScalar } from './yaml-scalar.ts';

/** Reading YAML costs some hundred times what JSON does: this much takes 0.2 seconds. Servers read larger ones in a thread. */
const documentLimitBytes = 128 * 1024;

/** Values that aliases may repeat in all; a document of a few lines can name billions. */
const aliasLimit = 10_000;

/** More repeated keys than this are not reported. */
const duplicateLimit = 100;

function refuse(why: string): never {
  throw new JsonDecodeError(`error converting YAML to JSON: yaml: ${why}`);
}

/** What one reading of a document keeps count of. */
interface Reading {
  readonly lines: LineCounter;
  readonly path: (string | number)[];
  readonly duplicates: Set<string>;
  /** The node that each anchor stood at last, once it has been read: no node can name itself. */
  readonly anchors: Map<string, Node>;
  /** What an alias meant where it stood, for when it is read again inside of another alias. */
  readonly targets: Map<Alias, Node>;
  /** Values made inside of aliases, and how many aliases enclose the place. */
  repeated: number;
  aliases: number;
}

function refuseAt({ lines }: Reading, node: Node, why: string): never {
  refuse(`line ${lines.linePos(node.range?.[0] ?? 0).line}: ${why}`);
}

/** The stack of the parser holds the document and a scalar besides the collections around it. */
const stackLimit = depthLimit + 2;

/** Takes a text apart, and refuses it where it nests too deep: what follows recurses, and millions of levels take seconds. */
function tokensOf(text: string, lines: LineCounter): CST.Token[] {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > stackLimit) throw new JsonDecodeError('exceeded max depth');
  }
  tokens.push(...parser.end());
  return tokens;
}

function parseDocument(text: string, lines: LineCounter): Document {
  const tokens = tokensOf(text, lines);
  // Failsafe leaves every scalar a text, which is given its meaning here.
  const composer = new Composer({
    schema: 'failsafe',
    customTags: Object.keys(tagChecks).map((tag) => ({ tag, resolve: (scalar: string) => scalar })),
    uniqueKeys: false,
    merge: false,
    strict: true,
    prettyErrors: false,
  });
  const documents = [...composer.compose(tokens, true, text.length)];
  const [document, ...others] = documents;
  if (!document || others.length > 0) refuse('expected a single document');
  return document;
}

function checkDocument(document: Document, lines: LineCounter): void {
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) refuse(`line ${lines.linePos(problem.pos[0]).line}: ${problem.message.split('\n', 1)[0]}`);
}

const stringTag = 'tag:yaml.org,2002:str';

/** Tags that only say what a plain scalar is anyway. */
const tagChecks: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  'tag:yaml.org,2002:null': (value) => value === null,
  'tag:yaml.org,2002:bool': (value) => typeof value === 'boolean',
  'tag:yaml.org,2002:int': (value) => typeof value === 'bigint' || Number.isInteger(value),
  'tag:yaml.org,2002:float': (value) => typeof value === 'number',
};

function readScalar(reading: Reading, scalar: Scalar): JsonValue {
  const text = typeof scalar.value === 'string' ? scalar.value : '';
  const { tag } = scalar;
  if (tag === stringTag || tag === '!' || (tag === undefined && scalar.type !== 'PLAIN')) return toUSVString(text);
  const value = resolvePlainScalar(text);
  if (value === undefined) refuseAt(reading, scalar, `${text.slice(0, 40)} is no JSON number`);
  if (tag !== undefined && !tagChecks[tag]?.(value)) refuseAt(reading, scalar, `cannot use the tag ${tag} here`);
  return value;
}

function targetOf(reading: Reading, alias: Alias): Node {
  const target = reading.targets.get(alias) ?? reading.anchors.get(alias.source);
  if (!target) refuseAt(reading, alias, `unknown anchor '${alias.source.slice(0, 40)}' referenced`);
  reading.targets.set(alias, target);
  return target;
}

function readAlias(reading: Reading, alias: Alias): JsonValue {
  const target = targetOf(reading, alias);
  reading.aliases++;
  const value = readNode(reading, target);
  reading.aliases--;
  return value;
}

/** Keys are texts in JSON; a key that YAML takes for a number or a boolean is written as one. */
function readKey(reading: Reading, key: unknown, map: YAMLMap): string {
  if (isAlias(key)) return readKey(reading, targetOf(reading, key), map);
  if (!isScalar(key)) refuseAt(reading, map, 'a key must be a string, a number or a boolean');
  remember(reading, key);
  const value = readScalar(reading, key);
  return typeof value === 'string' ? value : encodeJson(value);
}

/** Whether a key is the merge key, `<<`. */
function isMerge(key: unknown): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.value === '<<' && key.tag === undefined;
}

/** Adds what a merge key names, where the map does not have it already. */
function mergeInto(reading: Reading, object: JsonObject, map: YAMLMap, node: unknown): void {
  const value = readNode(reading, node);
  const sources = Array.isArray(value) ? value : [value];
  for (const source of sources) {
    if (!isJsonObject(source)) refuseAt(reading, map, 'map merge requires map or sequence of maps as the value');
    for (const [key, item] of Object.entries(source)) if (!Object.hasOwn(object, key)) setOwn(object, key, item);
  }
}

function readMap(reading: Reading, map: YAMLMap): JsonObject {
  const object: JsonObject = {};
  for (const pair of map.items) {
    if (isMerge(pair.key)) continue;
    const key = readKey(reading, pair.key, map);
    reading.path.push(key);
    if (Object.hasOwn(object, key) && reading.duplicates.size < duplicateLimit) {
      reading.duplicates.add(formatPath(reading.path));
    }
    setOwn(object, key, readNode(reading, pair.value));
    reading.path.pop();
  }
  for (const pair of map.items) if (isMerge(pair.key)) mergeInto(reading, object, map, pair.value);
  return object;
}

function readSequence(reading: Reading, items: readonly unknown[]): JsonValue[] {
  return items.map((item, index) => {
    reading.path.push(index);
    const value = readNode(reading, item);
    reading.path.pop();
    return value;
  });
}

function remember({ anchors, aliases }: Reading, node: Node): void {
  if (aliases === 0 && !isAlias(node) && node.anchor !== undefined) anchors.set(node.anchor, node);
}

function readNode(reading: Reading, node: unknown): JsonValue {
  if (reading.aliases > 0 && ++reading.repeated > aliasLimit) refuse('document contains excessive aliasing');
  if (reading.path.length + reading.aliases > depthLimit) throw new JsonDecodeError('exceeded max depth');
  if (!isNode(node)) return null;
  const value = readKind(reading, node);
  remember(reading, node);
  return value;
}

function readKind(reading: Reading, node: Node): JsonValue {
  if (isAlias(node)) return readAlias(reading, node);
  if (isScalar(node)) return readScalar(reading, node);
  if (isMap(node)) return readMap(reading, checkTag(reading, node, 'map'));
  if (isSeq(node)) return readSequence(reading, checkTag(reading, node, 'seq').items);
  return null;
}

/** Sets, ordered maps and collections of an application's own are no JSON. */
function checkTag<T extends Node>(reading: Reading, node: T, name: string): T {
  if (node.tag === undefined || node.tag === `tag:yaml.org,2002:${name}`) return node;
  return refuseAt(reading, node, `cannot use the tag ${node.tag} here`);
}

/** Reads a document that is JSON, as most that come as YAML are: programs write JSON. Undefined for all others. */
function decodeAsJson(bytes: Buffer): ParsedJson | undefined {
  if (bytes[0] !== 0x7b) return undefined;
  try {
    return decodeJson(bytes, { duplicates: true });
  } catch (error) {
    if (error instanceof JsonDecodeError) return undefined;
    throw error;
  }
}

/**
 * Reads one YAML document as the JSON value that Kubernetes' clients would make of it. JSON is YAML and is read too.
 * Refused are several documents, tags beyond those of JSON, and aliases that would blow up, and
 * documents larger than the limit. Throws `JsonDecodeError`.
 */
export function decodeYaml(bytes: Buffer, limitBytes: number = documentLimitBytes): ParsedJson {
  const json = decodeAsJson(bytes);
  if (json) return json;
  if (bytes.length > limitBytes) refuse(`document must have at most ${limitBytes} bytes`);
  if (!isUtf8(bytes)) refuse('invalid UTF-8');
  const lines = new LineCounter();
  const document = parseDocument(bytes.toString('utf8'), lines);
  checkDocument(document, lines);
  const reading = {
    lines,
    path: [],
    duplicates: new Set<string>(),
    anchors: new Map(),
    targets: new Map(),
    repeated: 0,
    aliases: 0,
  };
  const value = readNode(reading, document.contents);
  return { value, duplicateFields: [...reading.duplicates] };
}
